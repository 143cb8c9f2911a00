// Elements are made here: text enters the page as text nodes, never as markup.

/**
 * An element with attributes and children. Functions become listeners, false and null leave an attribute out; strings
 * become text.
 */
export function element(name, attributes = {}, ...children) {
  return furnished(document.createElement(name), attributes, children);
}

/** The same for drawings. */
export function shape(name, attributes = {}, ...children) {
  return furnished(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}

/** The same for formulas. */
export function formula(name, attributes = {}, ...children) {
  return furnished(document.createElementNS("http://www.w3.org/1998/Math/MathML", name), attributes, children);
}

export const find = (id) => document.getElementById(id);

function furnished(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name, value);
    else if (value !== false && value !== null && value !== undefined) {
      made.setAttribute(name, value === true ? "" : value);
    }
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

/** Combining marks on one character: drawing time grows with the square of their number. */
const longMarks = /\p{M}{200}/u;

export const hasLongMarks = (text) => longMarks.test(text);

/** Where to cut a text at `end` or just behind it, so that no character is cut in two. */
export const whole = (text, end) => (/[\udc00-\udfff]/.test(text[end] ?? "") ? end + 1 : end);

/** The nodes of an untrusted text, split where it would take too long to draw. */
export function plainNodes(text) {
  if (!hasLongMarks(text)) return [text];
  const nodes = [];
  for (let at = 0; at < text.length;) {
    const end = whole(text, at + 200);
    nodes.push(element("span", {}, text.slice(at, end)));
    at = end;
  }
  return nodes;
}
