// Any JSON as tables and lists, by its shape.

import { badge, el } from "./dom.js";

// The control socket's maps have no order of their own; people read what something is before why.
const first = ["moduleID", "displayName", "gate", "capability", "name", "call", "syscall", "verdict", "outcome", "answer", "conditions"];
const last = ["because", "reason", "details", "sha256", "missing"];
const rank = (key) => (first.includes(key) ? first.indexOf(key) - first.length : last.includes(key) ? 1 + last.indexOf(key) : 0);

/** Keys in the order in which people read them. */
export const ordered = (keys) => [...keys].sort((left, right) => rank(left) - rank(right));

/** A value of any shape. */
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
