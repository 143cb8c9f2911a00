// Markdown as elements. The library only reads it into tokens: every word of it enters the page as a text node, links
// lead only to the web and to mail, and pictures are links. Without the library it is plain text.

import { copy } from "./clipboard.js";
import { element, plainNodes } from "./dom.js";
import { highlighted } from "./highlighting.js";
import { mathNode } from "./math.js";
import { mathExtensions } from "./math-markdown.js";
import { isTooMuch, pieces, plainParts } from "./markdown-pieces.js";
import { t } from "./words.js";

globalThis.marked?.setOptions({ gfm: true, mangle: false, silent: true });
globalThis.marked?.use({ extensions: mathExtensions });

/** The time after which layout yields to the browser, in milliseconds. */
const slice = 12;
/** The most characters that one task lays out, since the browser then draws them all at once. */
const sliceLength = 16_000;
/** When the current task has to yield; null if none runs. */
let deadline = null;
/** Characters that the current task may still lay out. */
let room = 0;
/** Places with text that is not laid out yet. */
const waiting = new Set();

/**
 * Shows a text in `place`; a long one little by little. Blocks that are there from the last time, and have not changed,
 * stay as they are. `isLive`: more is to come.
 */
export function showMarkdown(place, text, isLive = false) {
  place.blocks ??= [];
  place.pieces = readPieces(place, text, isLive);
  waiting.delete(place);
  layOut(place);
}

/** Continues the layout of a place until the task has to yield. */
function layOut(place) {
  let index = 0;
  for (const piece of place.pieces) {
    piece.tokens ??= read(piece, place.definitions);
    for (const token of piece.tokens) {
      if (place.blocks[index]?.raw !== token.raw) {
        truncate(place, index);
        if (isLate()) return waiting.add(place);
        room -= token.raw.length;
        place.append(block(token));
        place.blocks.push(token);
      }
      index += 1;
    }
  }
  truncate(place, index);
}

function truncate(place, count) {
  place.blocks.length = Math.min(place.blocks.length, count);
  while (place.childNodes.length > count) place.lastChild.remove();
}

function isLate() {
  const now = performance.now();
  if (deadline === null) {
    deadline = now + slice;
    room = sliceLength;
    setTimeout(goOn);
  }
  return now > deadline || room <= 0;
}

function goOn() {
  deadline = null;
  for (const place of [...waiting]) {
    waiting.delete(place);
    layOut(place);
    if (waiting.has(place)) return;
  }
}

/** The pieces of a text; those that have not changed keep their tokens. */
function readPieces(place, text, isLive) {
  const known = place.pieces ?? [];
  let length = 0;
  let count = 0;
  // The last one may have grown.
  while (count < known.length - 1 && text.startsWith(known[count].raw, length)) length += known[count++].raw.length;
  const raws = globalThis.marked === undefined ? [text.slice(length)] : pieces(text, length);
  const rest = raws.map((raw, index) => known[count + index]?.raw === raw ? known[count + index] : { raw });
  const all = [...known.slice(0, count), ...rest];
  followDefinitions(place, isLive ? all.slice(0, -1) : all, all);
  return all;
}

/** Link reference definitions apply to the whole text, wherever they stand. */
function followDefinitions(place, settled, all) {
  const definitions = settled.map(({ raw }) => raw).filter((raw) => definition.test(raw) && !isTooMuch(raw)).join("\n\n");
  if (definitions === (place.definitions ?? "")) return;
  place.definitions = definitions;
  for (const piece of all) if (piece.raw.includes("[")) delete piece.tokens;
  truncate(place, 0);
}

const definition = /^ {0,3}\[[^\]\n]+\]:/m;

function read({ raw }, definitions = "") {
  try {
    if (globalThis.marked !== undefined && !isTooMuch(raw)) return tokens(raw, definitions);
  } catch {
    // Too deep for the library, such as a thousand nested quotes.
  }
  return plainParts(raw).filter((part) => part.trim() !== "").map((part) => ({ type: "plain", raw: part }));
}

function tokens(raw, definitions) {
  // Lexers share a tokenizer, so the first has to finish before the second is created.
  const known = new globalThis.marked.Lexer();
  if (definitions !== "") known.lex(definitions);
  const lexer = new globalThis.marked.Lexer();
  Object.assign(lexer.tokens.links, known.tokens.links);
  // An unclosed code block is recognised only if its last line has a line end.
  const found = lexer.lex(raw.endsWith("\n") ? raw : `${raw}\n`);
  return found.filter((token) => token.type !== "space" && token.type !== "def");
}

/** Deeper than anybody reads, and less deep than a browser's stack. */
const deepest = 24;
let depth = 0;

function block(token) {
  if (depth >= deepest) return plain(token.raw);
  depth += 1;
  const made = blockElement(token);
  depth -= 1;
  return made;
}

function blockElement(token) {
  switch (token.type) {
    case "heading": return element(`h${Math.min(token.depth + 2, 6)}`, {}, ...inlines(token.tokens));
    case "paragraph": return element("p", {}, ...inlines(token.tokens));
    case "text": return element("div", {}, ...inlines(token.tokens ?? [token]));
    case "code": return codeBlock(token.text, token.lang);
    case "blockquote": return element("blockquote", {}, ...blocks(token.tokens));
    case "list": return list(token);
    case "table": return table(token);
    case "displayMath": return displayed(mathNode(token));
    case "hr": return element("hr");
    default: return plain(token.raw);
  }
}

const plain = (text) => element("p", { class: "plain" }, ...plainNodes(text.trimEnd()));

const displayed = (node) =>
  element("div", { class: "formula", tabindex: 0, role: "group", "aria-label": "Formula" }, node);

const blocks = (tokens) => tokens.filter((token) => token.type !== "space" && token.type !== "def").map(block);

function codeBlock(code, language) {
  const name = decoded(language ?? "").split(/\s/)[0].slice(0, 32);
  const button = element("button", { type: "button", click: () => copy(code, button, shown) },
    t("Copy"));
  const shown = () => button.closest("figure").querySelector("code");
  return element("figure", { class: "code" },
    element("figcaption", {}, element("span", {}, name || "code"), button),
    element("pre", { tabindex: 0, "aria-label": name ? `Code, ${name}` : "Code", role: "group" },
      element("code", {}, ...highlighted(code, name))));
}

function list(token) {
  const start = token.ordered && Number.isInteger(token.start) && token.start !== 1 ? token.start : null;
  const items = token.items.map((item) => element("li", { class: item.task ? "task" : null },
    item.task ? checkbox(item.checked) : null, ...blocks(item.tokens)));
  return element(token.ordered ? "ol" : "ul", { start }, ...items);
}

const checkbox = (checked) => element("input", { type: "checkbox", disabled: true, checked, "aria-label": "Task" });

function table(token) {
  const cell = (name) => (content, column) =>
    element(name, { class: alignments[token.align[column]] ?? null }, ...inlines(content.tokens));
  return element("div", { class: "table", tabindex: 0, role: "group", "aria-label": "Table" },
    element("table", {},
      element("thead", {}, element("tr", {}, ...token.header.map(cell("th")))),
      element("tbody", {}, ...token.rows.map((row) => element("tr", {}, ...row.map(cell("td")))))));
}

const alignments = { left: "left", center: "center", right: "right" };

const inlines = (tokens) => (tokens ?? []).map(inline);

function inline(token) {
  if (depth >= deepest) return token.raw;
  depth += 1;
  const made = inlineNode(token);
  depth -= 1;
  return made;
}

function inlineNode(token) {
  switch (token.type) {
    case "strong": return element("strong", {}, ...inlines(token.tokens));
    case "em": return element("em", {}, ...inlines(token.tokens));
    case "del": return element("del", {}, ...inlines(token.tokens));
    case "codespan": return element("code", {}, decoded(token.text));
    case "inlineMath": return mathNode(token);
    case "br": return element("br");
    case "link": return link(token.href, inlines(token.tokens));
    case "image": return link(token.href, [decoded(token.text) || "Picture"]);
    case "text":
    case "escape": return token.tokens ? element("span", {}, ...inlines(token.tokens)) : decoded(token.text);
    default: return token.raw;
  }
}

function link(address, children) {
  const href = webAddress(decoded(address ?? ""));
  if (href === null) return element("span", {}, ...children);
  return element("a", { href, target: "_blank", rel: "noopener noreferrer nofollow" }, ...children);
}

/** Null for what leads nowhere or does something else: a script, a file, a place on this page. */
function webAddress(text) {
  try {
    const url = new URL(text);
    return ["http:", "https:", "mailto:"].includes(url.protocol) ? url.href : null;
  } catch {
    return null;
  }
}

const names = {
  amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: "\u00a0", ndash: "\u2013", mdash: "\u2014", hellip: "\u2026",
};

/** The library escapes for HTML, and Markdown may hold character references. */
function decoded(text) {
  return text.replace(/&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|(\w{1,8}));/g, (whole, decimal, hexadecimal, name) => {
    if (name !== undefined) return Object.hasOwn(names, name) ? names[name] : whole;
    const point = decimal === undefined ? Number.parseInt(hexadecimal, 16) : Number.parseInt(decimal, 10);
    const isCharacter = point > 0 && point <= 0x10ffff && !(point >= 0xd800 && point <= 0xdfff);
    return isCharacter ? String.fromCodePoint(point) : "\ufffd";
  });
}
