// A long table of which only the rows in sight are there, and of those only the cells that changed are drawn.

import { el, replace } from "./dom.js";

/** Pixels of a row, as the style sheet has it. */
const rowHeight = 45;
/** Rows above and below those in sight, so that a short scroll shows no gap. */
const spare = 12;

/**
 * The rows of a table's body in a scroller. A column has `text(row)`, which changes when its cell does, and `draw(row)` where
 * the cell is more than its text.
 */
export function windowedRows(scroller, body, columns) {
  let rows = [];
  let isAwaitingFrame = false;
  const drawn = new Map(); // What is in sight, by the row's ID.
  const [above, below] = [gap(), gap()];
  body.append(above, below);
  scroller.addEventListener("scroll", () => {
    if (isAwaitingFrame) return;
    isAwaitingFrame = true;
    requestAnimationFrame(() => {
      isAwaitingFrame = false;
      draw();
    });
  });

  function gap() {
    return el("tr", { class: "gap", "aria-hidden": "true", hidden: true }, el("td", { colspan: columns.length }));
  }

  function open(element, count) {
    element.hidden = count <= 0;
    element.firstChild.style.height = `${Math.max(0, count) * rowHeight}px`;
  }

  function make(id) {
    const cells = columns.map((column, place) => el(place === 0 ? "th" : "td", { class: column.class, scope: place === 0 ? "row" : null }));
    return { element: el("tr", { "data-id": id }, cells), cells, texts: [] };
  }

  function fill(line, row, index) {
    if (line.index !== index) line.element.setAttribute("aria-rowindex", index + 2);
    line.index = index;
    columns.forEach((column, place) => {
      const text = column.text(row);
      if (line.texts[place] === text) return;
      line.texts[place] = text;
      replace(line.cells[place], column.draw ? column.draw(row) : text);
    });
  }

  function draw() {
    // Looked at before anything is changed, so that the browser lays the page out once.
    const first = Math.max(0, Math.floor(scroller.scrollTop / rowHeight) - spare);
    const last = Math.min(rows.length, first + Math.ceil(scroller.clientHeight / rowHeight) + 2 * spare);
    const focused = body.contains(document.activeElement) ? document.activeElement : null;
    const inSight = rows.slice(first, last);
    const wanted = new Set(inSight.map((row) => row.id));
    for (const [id, line] of drawn) {
      if (wanted.has(id)) continue;
      line.element.remove();
      drawn.delete(id);
    }
    let before = above;
    inSight.forEach((row, place) => {
      const line = drawn.get(row.id) ?? make(row.id);
      drawn.set(row.id, line);
      fill(line, row, first + place);
      if (before.nextSibling !== line.element) before.after(line.element);
      before = line.element;
    });
    open(above, first);
    open(below, rows.length - last);
    // A row that has moved has lost it.
    if (focused?.isConnected && document.activeElement !== focused) focused.focus({ preventScroll: true });
  }

  return {
    show(all) {
      rows = all;
      draw();
    },
  };
}
