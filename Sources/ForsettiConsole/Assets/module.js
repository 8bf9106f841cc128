// One module: what it does now, why it does not run where it does not, what the policy decided of it and where, its manifest,
// what holds it, its log, its crashes.

import { badge, bytes, clock, duration, el, notify, rate, replace, stateBadge } from "./dom.js";
import { get, post } from "./api.js";
import { sparkline } from "./charts.js";
import { decisionList, gateList, manifestText, standstill } from "./decisions.js";
import { followLog } from "./feeds.js";
import { ordered, structure } from "./structure.js";
import { tabs } from "./tabs.js";

const orders = [["activate", "Activate"], ["deactivate", "Deactivate"], ["restart", "Restart"], ["reset", "Reset"]];

/** Fills a panel with what is answered, unless another tab has taken it meanwhile. What it shows stays until a newer answer. */
function asked(ask, draw) {
  return (panel, isAgain = false) => {
    let isClosed = false;
    const show = (...content) => isClosed || replace(panel, content);
    if (!isAgain) show(el("p", { class: "dim", role: "status" }, "Asking…"));
    ask().then((answer) => show(draw(answer))).catch((error) => show(el("p", { class: "complaint", role: "alert" }, error.message)));
    return () => (isClosed = true);
  };
}

const sandbox = ({ report }) =>
  ordered(Object.keys(report)).filter((key) => ["plan", "missing", "filterInstructions"].includes(key)).map((key) => [el("h2", {}, key), structure(report[key])]);

function crashReport(report) {
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
}

function crashList(id, all) {
  const own = all.filter((report) => report.moduleID === id);
  return own.length ? own.map(crashReport) : el("p", { class: "dim" }, "It never ended unasked.");
}

export function modulePage(main, figures, id) {
  const facts = el("p", { class: "dim" });
  const why = el("div", {});
  const tiles = el("div", { class: "tiles" });
  const actions = el("div", { class: "actions", role: "group", "aria-label": "Steer the module" },
    orders.map(([name, word]) => el("button", { type: "button", "data-order": name, onclick: (event) => order(name, event.currentTarget) }, word)));
  let dossier = null; // The latest answer that tells of it, as a promise.
  let told = null; // The state that `why` is of, and how many reloads there had been.
  let detail = null; // Its row of `status`, with what takes a look at its process.
  let known = null; // Where it stands by that answer: a bundle that is refused is in no figures.
  let isClosed = false;

  /** Once at a time. The button is not disabled meanwhile, for it would lose the focus. */
  async function order(name, button) {
    if (button.hasAttribute("aria-disabled")) return;
    button.setAttribute("aria-disabled", "true");
    try {
      const answer = await post(`/api/${name}`, { module: id });
      notify(`${id} is ${answer.state ?? "gone"}`, "success");
    } catch (error) {
      notify([error.message, ...error.details].join(" – "), "error");
    }
    button.removeAttribute("aria-disabled");
    figures.isStale = true;
    [told, dossier] = [null, null];
    content.renew();
    update();
  }

  const ask = () => (dossier ??= get("/api/module", { module: id }));
  const content = tabs("About the module", [
    ["Decisions", asked(ask, (answer) => [decisionList(answer.decisions), answer.gates.length > 0 && [el("h2", {}, "Gates of an activation"), gateList(answer.gates)]]), true],
    ["Manifest", asked(ask, manifestText), true],
    ["Sandbox", asked(() => get("/api/explain", { module: id }), sandbox), true],
    ["Log", (panel) => {
      const log = followLog(id);
      replace(panel, log.list);
      return log.close;
    }],
    ["Crashes", asked(() => get("/api/crashes"), (all) => crashList(id, all))],
  ]);
  replace(main, el("div", { class: "title" }, el("div", {}, el("h1", {}, id), facts), actions), why, tiles, content.element);

  /** Says why it does not run, anew with each state, and after a reload, which may have changed the reason. */
  async function explain(state) {
    const reloads = figures.own.reloads;
    if (told?.state === state && told.reloads === reloads) return;
    if (told) dossier = null;
    if (told && told.reloads !== reloads) content.renew();
    const asking = told = { state, reloads };
    try {
      const [answer, status] = await Promise.all([ask(), get("/api/status", { module: id }).catch(() => null)]);
      if (isClosed || told !== asking) return;
      known = answer.state;
      detail = status?.modules[0] ?? null;
      replace(why, standstill(answer));
    } catch (error) {
      if (isClosed || told !== asking) return;
      dossier = null;
      replace(why, el("p", { class: "complaint", role: "alert" }, error.message));
    }
  }

  function draw() {
    const item = figures.modules.get(id);
    const row = figures.row(id);
    const state = item?.state ?? row?.state ?? known;
    replace(facts, stateBadge(state), " ", row?.type ?? "", row?.pid ? `, process ${row.pid}` : "", row?.grants?.length ? `, granted ${row.grants.join(", ")}` : "");
    const tile = (name, value, more) => el("div", { class: "tile" }, el("div", { class: "name" }, name), el("div", { class: "value" }, value), more);
    replace(tiles,
      tile("Calls a second", rate(item?.rates.calls ?? 0), sparkline(item?.trail ?? [], "calls a second, in the last minute", 180, 36)),
      tile("Failed calls", item?.failedCalls ?? 0), tile("Restarts", item?.restarts ?? 0),
      tile("Memory", bytes(item?.memoryBytes)), tile("Up", duration(figures.uptime(id))),
      tile("Lock", row?.pid ? `${row.kernelSyscalls} + ${row.servedSyscalls}` : "–",
        el("div", { class: "dim" }, row?.pid ? `system calls allowed + served; ${detail?.threads ?? "–"} threads, ${detail?.openFileDescriptors ?? "–"} descriptors` : "no process")));
    return explain(state ?? "unknown");
  }

  async function update() {
    draw();
    if (!figures.isStale) return;
    try {
      await figures.refresh();
      if (!isClosed) draw();
    } catch {
      figures.isStale = true;
    }
  }

  update();
  return {
    update,
    close() {
      isClosed = true;
      content.close();
    },
  };
}
