// Tables that are shown again and again: what has not changed stays the same node, with what the reader has selected in it.

import { element } from "./dom.js";

/** Shows these rows and no others, in this order: `{key, title, cells: [{text, style}]}`, known again by their keys. */
export function showRows(body, given) {
  const rows = numbered(given);
  const keys = new Set(rows.map(({ key }) => key));
  const known = new Map([...body.children].map((node) => [node.dataset.key, node]));
  for (const [key, node] of known) if (!keys.has(key)) node.remove();
  for (const [index, row] of rows.entries()) {
    const node = known.get(row.key) ?? element("tr", { "data-key": row.key }, ...row.cells.map(() => element("td")));
    for (const [place, { text, style = "" }] of row.cells.entries()) {
      const cell = node.children[place];
      setText(cell, text);
      if (cell.className !== style) cell.className = style;
    }
    if (row.title && node.title !== row.title) node.title = row.title;
    if (body.children[index] !== node) body.insertBefore(node, body.children[index] ?? null);
  }
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
