// The pages' language: the reader's first one that there is a table for, English otherwise.

import { japanese } from "./words-ja.js";

/** English is what the pages are written in. Another language is one more table, from the same English texts. */
const tables = new Map([["en", {}], ["ja", japanese]]);

/** Such as "en-GB". */
export const locale = navigator.languages.find((name) => tables.has(languageOf(name))) ?? "en";
const table = tables.get(languageOf(locale));

function languageOf(name) {
  return name.split("-")[0];
}

/** A text of the pages in the reader's language; `{name}` in it becomes that one of `values`. */
export function t(text, values = {}) {
  const found = Object.hasOwn(table, text) ? table[text] : text;
  return found.replace(/\{(\w+)\}/g, (whole, name) => (Object.hasOwn(values, name) ? String(values[name]) : whole));
}

/** Translates what the page's markup says. */
export function translatePage() {
  document.documentElement.lang = languageOf(locale);
  document.title = t(document.title);
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const text = node.data.trim().replace(/\s+/g, " ");
    if (Object.hasOwn(table, text)) node.data = t(text);
  }
  for (const name of ["aria-label", "placeholder", "title", "label"]) {
    for (const node of document.querySelectorAll(`[${name}]`)) node.setAttribute(name, t(node.getAttribute(name)));
  }
}
