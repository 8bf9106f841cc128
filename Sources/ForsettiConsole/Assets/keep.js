// What a person has typed, and the focus, outlive a view that is drawn anew under them.
//
// A form is the same form as long as the heading above it, its row of a table, its button and its fields are. Two that are
// alike in all of that are told apart by nothing, so nothing is carried over between them: what was typed for one thing must never stand
// beside another.

/** What each field had when it was drawn or sent: whatever it has besides, a person has typed. */
const settled = new WeakMap();

const valueOf = (control) => (control.type === "checkbox" ? String(control.checked) : control.value);

/** Takes what a field has now as no longer new: it was drawn so, or it has been sent. */
export const settle = (control) => settled.set(control, valueOf(control));

function put(control, value) {
  if (control.type === "checkbox") control.checked = value === "true";
  else if (control.tagName !== "SELECT" || [...control.options].some((option) => option.value === value)) control.value = value;
}

/** Everything that can have the focus, by what it is for; what is there twice is left out. */
function controls(body) {
  const found = new Map();
  const add = (key, control) => found.set(key, found.has(key) ? null : control);
  let heading = "";
  for (const element of body.querySelectorAll("h2, h3, form, button, summary")) {
    const place = [heading, element.closest("tr")?.textContent];
    if (element.tagName === "FORM") {
      for (const control of element.querySelectorAll("[data-field]")) add(JSON.stringify([...place, element.dataset.shape, control.dataset.field]), control);
    } else if (element.tagName.startsWith("H")) {
      heading = element.textContent;
    } else {
      add(JSON.stringify([...place, element.tagName, element.textContent]), element);
    }
  }
  return found;
}

/** Looks at a view before it goes. What comes back puts all that was typed, and the focus, into the one in its place. */
export function keep(body) {
  const typed = [];
  let focus = null;
  for (const [key, control] of controls(body)) {
    if (!control) continue;
    if (settled.has(control) && settled.get(control) !== valueOf(control)) typed.push([key, valueOf(control)]);
    if (control === document.activeElement) focus = { key, start: control.selectionStart, end: control.selectionEnd };
  }
  const hadFocus = body.contains(document.activeElement);
  return () => {
    const now = controls(body);
    for (const [key, value] of typed) if (now.get(key)) put(now.get(key), value);
    // Somebody who has gone elsewhere meanwhile is left there.
    if (!hadFocus || (document.activeElement !== document.body && !body.contains(document.activeElement))) return;
    const control = focus && now.get(focus.key);
    // Where it is gone the view itself is the next best place: what follows by Tab is still near.
    (control ?? body).focus({ preventScroll: true });
    // Numbers have no selection.
    if (control && focus.start != null) control.setSelectionRange(focus.start, focus.end);
  };
}
