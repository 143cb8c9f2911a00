// Tables that are shown again and again: what has not changed stays the same node, with what the reader has selected
// in it.

import { element } from "./dom.js";

/**
 * Shows these rows and no others, in this order: `{key, title, cells: [{text, style, act, label}]}`, known again by
 * their keys. The text of a cell with `act` is a button that calls it, and is told as `label`.
 */
export function showRows(body, given) {
  const rows = numbered(given);
  const labels = [...body.closest("table")?.tHead?.rows[0].cells ?? []].map((cell) => cell.textContent);
  const keys = new Set(rows.map(({ key }) => key));
  const known = new Map([...body.children].map((node) => [node.dataset.key, node]));
  for (const [key, node] of known) if (!keys.has(key)) node.remove();
  for (const [index, row] of rows.entries()) {
    const node = known.get(row.key) ?? emptyRow(row, labels);
    for (const [place, { text, style = "", act, label }] of row.cells.entries()) {
      const cell = node.children[place];
      setText(act ? cell.firstChild : cell, text);
      if (act) {
        cell.firstChild.onclick = act;
        if (cell.firstChild.ariaLabel !== label) cell.firstChild.ariaLabel = label;
      }
      if (cell.className !== style) cell.className = style;
    }
    if (row.title && node.title !== row.title) node.title = row.title;
    if (body.children[index] !== node) body.insertBefore(node, body.children[index] ?? null);
  }
}

/** The roles are said because a narrow page shows rows as blocks, each cell with its label. */
function emptyRow({ key, cells }, labels) {
  return element("tr", { "data-key": key, role: "row" }, ...cells.map(({ act }, place) =>
    element("td", { role: "cell", "data-label": labels[place] },
      act ? element("button", { type: "button", class: "quiet" }) : null)));
}

/** Keys that repeat are numbered, from the last row as the oldest: a client may give all its requests the same id. */
function numbered(rows) {
  const seen = new Map();
  return [...rows].reverse().map((row) => {
    const count = (seen.get(row.key) ?? 0) + 1;
    seen.set(row.key, count);
    return count === 1 ? row : { ...row, key: `${row.key} ${count}` };
  }).reverse();
}

/** Leaves a text alone that is there already. */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}
