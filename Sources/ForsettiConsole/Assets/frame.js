// A module's view in its frame, which names the module that draws it.

import { el, replace } from "./dom.js";
import { post } from "./api.js";
import { keep } from "./keep.js";
import { view } from "./views.js";

/**
 * A frame that asks for its view at once, and again at each `draw`.
 * `title` is what people call it; `renderer` is who draws it by what is known; `act(action, renderer)` does what it asks; `moved()` is called where
 * another module has drawn it.
 */
export function frame(viewID, parameters, { title, renderer, act, moved }) {
  const complaint = el("p", { class: "complaint", role: "alert", hidden: true });
  const body = el("div", { class: "content", tabindex: -1 }, el("p", { class: "dim" }, "Asking…"));
  const name = el("code", {}, renderer);
  const label = () => `${title}, drawn by ${renderer}`;
  const element = el("section", { class: "frame", "aria-label": label(), "data-view": viewID },
    el("header", {}, el("strong", {}, title), el("span", { class: "dim" }, " from "), name, el("span", { class: "dim" }, ` · ${viewID}`)),
    complaint, body);
  let drawn = null; // What is in the frame, as text.
  let restore = null; // Where the view is hidden by a complaint: what brings back the focus.
  let isAsking = false;
  let isStale = false;
  let isSent = false; // A form was: the module's word of what stands in its fields holds, even if it is the one before.
  let isComposing = false;
  let isClosed = false;
  // A text that is being composed (by an input method) would be cut short.
  body.addEventListener("compositionstart", () => (isComposing = true));
  body.addEventListener("compositionend", () => {
    isComposing = false;
    if (isStale) draw();
  });
  body.addEventListener("submit", () => (isSent = true));

  function show(rendered) {
    if (rendered.moduleID !== renderer) {
      renderer = rendered.moduleID;
      replace(name, renderer);
      element.setAttribute("aria-label", label());
      moved();
    }
    const text = JSON.stringify(rendered);
    if (text !== drawn || isSent) {
      restore ??= keep(body);
      isSent = false;
      replace(body, view(rendered.view, (action) => act(action, renderer)));
      drawn = text;
    }
    complaint.hidden = true;
    body.hidden = false;
    restore?.();
    restore = null;
  }

  /** Says why there is no view. The one before it stays out of sight, with all that was typed in it. */
  function complain(failure) {
    if (drawn === null) replace(body);
    else if (!body.hidden) restore = keep(body);
    replace(complaint, failure.message);
    complaint.hidden = false;
    body.hidden = true;
  }

  async function draw() {
    isStale = true;
    if (isAsking || isComposing) return;
    isAsking = true;
    while (isStale && !isClosed && !isComposing) {
      isStale = false;
      try {
        const rendered = await post("/api/render", { view: viewID, parameters });
        if (isComposing) isStale = true;
        else if (!isClosed) show(rendered);
      } catch (failure) {
        complain(failure);
      }
    }
    isAsking = false;
  }

  draw();
  return { element, draw, isDrawnBy: (moduleID) => moduleID === renderer, close: () => (isClosed = true) };
}
