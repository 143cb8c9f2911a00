// Code in colours. The library gives markup, of which only its few kinds of marks are read; every word of the code
// becomes a text node. Without the library, or for a language that it does not know, code is plain text.

import { element } from "./dom.js";

/** Characters that take the library a tenth of a second; growing code is highlighted again each time. */
const longestCode = 15_000;
const marks = /<span class="([\w -]*)">|(<\/span>)|([^<&]+)|&(amp|lt|gt|quot|#x27);/g;
const characters = { amp: "&", lt: "<", gt: ">", quot: '"', "#x27": "'" };

/** The nodes of a piece of code. */
export function highlighted(code, language) {
  const name = language.toLowerCase();
  if (code.length > longestCode || !globalThis.hljs?.getLanguage(name)) return [code];
  try {
    const nodes = nodesOf(globalThis.hljs.highlight(name, code, true).value);
    // Whatever the library makes of it, it is the same code.
    return nodes.map((node) => node.textContent).join("") === code ? nodes : [code];
  } catch {
    return [code];
  }
}

function nodesOf(markup) {
  const root = document.createDocumentFragment();
  let at = root;
  for (const [, kind, end, text, character] of markup.matchAll(marks)) {
    if (kind !== undefined) {
      const node = element("span", { class: kind });
      at.append(node);
      at = node;
    } else if (end !== undefined) at = at.parentNode ?? root;
    else at.append(text ?? characters[character]);
  }
  root.normalize();
  return [...root.childNodes];
}
