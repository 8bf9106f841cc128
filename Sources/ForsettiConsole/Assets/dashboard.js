// The page that shows all modules.

import { badge, bytes, duration, el, rate, replace, stateBadge } from "./dom.js";
import { sparkline } from "./charts.js";
import { windowedRows } from "./rows.js";

/** What holds a module's process, in a word; a dash as long as nobody has told. */
const lock = (status) => (status?.pid ? `${status.kernelSyscalls} + ${status.servedSyscalls} calls` : status ? "no process" : "–");

function drawLock({ status }) {
  if (!status?.pid) return el("span", { class: "dim" }, lock(status));
  const title = `seccomp: ${status.kernelSyscalls} calls allowed, ${status.servedSyscalls} served by the supervisor, all others end it; Landlock: nothing is allowed`;
  return el("span", { title }, lock(status));
}

// `key` is what rows are sorted by, `text` what a cell says, `draw` how.
const columns = [
  { name: "Module", key: (row) => row.id, text: (row) => row.id, draw: (row) => el("a", { href: `#/modules/${row.id}` }, row.id), class: "wide" },
  { name: "State", key: (row) => row.figures.state, text: (row) => row.figures.state, draw: (row) => stateBadge(row.figures.state) },
  {
    name: "Type", key: (row) => row.status?.type ?? "", text: (row) => `${row.status?.type ?? ""}${row.isShown ? " shown" : ""}`, class: "from-l",
    draw: (row) => [row.status?.type ?? "", row.isShown && [" ", badge("shown", "info")]],
  },
  {
    name: "Grants", key: (row) => row.status?.grants.length ?? 0, text: (row) => (row.status?.grants ?? []).join(", "), class: "from-xl",
    draw: (row) => el("span", { title: (row.status?.grants ?? []).join(", ") || "none" }, row.status?.grants.length || "–"),
  },
  { name: "Lock", key: (row) => row.status?.kernelSyscalls ?? 0, text: (row) => lock(row.status), draw: drawLock, class: "from-xl" },
  { name: "Calls/s", key: (row) => row.figures.rates.calls, text: (row) => rate(row.figures.rates.calls), class: "number from-m" },
  {
    name: "Lately", class: "from-l",
    // As long as nothing is called the line is the same.
    text: (row) => (row.figures.trail.some(Boolean) ? row.figures.trail.join() : String(row.figures.trail.length > 1)),
    draw: (row) => sparkline(row.figures.trail, `calls a second, at most ${rate(Math.max(0, ...row.figures.trail))}`),
  },
  { name: "Failed", key: (row) => row.figures.failedCalls, text: (row) => String(row.figures.failedCalls), class: "number from-m" },
  { name: "Restarts", key: (row) => row.figures.restarts, text: (row) => String(row.figures.restarts), class: "number" },
  { name: "Memory", key: (row) => row.figures.memoryBytes ?? 0, text: (row) => bytes(row.figures.memoryBytes), class: "number from-s" },
  { name: "Up", key: (row) => row.uptime ?? 0, text: (row) => duration(row.uptime), class: "number from-l" },
];

/** Bundles that are not let in: they are in no table, for they are no modules here. */
function refusals(lines) {
  return lines.map((line) => {
    const id = line.match(/^bundle "([A-Za-z0-9.-]+)": /)?.[1];
    return el("p", { class: "warning-text" }, "Not let in: ", line, id && [" ", el("a", { href: `#/modules/${id}` }, `See ${id}`)]);
  });
}

/** The dashboard. */
export function dashboard(main, figures) {
  let sorted = { column: 0, isDown: false };
  let refused = "";
  const tiles = el("div", { class: "tiles" });
  const search = el("input", { type: "search", id: "filter", placeholder: "Find a module", "aria-label": "Find a module", oninput: draw });
  const chosen = el("select", { id: "state-filter", "aria-label": "State", onchange: draw }, el("option", { value: "" }, "All states"));
  const count = el("span", { class: "dim", role: "status" });
  const head = el("tr", { "aria-rowindex": 1 });
  const body = el("tbody", {});
  const table = el("table", { class: "modules", "aria-label": "Modules" }, el("thead", {}, head), body);
  const scroller = el("div", { class: "scroller", tabindex: 0, role: "region", "aria-label": "Modules" }, table);
  const notes = el("div", { class: "notes" });
  const rows = windowedRows(scroller, body, columns);
  replace(main,
    el("h1", { class: "spoken" }, "Dashboard"), tiles,
    el("div", { class: "controls" }, search, chosen, count), scroller, notes);

  function drawHead() {
    replace(head, columns.map((column, index) => {
      const isSorted = sorted.column === index;
      const order = isSorted ? (sorted.isDown ? "descending" : "ascending") : null;
      const content = column.key
        ? el("button", { type: "button", class: "sort", onclick: () => sortBy(index) }, column.name, isSorted && el("span", { "aria-hidden": "true" }, sorted.isDown ? " ↓" : " ↑"))
        : column.name;
      return el("th", { scope: "col", class: column.class, "aria-sort": order }, content);
    }));
  }

  function sortBy(index) {
    sorted = { column: index, isDown: sorted.column === index ? !sorted.isDown : columns[index].class?.includes("number") };
    drawHead();
    draw();
    head.children[index].querySelector("button").focus();
  }

  function draw() {
    const wanted = search.value.trim().toLowerCase();
    const key = columns[sorted.column].key;
    const shown = figures.status?.selectedUIModuleID;
    const found = [...figures.modules.values()]
      .filter((item) => item.moduleID.toLowerCase().includes(wanted) && (!chosen.value || item.state === chosen.value))
      .map((item) => ({
        id: item.moduleID, figures: item, status: figures.row(item.moduleID), uptime: figures.uptime(item.moduleID), isShown: item.moduleID === shown,
      }));
    found.sort((left, right) => {
      const [a, b] = [key(left), key(right)];
      return (a < b ? -1 : a > b ? 1 : left.id < right.id ? -1 : 1) * (sorted.isDown ? -1 : 1);
    });
    table.setAttribute("aria-rowcount", found.length + 1);
    const words = `${found.length} of ${figures.modules.size} modules`;
    // It is spoken when it changes.
    if (count.textContent !== words) replace(count, words);
    rows.show(found);
  }

  function drawTiles() {
    const all = [...figures.modules.values()];
    const active = all.filter((module) => module.state === "active").length;
    const tile = (name, value, more, chart) => el("div", { class: "tile" }, el("div", { class: "name" }, name), el("div", { class: "value" }, value), more && el("div", { class: "dim" }, more), chart);
    const trail = (name, label) => sparkline(figures.history[name], label, 180, 36);
    const restarts = all.reduce((total, module) => total + module.restarts, 0);
    replace(tiles,
      tile("Modules active", `${active} of ${all.length}`, `${restarts} restarts, up ${duration(figures.own.uptimeMilliseconds)}`),
      tile("Calls a second", rate(figures.last("calls") ?? 0), null, trail("calls", "calls a second, in the last minute")),
      tile("Failed a second", rate(figures.last("failures") ?? 0), null, trail("failures", "failed calls a second, in the last minute")),
      tile("Events a second", rate(figures.last("events") ?? 0), null, trail("events", "events a second, in the last minute")),
      tile("Memory", bytes(figures.last("memory")), `supervisor ${bytes(figures.own.memoryBytes)}`, trail("memory", "memory of all modules, in the last minute")));
    const states = [...new Set(all.map((module) => module.state))].sort();
    const known = [...chosen.options].slice(1).map((option) => option.value);
    if (states.join() !== known.join()) {
      const value = chosen.value;
      replace(chosen, el("option", { value: "" }, "All states"), states.map((state) => el("option", { value: state }, state)));
      chosen.value = states.includes(value) ? value : "";
    }
  }

  function drawNotes() {
    const lines = figures.status?.refusedBundles ?? [];
    if (lines.join("\n") === refused) return;
    refused = lines.join("\n");
    replace(notes, refusals(lines));
  }

  async function update() {
    drawTiles();
    draw();
    try {
      if (figures.isStale) {
        await figures.refresh();
        draw();
        drawNotes();
      }
    } catch {
      figures.isStale = true;
    }
  }

  drawHead();
  drawNotes();
  update();
  return { update, close() {} };
}
