// Formulas as MathML. The library only makes a tree of them: elements and attributes are those of this list, and every
// word enters the page as a text node. Without the library, or where it understands nothing, a formula is its source.

import { element, formula } from "./dom.js";
import { letters } from "./math-letters.js";

const elements = new Set(`math mrow mi mn mo ms mtext mspace msub msup msubsup munder mover munderover mfrac msqrt mroot
  mtable mtr mtd mpadded mphantom menclose mstyle`.split(/\s+/));
const attributes = new Set(`display stretchy fence separator lspace rspace minsize maxsize accent accentunder
  displaystyle scriptlevel width height depth voffset linethickness notation mathcolor movablelimits largeop symmetric
  form`.split(/\s+/));
const options = {
  output: "mathml", throwOnError: true, trust: false, strict: "ignore", maxSize: 20, maxExpand: 500,
  // The library would draw it by an inline style.
  macros: { "\\pmb": "\\boldsymbol{#1}" },
};
const deepest = 200;

/** The node of a formula. */
export function mathNode({ text, raw, isDisplay }) {
  try {
    // It adds to the macros what a formula defines: that holds for this formula alone.
    const own = { ...options, macros: { ...options.macros }, displayMode: isDisplay };
    const tree = globalThis.katex?.__renderToDomTree(text, own);
    const math = tree && find(tree, "math");
    if (math) return made(math, 0);
  } catch {
    // Nothing that it knows: shown as it was written.
  }
  return element("span", { class: "plain source" }, raw);
}

function find(node, type) {
  if (node.type === type) return node;
  for (const child of node.children ?? []) {
    const found = find(child, type);
    if (found) return found;
  }
  return null;
}

function made(node, depth) {
  if (depth > deepest) throw new Error("too deep");
  const children = () => (node.children ?? []).map((child) => made(child, depth + 1));
  if (typeof node.text === "string") return document.createTextNode(node.text);
  if (node.type === "semantics") return made(node.children[0], depth + 1);
  // A space that the library has no element for.
  if (node.type === undefined && typeof node.width === "number") {
    return node.character ? document.createTextNode(node.character) : formula("mspace", { width: `${node.width}em` });
  }
  if (node.type === undefined) return fragment(children());
  if (!elements.has(node.type)) return formula("mrow", {}, ...children());
  const kept = Object.fromEntries(Object.entries(node.attributes ?? {}).filter(([name]) => attributes.has(name)));
  if (node.type === "mtable") return table(node, kept, depth);
  const text = letters(node);
  if (text !== null) return formula(node.type, { ...kept, mathvariant: "normal" }, text);
  return formula(node.type, kept, ...children());
}

/** Browsers align columns by their cells. */
function table(node, kept, depth) {
  const sides = (node.attributes?.columnalign ?? "").split(" ");
  const rows = node.children.map((row) => formula("mtr", {}, ...(row.children ?? []).map((cell, column) =>
    formula("mtd", { class: ["left", "right"].includes(sides[column]) ? sides[column] : null },
      ...(cell.children ?? []).map((child) => made(child, depth + 3))))));
  return formula("mtable", kept, ...rows);
}

function fragment(nodes) {
  const made = document.createDocumentFragment();
  made.append(...nodes);
  return made;
}
