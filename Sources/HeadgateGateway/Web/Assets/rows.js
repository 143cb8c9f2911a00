// Tables that are shown again and again: what has not changed stays the same node, with what the reader has selected in it.

import { element } from "./dom.js";

/** Shows these rows and no others, in this order: `{key, title, cells: [{text, style}]}`, each with a key of its own. */
export function showRows(body, rows) {
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

/** Leaves a text alone that is there already. */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}
