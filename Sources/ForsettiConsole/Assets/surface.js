// The surface of the UI module that is shown: its toolbar, its slots, and the overlays that its pointers and routes open.
// All of a module's content stands in a frame with the ID of the module that draws it.

import { el, notify, replace } from "./dom.js";
import { follow, get, post } from "./api.js";
import { frame } from "./frame.js";

/** Where the host's own destinations are in this console. */
const destinations = { home: "#/", dashboard: "#/", modules: "#/", events: "#/events", log: "#/log", entitlements: "#/entitlements" };

/** Modules whose events the supervisor tells over one stream. */
const mostModules = 64;

export function surfacePage(main, figures) {
  let answer = null;
  let drawn = null; // The answer that is on the page, as text.
  let source = null;
  let timer = null;
  let isClosed = false;
  const frames = new Set();
  const overlays = new Set(); // Each ends itself.
  const changed = new Set(); // Modules whose views are to be drawn anew.
  const picker = el("select", { id: "ui-module", onchange: () => choose(picker.value) });
  const toolbar = el("div", { role: "toolbar", "aria-label": "Toolbar", class: "toolbar", onkeydown: moveInToolbar });
  const stage = el("div", { class: "stage" });
  const ways = el("div", { class: "ways" });
  replace(main,
    el("div", { class: "title" }, el("h1", {}, "Surface"), el("div", { class: "controls" }, el("label", { for: "ui-module" }, "UI module"), picker)),
    toolbar, stage, ways);

  /** One stop for Tab, arrows within. */
  function moveInToolbar(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const buttons = [...toolbar.querySelectorAll("button")];
    const place = buttons.indexOf(document.activeElement);
    if (!step || place < 0) return;
    buttons.forEach((button) => (button.tabIndex = -1));
    const next = buttons[(place + step + buttons.length) % buttons.length];
    next.tabIndex = 0;
    next.focus();
  }

  async function choose(id) {
    try {
      await post("/api/activate", { module: id });
      await post("/api/select-ui", { module: id });
      notify(`${id} is shown`, "success");
    } catch (failure) {
      notify(failure.message, "error");
    }
    figures.isStale = true;
    await load();
    picker.focus();
  }

  /** A view in its frame, drawn anew with the events of whoever draws it. */
  function viewFrame(viewID, contributor, parameters = {}) {
    const opened = frame(viewID, parameters, {
      title: answer.viewTitles[viewID] ?? viewID, renderer: answer.renderers[viewID] ?? contributor, act, moved: load });
    frames.add(opened);
    return {
      element: opened.element,
      close: () => {
        opened.close();
        frames.delete(opened);
      },
    };
  }

  /** Does what a toolbar item or a button asks: with its module's rights, or by opening what the module declared. */
  async function act(action, moduleID) {
    switch (action.type) {
      case "publishEvent":
        await post("/api/publish", { module: moduleID, type: action.eventType, payload: action.payload ?? {} });
        return later(moduleID);
      case "openOverlay": return openRoute(action.routeID);
      case "navigate": return openPointer(action.pointerID);
      default: throw new Error("an action that this console does not know");
    }
  }

  function openPointer(pointerID) {
    const pointer = answer.surface.overlays?.pointers.find((candidate) => candidate.pointerID === pointerID);
    if (!pointer) return notify(`There is no pointer ${pointerID}`, "error");
    const address = destinations[pointer.target.destinationID];
    const way = address
      ? el("a", { href: address }, `Go to ${pointer.target.destinationID}`)
      : el("p", { class: "dim" }, `This host has no destination ${pointer.target.destinationID}.`);
    open(pointer.presentation, pointer.label, way);
  }

  function openRoute(routeID) {
    const route = answer.surface.overlays?.routes.find((candidate) => candidate.routeID === routeID);
    if (!route) return notify(`There is no route ${routeID}`, "error");
    if (route.destination.type !== "moduleOverlay") {
      const address = destinations[route.destination.destinationID];
      if (address) location.hash = address;
      else notify(`This host has no destination ${route.destination.destinationID}`, "error");
      return;
    }
    const opened = viewFrame(route.destination.viewID, answer.moduleID, route.destination.parameters ?? {});
    const isMain = route.destination.slot === "main";
    open(isMain ? "push" : route.destination.slot.includes("drawer") ? "inline" : "sheet", titleOf(route), opened.element, opened.close);
  }

  const titleOf = (route) => answer.routeTitles[route.routeID] ?? route.path;

  /** What opened an overlay: itself, or what has been drawn in its place since. */
  function opener(element) {
    const name = ["data-item", "data-pointer", "data-route"].find((name) => element?.hasAttribute(name));
    const selector = name && `[${name}="${CSS.escape(element.getAttribute(name))}"]`;
    return () => (element?.isConnected ? element : selector && main.querySelector(selector));
  }

  /** Shows an overlay the way it is meant to be presented; focus comes back to where it was. */
  function open(presentation, title, content, closed = () => {}) {
    const before = opener(document.activeElement);
    if (presentation === "push" || presentation === "inline") {
      const isPush = presentation === "push";
      // What it takes the place of; a dialog would stay above it.
      const behind = isPush ? [stage, ...main.querySelectorAll(":scope > .push")].filter((element) => !element.hidden) : [];
      main.querySelectorAll("dialog").forEach((dialog) => dialog.close());
      const element = el("section", { class: presentation, "aria-label": title },
        el("div", { class: "title" }, el("h2", { tabindex: -1 }, title),
          el("button", { type: "button", onclick: end }, isPush ? "Back" : "Close")), content);
      element.addEventListener("keydown", (event) => { if (event.key === "Escape") end(); });
      function end() {
        overlays.delete(end);
        closed();
        element.remove();
        behind.forEach((element) => (element.hidden = false));
        before()?.focus();
      }
      overlays.add(end);
      behind.forEach((element) => (element.hidden = true));
      stage.before(element);
      element.querySelector("h2").focus();
      return;
    }
    const end = () => dialog.close();
    const dialog = el("dialog", { class: presentation, "aria-label": title },
      el("div", { class: "title" }, el("h2", {}, title), el("button", { type: "button", onclick: end }, "Close")), content);
    overlays.add(end);
    dialog.addEventListener("close", () => {
      overlays.delete(end);
      closed();
      dialog.remove();
      before()?.focus();
    });
    main.append(dialog);
    // Both take the focus, close by Escape, and keep what is behind them out of reach.
    dialog.showModal();
  }

  function draw() {
    for (const end of [...overlays].reverse()) end();
    frames.forEach((opened) => opened.close());
    frames.clear();
    const { surface, moduleID } = answer;
    replace(toolbar, surface.toolbar.map((item, index) =>
      el("button", {
        type: "button", tabindex: index === 0 ? 0 : -1, "data-item": item.itemID, title: `from ${item.moduleID}`,
        onclick: () => act(item.action, item.moduleID).catch((failure) => notify(failure.message, "error")),
      }, item.title)));
    toolbar.hidden = surface.toolbar.length === 0;
    const slots = Object.entries(surface.injections);
    replace(stage, slots.length === 0 && el("p", { class: "dim" }, moduleID ? "It shows no views." : "No UI module is shown. Choose one."),
      slots.map(([slot, injections]) => el("section", { class: "slot", "aria-label": `Slot ${slot}` }, el("h2", {}, slot),
        injections.map((injection) => viewFrame(injection.viewID, injection.moduleID).element))));
    const pointers = surface.overlays?.pointers ?? [];
    const routes = surface.overlays?.routes ?? [];
    replace(ways,
      pointers.length > 0 && el("nav", { "aria-label": "Pointers" }, el("h2", {}, "Pointers"), pointers.map((pointer) =>
        el("button", { type: "button", "data-pointer": pointer.pointerID, onclick: () => openPointer(pointer.pointerID) }, pointer.label))),
      routes.length > 0 && el("nav", { "aria-label": "Routes" }, el("h2", {}, "Routes"), routes.map((route) =>
        el("button", { type: "button", "data-route": route.routeID, onclick: () => openRoute(route.routeID) },
          titleOf(route), " ", el("span", { class: "dim" }, route.path)))));
  }

  /** Views change a moment after what they tell of; several changes are one. Without a module all are drawn anew. */
  function later(moduleID) {
    changed.add(moduleID);
    timer ??= setTimeout(() => {
      timer = null;
      frames.forEach((opened) => {
        if (changed.has(undefined) || [...changed].some(opened.isDrawnBy)) opened.draw();
      });
      changed.clear();
    }, 150);
  }

  /** Hears of whoever draws something that is, or may come, on the page. */
  function listen() {
    source?.close();
    source = null;
    const modules = new Set([answer.moduleID, ...Object.values(answer.renderers)].filter(Boolean));
    if (modules.size === 0) return;
    const types = new URLSearchParams([...modules].slice(0, mostModules).map((moduleID) => ["type", `${moduleID}.*`]));
    let wasOpen = false;
    source = follow(`/api/events?${types}`, {
      event: (event) => later(event.module),
      // Of whom the lost ones told is not known, nor what was told while there was no connection.
      dropped: () => later(),
      open: () => {
        if (wasOpen) later();
        wasOpen = true;
      },
    });
  }

  async function load() {
    try {
      const status = await figures.refresh();
      answer = await get("/api/surface");
      if (isClosed) return;
      const choices = (status?.modules ?? []).filter((module) => module.type === "ui" || module.type === "app");
      replace(picker, !answer.moduleID && el("option", { value: "" }, "none"),
        choices.map((module) => el("option", { value: module.moduleID, selected: module.moduleID === answer.moduleID ? true : null }, module.moduleID)));
      // What is the same stays, with the focus and the overlays on it; only its views are asked anew.
      if (JSON.stringify(answer) === drawn) return later();
      draw();
      drawn = JSON.stringify(answer);
      listen();
    } catch (failure) {
      drawn = null;
      replace(stage, el("p", { class: "complaint", role: "alert" }, failure.message));
    }
  }

  load();
  return {
    update() {
      // Another UI module, or a new process of this one.
      if (figures.isStale && answer) load();
    },
    close() {
      isClosed = true;
      source?.close();
      clearTimeout(timer);
      main.querySelectorAll("dialog").forEach((dialog) => dialog.close());
    },
  };
}
