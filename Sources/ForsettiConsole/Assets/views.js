// A module's view: a tree of nodes that the host knows (docs/views.md), drawn by the host. Texts are texts; a secret is
// never asked for in a module's name.

import { badge, el, notify } from "./dom.js";
import { chart } from "./charts.js";
import { settle } from "./keep.js";

/** Draws a node. `act` does what a button or a form asks: ({ type, … }) => Promise. */
export function view(node, act) {
  const draw = (child) => view(child, act);
  switch (node?.kind) {
    case "text": return styled(node);
    case "list":
      return node.style === "plain" || !node.style
        ? el("div", { class: "stack" }, rows(node.items).map((row) => (row.length > 1 ? el("div", { class: "actions" }, row.map(draw)) : draw(row[0]))))
        : el(node.style === "numbers" ? "ol" : "ul", {}, node.items.map((item) => el("li", {}, draw(item))));
    case "table":
      return el("div", { class: "scroll" }, el("table", {},
        el("thead", {}, el("tr", {}, node.columns.map((name) => el("th", { scope: "col" }, name)))),
        el("tbody", {}, node.rows.map((row) => el("tr", {}, row.map((cell) => el("td", {}, draw(cell))))))));
    case "keyValues":
      return el("dl", { class: "pairs" }, node.pairs.flatMap((pair) => [el("dt", {}, pair.key), el("dd", {}, draw(pair.value))]));
    case "form": return form(node, act);
    case "chart": return chart(node);
    case "badge": return badge(node.text, node.tone);
    case "progress": return progress(node);
    case "button": return el("button", { type: "button", onclick: (event) => press(event.currentTarget, () => act(node.action)) }, node.title);
    default: return el("p", { class: "complaint" }, "a node that this console does not know");
  }
}

/** Buttons that follow each other stand side by side, everything else by itself. */
function rows(items) {
  const rows = [];
  for (const item of items) {
    const last = rows.at(-1);
    if (item?.kind === "button" && last?.[0]?.kind === "button") last.push(item);
    else rows.push([item]);
  }
  return rows;
}

function styled(node) {
  const names = { title: "h2", heading: "h3", body: "p", caption: "p", code: "code" };
  return el(names[node.style] ?? "p", { class: node.style === "caption" ? "dim" : null }, node.text);
}

function progress(node) {
  const share = node.value === null || node.value === undefined ? null : Math.round(node.value * 100);
  return el("label", { class: "progress" }, node.label, el("progress", { max: 100, value: share }), share === null ? "" : `${share} %`);
}

/** Once at a time. The button is not disabled meanwhile, for it would lose the focus. */
async function press(button, action) {
  if (button.hasAttribute("aria-disabled")) return;
  button.setAttribute("aria-disabled", "true");
  try {
    await action();
  } catch (failure) {
    notify(failure.message, "error");
  }
  button.removeAttribute("aria-disabled");
}

let forms = 0;

function form(node, act) {
  const prefix = `form-${++forms}`;
  const controls = node.fields.map((field, index) => ({ field, control: control(field, `${prefix}-${index}`) }));
  for (const { control } of controls) settle(control);
  // What makes it this form and no other: all but what stands in its fields.
  const shape = JSON.stringify([node.eventType, node.submitTitle, node.fields.map((field) => ({ ...field, value: null }))]);
  return el("form", {
    class: "stack", "data-shape": shape, onsubmit: (event) => {
      event.preventDefault();
      const payload = {};
      for (const { field, control } of controls) {
        if (field.kind === "secret") continue;
        payload[field.fieldID] = field.kind === "toggle" ? String(control.checked) : control.value;
      }
      press(event.currentTarget.querySelector("button"), async () => {
        await act({ type: "publishEvent", eventType: node.eventType, payload });
        for (const { control } of controls) settle(control);
      });
    },
  },
    controls.map(({ field, control }) => el("div", { class: "field" },
      el("label", { for: control.id }, field.label, field.required && field.kind !== "secret" ? el("span", { class: "dim" }, " (needed)") : ""), control,
      field.kind === "secret" && el("p", { class: "warning-text" }, "This module asks for a secret. Forsetti asks for secrets itself: nothing can be typed here."))),
    el("button", { type: "submit", class: "primary" }, node.submitTitle));
}

function control(field, id) {
  const common = { id, "data-field": field.fieldID, required: field.required && field.kind !== "toggle" ? true : null };
  switch (field.kind) {
    case "multiline": return el("textarea", { ...common, rows: 4 }, field.value);
    case "secret": return el("input", { id, type: "text", disabled: true, placeholder: "not asked here" });
    case "number": return el("input", { ...common, type: "number", step: "any", value: field.value });
    case "toggle": return el("input", { ...common, type: "checkbox", checked: field.value === "true" ? true : null });
    case "choice": return el("select", common, field.choices.map((choice) => el("option", { value: choice, selected: choice === field.value ? true : null }, choice)));
    default: return el("input", { ...common, type: "text", value: field.value, autocomplete: "off" });
  }
}
