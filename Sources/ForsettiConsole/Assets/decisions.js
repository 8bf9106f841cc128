// What the policy decided of a module, and which line of it says so; and why a module does not run.

import { badge, bytes, el } from "./dom.js";

const tones = {
  granted: "success", unlocked: "success", passed: "success", leftOut: "warning", denied: "error", locked: "error", failed: "error",
};
const words = { leftOut: "left out" };

const groups = [
  ["capability", "Capabilities", "The manifest asks for none."],
  ["entitlement", "Entitlement"],
  ["registration", "Registration"],
  ["setting", "Limits and other settings"],
];

/** A number of a setting in the units that its key names. */
function inUnits(key, value) {
  if (!/^\d+$/.test(value)) return value;
  const number = Number(value);
  if (/Bytes$/.test(key)) return bytes(number);
  if (/BytesPerSecond$/i.test(key)) return `${bytes(number)} a second`;
  if (/PerSecond$/.test(key)) return `${number} a second`;
  if (/Seconds$/.test(key) && !/Milliseconds$/.test(key)) return `${number} s`;
  if (/Percent$/.test(key)) return `${number} %`;
  if (!/Milliseconds(\.|$)/.test(key)) return value;
  if (number < 1000) return `${number} ms`;
  return number % 60000 === 0 ? `${number / 60000} min` : `${number / 1000} s`;
}

const source = (item) =>
  item.source ? el("code", {}, item.source)
    : el("span", { class: "dim" }, item.kind === "capability" ? "nothing is said, which denies" : item.kind === "setting" ? "the build's default" : "nothing is said");

const outcome = (item) =>
  item.kind === "setting" || item.kind === "registration"
    ? el("span", {}, inUnits(item.name, item.outcome))
    : badge(words[item.outcome] ?? item.outcome, tones[item.outcome]);

function table(name, items) {
  return el("div", { class: "scroll", role: "region", "aria-label": name, tabindex: 0 }, el("table", { class: "dense decisions" },
    el("thead", {}, el("tr", {}, ["What", "Decision", "Said by", "Why"].map((column) => el("th", { scope: "col" }, column)))),
    el("tbody", {}, items.map((item) => el("tr", {},
      el("th", { scope: "row" }, el("code", {}, item.name)), el("td", {}, outcome(item)), el("td", {}, source(item)), el("td", {}, item.reason || el("span", { class: "dim" }, "–")))))));
}

/** The decisions, by what they are of. */
export function decisionList(decisions) {
  return groups.map(([kind, title, none]) => {
    const items = decisions.filter((item) => item.kind === kind);
    if (items.length === 0 && !none) return null;
    return [el("h2", {}, title), items.length ? table(title, items) : el("p", { class: "dim" }, none)];
  });
}

/** The gates of an activation, each passed or not. */
export const gateList = (gates) =>
  el("ol", { class: "gates" }, gates.map((gate) => el("li", {}, badge(gate.outcome, tones[gate.outcome]), " ", el("strong", {}, gate.gate), " – ", gate.reason)));

// What the ways out, which are worded for a terminal, come to on this page.
const here = {
  quarantined: "On this page: Reset lets it out and starts it again. Its log and its crash reports are below.",
  failed: "On this page: Activate tries again. Its log and its crash reports are below.",
  restarting: "It is started again by itself; Restart does not wait for that.",
  discovered: "On this page: Activate starts it.",
  refused: "After that, `reload` in a terminal reads it anew; what comes of it is on this page.",
};

/** Why a module does not run, and what to do; nothing for one that does. */
export function standstill(dossier) {
  if (!dossier.fault) return null;
  const failed = dossier.gates.filter((gate) => gate.outcome === "failed");
  return el("section", { class: "card standstill", "aria-labelledby": "standstill" },
    el("h2", { id: "standstill" }, "Why it does not run"),
    el("p", {}, `It is ${dossier.state}: ${dossier.fault}.`),
    el("p", {}, el("strong", {}, "What to do: "), `${dossier.wayOut}. ${here[dossier.state] ?? ""}`),
    failed.length > 0 && [el("p", {}, "An activation would fail here:"), gateList(failed)]);
}

/** The manifest, as the supervisor reads it. */
export const manifestText = (dossier) =>
  dossier.manifest
    ? [
      el("dl", { class: "pairs" }, [["File", dossier.file], ["SHA-256 of its canonical form", dossier.sha256], ["Code", dossier.origin]].flatMap(([name, value]) =>
        [el("dt", {}, name), el("dd", {}, el("code", {}, value))])),
      dossier.warnings.length > 0 && [el("h2", {}, "Warnings"), el("ul", {}, dossier.warnings.map((warning) => el("li", {}, warning)))],
      el("h2", {}, "Text"),
      el("pre", { class: "manifest", tabindex: 0, role: "region", "aria-label": "The manifest's text" }, dossier.manifest),
      el("p", { class: "dim" }, "As the supervisor reads it; keys that it does not know are left out."),
    ]
    : el("p", { class: "dim" }, dossier.file ? `It was not read: ${dossier.file}` : "There is none.");
