// One module: what it does now, what it asked for and was granted, what holds it, its log, its crashes.

import { badge, bytes, clock, duration, el, notify, rate, replace, stateBadge } from "./dom.js";
import { get, post } from "./api.js";
import { sparkline } from "./charts.js";
import { followLog } from "./feeds.js";

// The control socket's maps have no order of their own; people read what something is before why.
const first = ["moduleID", "displayName", "gate", "capability", "name", "call", "syscall", "verdict", "outcome", "answer", "conditions"];
const last = ["because", "reason", "details", "sha256", "missing"];
const rank = (key) => (first.includes(key) ? first.indexOf(key) - first.length : last.includes(key) ? 1 + last.indexOf(key) : 0);
const ordered = (keys) => [...keys].sort((left, right) => rank(left) - rank(right));

/** Any JSON as tables and lists, by its shape. */
export function structure(value) {
  if (value === null || value === undefined) return el("span", { class: "dim" }, "–");
  if (Array.isArray(value)) {
    if (value.length === 0) return el("span", { class: "dim" }, "none");
    const isFlat = value.every((item) => typeof item !== "object" || item === null);
    if (isFlat) return el("span", { class: "words" }, value.map((item) => el("code", {}, item)));
    const keys = ordered([...new Set(value.flatMap((item) => Object.keys(item ?? {})))]);
    return el("div", { class: "scroll" }, el("table", { class: "dense" },
      el("thead", {}, el("tr", {}, keys.map((key) => el("th", { scope: "col" }, key)))),
      el("tbody", {}, value.map((item) => el("tr", {}, keys.map((key) => el("td", {}, structure(item?.[key]))))))));
  }
  if (typeof value === "object") {
    return el("dl", { class: "pairs" }, Object.entries(value).flatMap(([key, item]) => [el("dt", {}, key), el("dd", {}, structure(item))]));
  }
  return typeof value === "boolean" ? badge(value ? "yes" : "no", value ? "success" : "neutral") : el("span", {}, value);
}

/** Tabs, by the keys that WAI-ARIA gives them. */
function tabs(label, entries) {
  const panel = el("div", { role: "tabpanel", tabindex: 0, class: "card" });
  let close = () => {};
  const buttons = entries.map(([name, show], index) =>
    el("button", {
      type: "button", role: "tab", id: `tab-${index}`, onclick: () => choose(index),
      onkeydown: (event) => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (step) choose((index + step + entries.length) % entries.length, true);
      },
    }, name));
  function choose(index, moves = false) {
    close();
    buttons.forEach((button, place) => {
      button.setAttribute("aria-selected", place === index);
      button.tabIndex = place === index ? 0 : -1;
    });
    panel.setAttribute("aria-labelledby", `tab-${index}`);
    if (moves) buttons[index].focus();
    close = entries[index][1](panel) ?? (() => {});
  }
  choose(0);
  return { element: [el("div", { role: "tablist", "aria-label": label, class: "tabs" }, buttons), panel], close: () => close() };
}

export function modulePage(main, figures, id) {
  const title = el("div", { class: "title" });
  const tiles = el("div", { class: "tiles" });
  const failure = el("p", { class: "complaint" });
  const actions = el("div", { class: "actions", role: "group", "aria-label": "Steer the module" });

  for (const [name, word] of [["activate", "Activate"], ["deactivate", "Deactivate"], ["restart", "Restart"], ["reset", "Reset"]]) {
    actions.append(el("button", {
      type: "button", "data-order": name, onclick: async (event) => {
        event.currentTarget.disabled = true;
        const button = event.currentTarget;
        try {
          const answer = await post(`/api/${name}`, { module: id });
          notify(`${id} is ${answer.state ?? "gone"}`, "success");
        } catch (error) {
          notify([error.message, ...error.details].join(" – "), "error");
        }
        button.disabled = false;
        figures.isStale = true;
        update();
      },
    }, word));
  }

  function explanation(pick) {
    return (panel) => {
      replace(panel, el("p", { class: "dim", role: "status" }, "Asking…"));
      get("/api/explain", { module: id })
        .then(({ report }) => replace(panel, pick(report)))
        .catch((error) => replace(panel, el("p", { class: "dim" }, error.message)));
    };
  }

  const sections = (keep) => (report) =>
    ordered(Object.keys(report)).filter(keep).map((key) => [el("h2", {}, key), structure(report[key])]);
  const isOfSandbox = (key) => ["sandbox", "plan", "layers", "kernel", "served", "limits", "landlock", "filter", "syscalls", "rlimits"].includes(key);

  const content = tabs("About the module", [
    ["Grants and decisions", explanation(sections((key) => !isOfSandbox(key)))],
    ["Sandbox", explanation(sections(isOfSandbox))],
    ["Log", (panel) => {
      const log = followLog(id);
      replace(panel, log.list);
      return log.close;
    }],
    ["Crashes", crashes],
  ]);

  function crashes(panel) {
    replace(panel, el("p", { class: "dim", role: "status" }, "Asking…"));
    get("/api/crashes")
      .then((all) => {
        const own = all.filter((report) => report.moduleID === id);
        if (own.length === 0) return replace(panel, el("p", { class: "dim" }, "It never ended unasked."));
        replace(panel, own.map((report) => {
          const body = el("div", {});
          return el("details", {
            ontoggle: async (event) => {
              if (!event.currentTarget.open || body.firstChild) return;
              try {
                replace(body, structure((await get("/api/crash", { report: report.id })).report));
              } catch (error) {
                replace(body, el("p", { class: "complaint" }, error.message));
              }
            },
          }, el("summary", {}, el("time", {}, `${new Date(report.endedAt).toLocaleDateString()} ${clock(report.endedAt)}`), " ", badge(report.reason, "error"), " ", report.message), body);
        }));
      })
      .catch((error) => replace(panel, el("p", { class: "complaint", role: "alert" }, error.message)));
  }

  replace(main, title, failure, tiles, content.element);

  function draw() {
    const item = figures.modules.get(id);
    const row = figures.row(id);
    replace(title, el("div", {}, el("h1", {}, id), el("p", { class: "dim" }, stateBadge(item?.state ?? row?.state), " ", row?.type ?? "",
      row?.pid ? `, process ${row.pid}` : "", row?.grants?.length ? `, granted ${row.grants.join(", ")}` : "")), actions);
    replace(failure, row?.failure ?? "");
    const tile = (name, value, more) => el("div", { class: "tile" }, el("div", { class: "name" }, name), el("div", { class: "value" }, value), more);
    replace(tiles,
      tile("Calls a second", rate(item?.rates.calls ?? 0), sparkline(item?.trail ?? [], "calls a second, in the last minute", 180, 36)),
      tile("Failed calls", item?.failedCalls ?? 0), tile("Restarts", item?.restarts ?? 0),
      tile("Memory", bytes(item?.memoryBytes)), tile("Up", duration(figures.uptime(id))),
      tile("Lock", row?.pid ? `${row.kernelSyscalls} + ${row.servedSyscalls}` : "–",
        el("div", { class: "dim" }, row?.pid ? "system calls allowed + served" : "no process")));
  }

  async function update() {
    const focused = document.activeElement?.dataset?.order;
    draw();
    try {
      if (figures.isStale) {
        await figures.refresh();
        draw();
      }
    } catch {
      figures.isStale = true;
    }
    if (focused) actions.querySelector(`[data-order="${focused}"]`)?.focus();
  }

  update();
  return { update, close: () => content.close() };
}
