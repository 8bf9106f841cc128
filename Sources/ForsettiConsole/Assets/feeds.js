// What happens as it happens: log records and heads of events; and who says what is unlocked.

import { badge, clock, el, replace } from "./dom.js";
import { follow, get } from "./api.js";

const kept = 500;
const tones = { error: "error", warning: "warning", info: "neutral", debug: "neutral" };

/** A list that grows at its end, keeps `kept` lines, and follows its end while one looks at it. */
export function feed(label) {
  const list = el("ol", { class: "feed", tabindex: 0, "aria-label": label, role: "log", "aria-live": "off" });
  return {
    list,
    add(...content) {
      const isAtEnd = list.scrollHeight - list.scrollTop - list.clientHeight < 40;
      list.append(el("li", {}, ...content));
      while (list.children.length > kept) list.firstChild.remove();
      if (isAtEnd) list.scrollTop = list.scrollHeight;
    },
  };
}

/** Follows the log of one module, or of all. */
export function followLog(module) {
  const { list, add } = feed(module ? `Log of ${module}` : "Log");
  const source = follow(module ? `/api/logs?${new URLSearchParams({ module })}` : "/api/logs", {
    log: (record) =>
      add(el("time", {}, clock(record.time)), badge(record.level, tones[record.level]),
        !module && record.module && el("a", { href: `#/modules/${record.module}` }, record.module),
        el("span", { class: "message" }, record.origin === "output" ? "> " : "", record.message,
          Object.entries(record.metadata ?? {}).map(([key, value]) => el("span", { class: "dim" }, ` ${key}=${value}`)))),
    dropped: (message) => add(el("span", { class: "dim" }, `… ${message.count} records were lost …`)),
  });
  return { list, close: () => source.close() };
}

/** The log of everything. */
export function logPage(main) {
  const log = followLog(null);
  replace(main, el("h1", {}, "Log"), log.list);
  return log;
}

/** Heads of events. */
export function eventsPage(main) {
  const { list, add } = feed("Events");
  let source = null;
  const field = el("input", { id: "event-type", value: "*", "aria-label": "Type of events", spellcheck: "false" });
  function start() {
    source?.close();
    list.replaceChildren();
    source = follow(`/api/events?${new URLSearchParams({ type: field.value.trim() || "*" })}`, {
      event: (event) =>
        add(el("time", {}, clock(event.time)), el("code", {}, event.type),
          event.module ? el("a", { href: `#/modules/${event.module}` }, event.module) : el("span", { class: "dim" }, "forsetti")),
      dropped: (message) => add(el("span", { class: "dim" }, `… ${message.count} events were lost …`)),
    });
  }
  replace(main, el("h1", {}, "Events"),
    el("p", { class: "dim" }, "Who published what, from now on. What is in an event stays between modules."),
    el("form", { class: "controls", onsubmit: (event) => { event.preventDefault(); start(); } },
      field, el("button", { type: "submit" }, "Show"), el("span", { class: "dim" }, "an exact type, prefix.* or *")),
    list);
  start();
  return { close: () => source.close() };
}

/** Who says what is unlocked; asked anew after a reload, which may have changed both. */
export function entitlementsPage(main, figures) {
  let [reloads, isClosed] = [null, false];
  const said = el("p", { class: "dim", role: "status" }, "Asking…");
  const body = el("div", {});
  replace(main, el("h1", {}, "Entitlements"), said, body);

  const row = (module) =>
    el("tr", {}, el("th", { scope: "row" }, el("a", { href: `#/modules/${module.moduleID}` }, module.moduleID)),
      el("td", {}, module.productID ?? "–"),
      el("td", {}, badge(module.unlocked ? "unlocked" : "locked", module.unlocked ? "success" : "warning")));

  async function update() {
    if (reloads === figures.own.reloads) return;
    const asking = reloads = figures.own.reloads;
    try {
      const answer = await get("/api/entitlements");
      if (isClosed || reloads !== asking) return;
      replace(said, `Said by: ${answer.source}`);
      replace(body, el("div", { class: "card scroll" }, el("table", {},
        el("thead", {}, el("tr", {}, ["Module", "Product", "Unlocked"].map((name) => el("th", { scope: "col" }, name)))),
        el("tbody", {}, answer.modules.map(row)))));
    } catch (failure) {
      if (isClosed || reloads !== asking) return;
      replace(said);
      replace(body, el("p", { class: "complaint", role: "alert" }, failure.message));
    }
  }

  update();
  return { update, close() { isClosed = true; } };
}
