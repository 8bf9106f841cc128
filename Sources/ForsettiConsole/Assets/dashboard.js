// The figures of all modules, and the page that shows them.

import { badge, bytes, duration, el, rate, replace, stateBadge } from "./dom.js";
import { get } from "./api.js";
import { sparkline } from "./charts.js";

const remembered = 60;

/** What is known of the supervisor and its modules, and how fast it changes. */
export class Figures {
  constructor() {
    this.clear();
  }

  clear() {
    this.modules = new Map();
    this.own = {};
    this.receivedAt = 0;
    this.history = { calls: [], failures: [], events: [], memory: [] };
    this.status = null; // What `status` says; asked anew when a module's state or process changes.
    this.isStale = true;
  }

  /** Takes one message of /api/live: what changed since the last. */
  take(message) {
    const seconds = Math.max(0.001, ((message.uptimeMilliseconds ?? 0) - (this.own.uptimeMilliseconds ?? 0)) / 1000);
    const isFirst = this.receivedAt === 0;
    this.own = message;
    this.receivedAt = performance.now();
    for (const module of this.modules.values()) module.rates = { calls: 0, failures: 0, events: 0 };
    for (const item of message.modules) {
      const before = this.modules.get(item.moduleID);
      const per = (key) => (before ? Math.max(0, item[key] - before[key]) / seconds : 0);
      if (!before || before.state !== item.state || before.restarts !== item.restarts) this.isStale = true;
      this.modules.set(item.moduleID, {
        ...item, trail: before?.trail ?? [], rates: { calls: per("calls"), failures: per("failedCalls"), events: per("events") },
      });
    }
    for (const id of message.gone) this.modules.delete(id);
    const all = [...this.modules.values()];
    for (const module of all) module.trail = [...module.trail, module.rates.calls].slice(-remembered);
    if (isFirst) return;
    const sum = (read) => all.reduce((total, module) => total + read(module), 0);
    this.remember("calls", sum((module) => module.rates.calls));
    this.remember("failures", sum((module) => module.rates.failures));
    this.remember("events", sum((module) => module.rates.events));
    this.remember("memory", sum((module) => module.memoryBytes ?? 0));
  }

  remember(name, value) {
    this.history[name] = [...this.history[name], value].slice(-remembered);
  }

  last(name) {
    return this.history[name].at(-1) ?? 0;
  }

  /** The slow part: types, grants, locks, processes. Asked only where it may have changed. */
  async refresh() {
    if (!this.isStale) return this.status;
    this.isStale = false;
    const status = await get("/api/status");
    this.status = { ...status, byID: new Map(status.modules.map((module) => [module.moduleID, module])), askedAt: performance.now() };
    return this.status;
  }

  /** A module's row of `status`. */
  row(id) {
    return this.status?.byID.get(id);
  }

  /** Milliseconds that a module has been active by now. */
  uptime(id) {
    const uptime = this.row(id)?.uptimeMilliseconds;
    return uptime == null ? null : uptime + performance.now() - this.status.askedAt;
  }
}

/** What holds a module's process, in a word. */
function lock(row) {
  if (!row?.pid) return el("span", { class: "dim" }, "no process");
  const title = `seccomp: ${row.kernelSyscalls.length} calls allowed, ${row.servedSyscalls.length} served by the supervisor, all others end it; Landlock: nothing is allowed`;
  return el("span", { title }, `${row.kernelSyscalls.length} + ${row.servedSyscalls.length} calls`);
}

const columns = [
  { name: "Module", key: (row) => row.id, class: "wide" },
  { name: "State", key: (row) => row.figures.state },
  { name: "Type", key: (row) => row.status?.type ?? "", class: "from-l" },
  { name: "Grants", key: (row) => row.status?.grants?.length ?? 0, class: "from-xl" },
  { name: "Lock", key: (row) => row.status?.kernelSyscalls?.length ?? 0, class: "from-xl" },
  { name: "Calls/s", key: (row) => row.figures.rates.calls, class: "number from-m" },
  { name: "Lately", class: "from-l" },
  { name: "Failed", key: (row) => row.figures.failedCalls, class: "number from-m" },
  { name: "Restarts", key: (row) => row.figures.restarts, class: "number" },
  { name: "Memory", key: (row) => row.figures.memoryBytes ?? 0, class: "number from-s" },
  { name: "Up", key: (row) => row.uptime ?? 0, class: "number from-l" },
];

const rowHeight = 45;
const spare = 12;

/** The dashboard. Of a thousand modules only the rows in sight are drawn. */
export function dashboard(main, figures) {
  let sorted = { column: 0, isDown: false };
  let rows = [];
  const tiles = el("div", { class: "tiles" });
  const search = el("input", { type: "search", id: "filter", placeholder: "Find a module", "aria-label": "Find a module", oninput: draw });
  const chosen = el("select", { id: "state-filter", "aria-label": "State", onchange: draw }, el("option", { value: "" }, "All states"));
  const count = el("span", { class: "dim", role: "status" });
  const head = el("tr", { "aria-rowindex": 1 });
  const body = el("tbody", {});
  const table = el("table", { class: "modules", "aria-label": "Modules" }, el("thead", {}, head), body);
  const scroller = el("div", { class: "scroller", tabindex: 0, role: "region", "aria-label": "Modules", onscroll: () => requestAnimationFrame(drawRows) }, table);
  replace(main,
    el("h1", { class: "spoken" }, "Dashboard"), tiles,
    el("div", { class: "controls" }, search, chosen, count), scroller);

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
    rows = [...figures.modules.values()]
      .filter((item) => item.moduleID.toLowerCase().includes(wanted) && (!chosen.value || item.state === chosen.value))
      .map((item) => ({ id: item.moduleID, figures: item, status: figures.row(item.moduleID), uptime: figures.uptime(item.moduleID) }));
    rows.sort((left, right) => {
      const [a, b] = [key(left), key(right)];
      return (a < b ? -1 : a > b ? 1 : left.id < right.id ? -1 : 1) * (sorted.isDown ? -1 : 1);
    });
    table.setAttribute("aria-rowcount", rows.length + 1);
    replace(count, `${rows.length} of ${figures.modules.size} modules`);
    drawRows();
  }

  function drawRows() {
    const first = Math.max(0, Math.floor(scroller.scrollTop / rowHeight) - spare);
    const last = Math.min(rows.length, first + Math.ceil(scroller.clientHeight / rowHeight) + 2 * spare);
    const focused = document.activeElement?.closest?.("tr")?.dataset.id;
    replace(body, gap(first), rows.slice(first, last).map((row, index) => drawRow(row, first + index)), gap(rows.length - last));
    if (focused) body.querySelector(`tr[data-id="${CSS.escape(focused)}"] a`)?.focus({ preventScroll: true });
  }

  function gap(count) {
    if (count <= 0) return null;
    const row = el("tr", { class: "gap", "aria-hidden": "true" }, el("td", { colspan: columns.length }));
    row.firstChild.style.height = `${count * rowHeight}px`;
    return row;
  }

  function drawRow({ id, figures: item, status, uptime }, index) {
    const isSelected = figures.status?.selectedUIModuleID === id;
    const cells = [
      el("a", { href: `#/modules/${id}` }, id), stateBadge(item.state),
      [status?.type ?? "", isSelected && [" ", badge("shown", "info")]],
      el("span", { title: (status?.grants ?? []).join(", ") || "none" }, status?.grants?.length ?? "–"), lock(status),
      rate(item.rates.calls), sparkline(item.trail, `calls a second, at most ${rate(Math.max(0, ...item.trail))}`),
      item.failedCalls, item.restarts, bytes(item.memoryBytes), duration(uptime),
    ];
    return el("tr", { "aria-rowindex": index + 2, "data-id": id },
      cells.map((cell, place) => el(place === 0 ? "th" : "td", { class: columns[place].class, scope: place === 0 ? "row" : null }, cell)));
  }

  function drawTiles() {
    const all = [...figures.modules.values()];
    const active = all.filter((module) => module.state === "active").length;
    const tile = (name, value, more, chart) => el("div", { class: "tile" }, el("div", { class: "name" }, name), el("div", { class: "value" }, value), more && el("div", { class: "dim" }, more), chart);
    const restarts = all.reduce((total, module) => total + module.restarts, 0);
    replace(tiles,
      tile("Modules active", `${active} of ${all.length}`, `${restarts} restarts, up ${duration(figures.own.uptimeMilliseconds)}`),
      tile("Calls a second", rate(figures.last("calls")), null, sparkline(figures.history.calls, "calls a second, in the last minute", 180, 36)),
      tile("Failed a second", rate(figures.last("failures")), null, sparkline(figures.history.failures, "failed calls a second, in the last minute", 180, 36)),
      tile("Events a second", rate(figures.last("events")), null, sparkline(figures.history.events, "events a second, in the last minute", 180, 36)),
      tile("Memory", bytes(figures.last("memory")), `supervisor ${bytes(figures.own.memoryBytes)}`, sparkline(figures.history.memory, "memory of all modules, in the last minute", 180, 36)));
    const states = [...new Set(all.map((module) => module.state))].sort();
    const known = [...chosen.options].slice(1).map((option) => option.value);
    if (states.join() !== known.join()) {
      const value = chosen.value;
      replace(chosen, el("option", { value: "" }, "All states"), states.map((state) => el("option", { value: state }, state)));
      chosen.value = states.includes(value) ? value : "";
    }
  }

  async function update() {
    drawTiles();
    draw();
    try {
      if (figures.isStale) {
        await figures.refresh();
        draw();
      }
    } catch {
      figures.isStale = true;
    }
  }

  drawHead();
  update();
  return { update, close() {} };
}
