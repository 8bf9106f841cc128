// The first screen: where the boot stands (seed "Runtime Bootstrap": loading, ready or failed with Retry).

import { el, replace } from "./dom.js";
import { get, post } from "./api.js";

const shield = () =>
  el("svg", { viewBox: "0 0 24 24", class: "shield", "aria-hidden": "true" },
    el("path", { d: "M12 2 3 6v6c0 5 3.8 8.6 9 10 5.2-1.4 9-5 9-10V6z" }),
    el("path", { d: "M7 10h10M12 7v10M7 10l-1.8 4h3.6zM17 10l-1.8 4h3.6z" }));

/** Booting, or waiting for a supervisor that does not answer. */
export function showLoading(main, title, detail) {
  replace(main,
    el("section", { class: "alone", "aria-labelledby": "boot-title" }, shield(),
      el("h1", { id: "boot-title" }, title),
      el("div", { class: "runner", role: "progressbar", "aria-label": title }),
      el("p", { class: "dim" }, detail)));
}

/** The boot failed: why, and the button that tries again; `retried` is called once it does. */
export async function showFailure(main, retried) {
  let lines = [];
  try {
    lines = [(await get("/api/health")).failure ?? "It does not say why."];
  } catch (failure) {
    lines = [failure.message];
  }
  const complaint = el("p", { class: "complaint", role: "alert" });
  const retry = el("button", { class: "primary", type: "button", id: "retry" }, "Retry");
  retry.addEventListener("click", async () => {
    retry.disabled = true;
    complaint.replaceChildren();
    try {
      await post("/api/retry");
      retried();
      showLoading(main, "Booting again", "Modules are checked, locked and started one after the other.");
    } catch (failure) {
      retry.disabled = false;
      replace(complaint, failure.message);
    }
  });
  replace(main,
    el("section", { class: "alone failed", "aria-labelledby": "boot-title" }, shield(),
      el("h1", { id: "boot-title" }, "The boot failed"),
      el("p", { class: "dim" }, "Nothing runs: what had been started was stopped again."),
      el("pre", { class: "errors", id: "boot-error", role: "alert" }, lines.join("\n")),
      el("p", { class: "dim" }, "Mend what it names, then try again. The supervisor stays for you."),
      retry, complaint));
  retry.focus();
}

/** Asks for the token; `enter` signs in with it. */
export function showSignIn(main, enter, message) {
  const field = el("input", {
    id: "token", name: "token", type: "text", autocomplete: "off", spellcheck: "false", required: true,
    "aria-describedby": "token-help",
  });
  const complaint = el("p", { class: "complaint", role: "alert", id: "sign-in-error" }, message);
  const form = el("form", {
    class: "stack", onsubmit: async (event) => {
      event.preventDefault();
      try {
        await enter(field.value.trim());
      } catch (failure) {
        replace(complaint, failure.message);
        field.focus();
      }
    },
  },
    el("label", { for: "token" }, "Token"), field,
    el("p", { class: "dim", id: "token-help" }, "It is at the end of the address that ",
      el("code", {}, "forsetti-supervisor console --url"), " prints."),
    el("button", { class: "primary", type: "submit" }, "Sign in"), complaint);
  replace(main,
    el("section", { class: "alone", "aria-labelledby": "sign-in-title" }, shield(),
      el("h1", { id: "sign-in-title" }, "Sign in to Forsetti"), form));
  field.focus();
}
