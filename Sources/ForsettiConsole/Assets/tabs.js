// Tabs, by the keys that WAI-ARIA gives them.

import { el } from "./dom.js";

/**
 * Each entry is a name, what fills its panel, and whether `renew` fills it again. What fills it is told whether it does so again,
 * and returns what ends it, if anything does.
 */
export function tabs(label, entries) {
  const panel = el("div", { role: "tabpanel", id: "tabpanel", tabindex: 0, class: "card" });
  let close = () => {};
  let chosen = 0;
  const steps = { ArrowRight: (index) => index + 1, ArrowLeft: (index) => index - 1, Home: () => 0, End: () => -1 };
  const buttons = entries.map(([name], index) =>
    el("button", {
      type: "button", role: "tab", id: `tab-${index}`, "aria-controls": "tabpanel", onclick: () => choose(index),
      onkeydown: (event) => {
        const step = steps[event.key];
        if (!step) return;
        event.preventDefault();
        choose((step(index) + entries.length) % entries.length, true);
      },
    }, name));
  function choose(index, moves = false) {
    close();
    chosen = index;
    buttons.forEach((button, place) => {
      button.setAttribute("aria-selected", place === index);
      button.tabIndex = place === index ? 0 : -1;
    });
    panel.setAttribute("aria-labelledby", `tab-${index}`);
    if (moves) buttons[index].focus();
    close = entries[index][1](panel) ?? (() => {});
  }
  function renew() {
    const [, fill, isRenewed] = entries[chosen];
    if (!isRenewed) return;
    close();
    close = fill(panel, true) ?? (() => {});
  }
  choose(0);
  return { element: [el("div", { role: "tablist", "aria-label": label, class: "tabs" }, buttons), panel], renew, close: () => close() };
}
