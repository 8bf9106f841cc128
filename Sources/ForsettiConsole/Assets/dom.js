// Elements and texts. Whatever a module, a file or a person wrote goes through `text` or `plain`: it becomes text, never
// markup, and what reorders or hides text is shown by its number.

const unfit = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu;

const number = (character) => "U+" + character.codePointAt(0).toString(16).toUpperCase().padStart(4, "0");

/** A text node, or a fragment where some characters must be made visible. */
export function text(value) {
  const string = String(value ?? "");
  if (string.search(unfit) < 0) return document.createTextNode(string);
  const fragment = document.createDocumentFragment();
  let last = 0;
  for (const match of string.matchAll(unfit)) {
    fragment.append(string.slice(last, match.index));
    const mark = document.createElement("span");
    mark.className = "unfit";
    mark.textContent = number(match[0]);
    fragment.append(mark);
    last = match.index + match[0].length;
  }
  fragment.append(string.slice(last));
  return fragment;
}

/** A text for an attribute, made visible too. */
export const plain = (value) => String(value ?? "").replace(unfit, (character) => `\u27e8${number(character)}\u27e9`);

/** An element. Properties beginning with "on" are listeners; strings among the children are texts. */
export function el(name, properties = {}, ...children) {
  const namespace = svgNames.has(name) ? "http://www.w3.org/2000/svg" : "http://www.w3.org/1999/xhtml";
  const element = document.createElementNS(namespace, name);
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? "" : plain(value));
  }
  append(element, children);
  return element;
}

const svgNames = new Set(["svg", "path", "polyline", "rect", "circle", "g", "line", "title"]);

/** Adds children; lists are flattened, nothing is left out but null and undefined. */
export function append(element, children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : text(child));
  }
}

/** Puts children in the place of all there are. */
export function replace(element, ...children) {
  element.replaceChildren();
  append(element, children);
  return element;
}

/** Tells what happened, to eyes and to screen readers. */
export function notify(message, tone = "info") {
  const notice = el("div", { class: `notice ${tone}` }, message);
  document.getElementById("notices").append(notice);
  setTimeout(() => notice.remove(), tone === "error" ? 12000 : 5000);
}

/** A word that stands out. */
export const badge = (word, tone = "neutral") => el("span", { class: `badge ${tone}` }, word);

const tones = {
  active: "success", ready: "success", starting: "info", booting: "info", stopping: "info", restarting: "warning",
  backingOff: "warning", waiting: "warning", failed: "error", quarantined: "error", crashed: "error",
};

/** The state of a module or of the supervisor. */
export const stateBadge = (state) => badge(state || "unknown", tones[state] ?? "neutral");

// Figures for people.

/** Bytes, in powers of 1,024. */
export function bytes(count) {
  if (count === null || count === undefined) return "–";
  const units = ["B", "KiB", "MiB", "GiB"];
  let [value, unit] = [count, 0];
  while (value >= 1024 && unit < units.length - 1) [value, unit] = [value / 1024, unit + 1];
  return `${value >= 100 || unit === 0 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}

/** The two greatest units of a duration. */
export function duration(milliseconds) {
  if (milliseconds === null || milliseconds === undefined) return "–";
  const seconds = Math.floor(milliseconds / 1000);
  const parts = [
    [Math.floor(seconds / 86400), "d"], [Math.floor(seconds / 3600) % 24, "h"],
    [Math.floor(seconds / 60) % 60, "min"], [seconds % 60, "s"],
  ];
  const first = parts.findIndex(([value]) => value > 0);
  return first < 0 ? "0 s" : parts.slice(first, first + 2).map(([value, unit]) => `${value} ${unit}`).join(" ");
}

/** A rate: whole from ten up. */
export const rate = (value) =>
  value >= 1000 ? `${(value / 1000).toFixed(1)} k` : value >= 10 || value === 0 ? String(Math.round(value)) : value.toFixed(1);

/** A time of day. */
export const clock = (milliseconds) => new Date(milliseconds).toLocaleTimeString([], { hour12: false });
