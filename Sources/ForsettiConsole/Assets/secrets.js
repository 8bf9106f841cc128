// What modules must be told in secret, in the policy's words: the host asks here, and no module ever draws such a field.

import { el, notify, replace, stateBadge } from "./dom.js";
import { get, post } from "./api.js";

const secretKinds = ["secret", "multilineSecret"];

/** What the policy asks for; asked anew after a reload. A form that is asked for as before stays, with what was typed in it. */
export function secretsPage(main, figures) {
  const list = el("div", { class: "stack" });
  const forms = new Map(); // What is drawn, by all that the policy says of it.
  let [reloads, isClosed, count] = [null, false, 0];
  replace(main, el("h1", {}, "Secrets"),
    el("p", { class: "dim" }, "What you enter goes to the module that is named, which verifies it and keeps it. Nobody can read it here afterwards."), list);

  function show(secrets) {
    const asked = secrets.map(({ state, ...secret }) => ({ key: JSON.stringify(secret), secret, state }));
    list.querySelectorAll(":scope > p").forEach((word) => word.remove());
    for (const [key, { section }] of forms) {
      if (asked.some((one) => one.key === key)) continue;
      clear(section);
      section.remove();
      forms.delete(key);
    }
    for (const [place, { key, secret, state }] of asked.entries()) {
      if (!forms.has(key)) forms.set(key, form(secret, state, count++));
      const { section } = forms.get(key);
      // One that stays in its place keeps the focus too.
      if (list.children[place] !== section) list.insertBefore(section, list.children[place] ?? null);
    }
    if (!secrets.length) replace(list, el("p", { class: "dim" }, "The policy asks for nothing in secret."));
  }

  async function update() {
    for (const { moduleID, mark } of forms.values()) mark(figures.modules.get(moduleID)?.state);
    if (reloads === figures.own.reloads) return;
    const asking = reloads = figures.own.reloads;
    try {
      const { secrets } = await get("/api/secrets");
      if (!isClosed && reloads === asking) show(secrets);
    } catch (failure) {
      if (!isClosed && reloads === asking) list.prepend(el("p", { class: "complaint", role: "alert" }, failure.message));
    }
  }

  update();
  return {
    update,
    close() {
      isClosed = true;
      clear(list);
    },
  };
}

/** Nothing that was typed stays in a page that is gone. */
const clear = (element) => element.querySelectorAll("input, textarea").forEach((field) => { field.value = ""; });

function form(secret, state, index) {
  const controls = secret.fields.map((field, place) => ({ field, control: control(field, `secret-${index}-${place}`) }));
  const complaint = el("p", { class: "complaint", role: "alert" });
  const button = el("button", { type: "submit", class: "primary" }, "Hand over");
  const title = `secret-${index}`;
  let marked = state;
  const place = el("span", {}, stateBadge(state));
  const mark = (next) => {
    if (next === undefined || next === marked) return;
    marked = next;
    replace(place, stateBadge(next));
  };
  const section = el("section", { class: "card", "aria-labelledby": title },
    el("h2", { id: title }, secret.title),
    el("p", { class: "dim" }, "For ", el("code", {}, secret.moduleID), " ", place),
    el("form", {
      class: "stack", autocomplete: "off", "data-secret": secret.secretID, onsubmit: async (event) => {
        event.preventDefault();
        if (button.hasAttribute("aria-disabled")) return;
        button.setAttribute("aria-disabled", "true");
        replace(complaint);
        const values = Object.fromEntries(controls.map(({ field, control }) => [field.fieldID, control.value]));
        try {
          const answer = await post("/api/setSecret", { secretID: secret.secretID, values });
          event.target.reset();
          notify(`${answer.moduleID} has taken it`, "success");
        } catch (failure) {
          replace(complaint, [failure.message, ...(failure.details ?? [])].join(" – "));
        }
        // Whatever came of it, nothing secret stays in the page.
        for (const { field, control } of controls) if (secretKinds.includes(field.kind)) control.value = "";
        button.removeAttribute("aria-disabled");
      },
    },
      controls.map(({ field, control }) => el("div", { class: "field" },
        el("label", { for: control.id }, field.label, field.required ? el("span", { class: "dim" }, " (needed)") : ""), control, note(field, control))),
      complaint, button));
  return { section, moduleID: secret.moduleID, mark };
}

/** What belongs to a field and is told before it is too late: a browser leaves line ends out of a field of one line. */
function note(field, control) {
  if (field.kind === "multilineSecret") return el("p", { class: "dim", id: control.getAttribute("aria-describedby") }, "Several lines, such as a key of PEM, with all its lines. They are not shown.");
  if (field.kind !== "secret") return null;
  const complaint = el("p", { class: "warning-text", role: "alert" });
  control.addEventListener("paste", (event) => {
    const isLines = /[\r\n]/.test((event.clipboardData?.getData("text") ?? "").trim());
    if (isLines) event.preventDefault();
    replace(complaint, isLines ? "That has several lines, and this field takes one. Give it by forsetti-supervisor secret set --stdin, or let the policy call the field a multilineSecret." : "");
  });
  return complaint;
}

function control(field, id) {
  const common = { id, "data-field": field.fieldID, required: field.required };
  switch (field.kind) {
    case "choice":
      return el("select", common, field.required ? [] : el("option", { value: "" }, "–"),
        field.choices.map((choice) => el("option", { value: choice }, choice)));
    // Of passwords browsers heed this word alone: it is none that they know.
    case "secret": return el("input", { ...common, type: "password", autocomplete: "new-password", spellcheck: "false" });
    case "multilineSecret":
      return el("textarea", { ...common, class: "masked", rows: 8, cols: 66, autocomplete: "off", autocapitalize: "off", spellcheck: "false", wrap: "off", "aria-describedby": `${id}-note` });
    default: return el("input", { ...common, type: "text", autocomplete: "off", spellcheck: "false" });
  }
}
