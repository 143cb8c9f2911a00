// Tables and lists that are shown again and again: what has not changed stays the same node, with what the reader has
// selected in it.

import { element } from "./dom.js";

/**
 * Shows these rows and no others, in this order: `{key, title, style, cells: [{text, style, act, label, meter}]}`,
 * known again by their keys. The text of a cell with `act` is a button that calls it, and is read out as `label`;
 * `meter` is the part of a bar below the text that is full.
 */
export function showRows(body, rows) {
  const labels = [...body.closest("table")?.tHead?.rows[0].cells ?? []].map((cell) => cell.textContent);
  show(body, rows, (row) => emptyRow(row, labels), (node, { cells }) => {
    for (const [place, { text, style = "", act, label, meter }] of cells.entries()) {
      const cell = node.children[place];
      setText(act || meter !== undefined ? cell.firstChild : cell, text);
      if (act) {
        cell.firstChild.onclick = act;
        if (cell.firstChild.ariaLabel !== label) cell.firstChild.ariaLabel = label;
      }
      if (meter !== undefined) cell.lastChild.value = meter;
      // What is too long for its column ends in dots.
      if (style === "name" && cell.title !== text) cell.title = text;
      if (cell.className !== style) cell.className = style;
    }
  });
}

/** The same for a list: `{key, parts: [{text, style}], meter}`. */
export function showItems(list, items) {
  const empty = ({ key, parts, meter }) => element("li", { "data-key": key }, ...parts.map(() => element("span")),
    meter === undefined ? null : element("meter", { max: 1, "aria-label": parts[0].text }));
  show(list, items, empty, (node, { parts, meter }) => {
    for (const [place, { text, style = "" }] of parts.entries()) {
      setText(node.children[place], text);
      if (node.children[place].className !== style) node.children[place].className = style;
    }
    if (meter !== undefined) node.lastChild.value = meter;
  });
}

function show(place, given, empty, fill) {
  const rows = numbered(given);
  const keys = new Set(rows.map(({ key }) => key));
  const known = new Map([...place.children].map((node) => [node.dataset.key, node]));
  for (const [key, node] of known) if (!keys.has(key)) node.remove();
  for (const [index, row] of rows.entries()) {
    const node = known.get(row.key) ?? empty(row);
    fill(node, row);
    if (row.title && node.title !== row.title) node.title = row.title;
    if (row.style !== undefined && node.className !== row.style) node.className = row.style;
    if (place.children[index] !== node) place.insertBefore(node, place.children[index] ?? null);
  }
}

/** The roles are said because a narrow page shows rows as blocks, each cell with its label. */
function emptyRow({ key, cells }, labels) {
  return element("tr", { "data-key": key, role: "row" }, ...cells.map(({ act, meter, text }, place) =>
    element("td", { role: "cell", "data-label": labels[place] },
      act ? element("button", { type: "button", class: "quiet" }) : meter === undefined ? null : element("span"),
      meter === undefined ? null : element("meter", { max: 1, "aria-label": text }))));
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
