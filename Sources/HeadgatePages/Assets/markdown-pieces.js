// Splits Markdown into pieces that can be parsed separately: an answer grows at its end, so only its last piece is
// parsed again. The library needs seconds for some texts of a few thousand characters; those are recognised here.

import { hasLongMarks, whole } from "./dom.js";

/** Characters after which a piece ends at the next line that can begin a block. */
const longPiece = 8000;
/** The longest piece that is parsed, in characters; code may be longer. */
const longestPiece = 20_000;
/** Limits for one paragraph, list item or heading: parsing time grows with the square of these counts. */
const mostEmphasis = 150;
const mostSigns = 1000;
/** The most cells of a table. */
const mostCells = 2000;
/** Levels of lists and quotes. */
const deepestNesting = 50;
const deepestIndentation = 100;
/** Characters of one plain part; while it grows, only the last part is laid out again. */
const longestPlainPart = 4000;

const fenceOpening = /^\s*(`{3,}|~{3,})/;
const item = /^(?:[-*+]|\d{1,9}[.)])(?:\s|$)/;
const heading = /^#{1,6}\s/;

/** The pieces of a text from `start` on, where a piece begins. */
export function pieces(text, start) {
  const found = [];
  let begin = start;
  let fence = null;
  let isAfterBlank = false;
  const cut = (at) => {
    if (at > begin) found.push(text.slice(begin, at));
    begin = at;
  };
  for (const { line, at, end } of lines(text, start)) {
    if (fence !== null) {
      if (!closes(line, fence)) continue;
      // A block of code outside any list is a piece of its own.
      if (fence.isOuter) cut(end);
      fence = null;
      continue;
    }
    if (line.trim() === "") {
      isAfterBlank = true;
      continue;
    }
    const isLong = at - begin > longPiece;
    const isOuter = !/^\s/.test(line);
    const beginsBlock = heading.test(line) || (isAfterBlank && !item.test(line)) || (isLong && line[0] !== "|");
    if (isOuter && beginsBlock) cut(at);
    isAfterBlank = false;
    const opening = fenceOpening.exec(line);
    if (opening !== null) {
      if (isOuter) cut(at);
      fence = { mark: opening[1], isOuter };
    }
  }
  cut(text.length);
  return found;
}

function* lines(text, start) {
  for (let at = start; at < text.length;) {
    const newline = text.indexOf("\n", at);
    const end = newline < 0 ? text.length : newline + 1;
    yield { line: text.slice(at, newline < 0 ? end : newline), at, end };
    at = end;
  }
}

function closes(line, { mark }) {
  const text = line.trim();
  return text.length >= mark.length && text === mark[0].repeat(text.length);
}

/** Whether parsing a piece might take too long. */
export function isTooMuch(piece) {
  if (piece.length > longestPiece) return !fenceOpening.test(piece);
  if (hasLongMarks(piece)) return true;
  let emphasis = 0;
  let signs = 0;
  let cells = 0;
  let fence = null;
  for (const { line } of lines(piece, 0)) {
    if (fence !== null) {
      if (closes(line, fence)) fence = null;
      continue;
    }
    const opening = fenceOpening.exec(line);
    if (opening !== null) {
      fence = { mark: opening[1] };
      continue;
    }
    const indented = line.trimStart();
    const nesting = /^[\s>*+\-\d.)]*/.exec(line)[0].match(/>|[-*+.)]\s/g)?.length ?? 0;
    if (nesting > deepestNesting || line.length - indented.length > deepestIndentation) return true;
    if (indented === "" || item.test(indented) || /^[#|>]/.test(indented)) [emphasis, signs] = [0, 0];
    // Underscores within a name, such as snake_case, are no emphasis.
    const inner = line.match(/(?<=[\p{L}\p{N}])_+(?=[\p{L}\p{N}])/gu)?.length ?? 0;
    emphasis += (line.match(/\*+|_+|~+/g)?.length ?? 0) - inner;
    signs += (line.match(/[`[<!$\\&@]|:\/\//g)?.length ?? 0) + inner;
    cells += line.match(/\|/g)?.length ?? 0;
    if (emphasis > mostEmphasis || signs > mostSigns || cells > mostCells) return true;
  }
  return false;
}

/** Splits a text that is shown as it is, at line ends if possible. */
export function plainParts(text) {
  const parts = [];
  for (let at = 0; at < text.length;) {
    let end = Math.min(text.length, at + longestPlainPart);
    if (end < text.length) end = text.lastIndexOf("\n", end - 1) + 1 || end;
    if (end <= at) end = whole(text, at + longestPlainPart);
    parts.push(text.slice(at, end));
    at = end;
  }
  return parts;
}
