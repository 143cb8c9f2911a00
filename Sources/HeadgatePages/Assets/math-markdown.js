// Formulas within Markdown: `$…$`, `\(…\)`, `$$…$$` and `\[…\]`, taken out before Markdown makes something of them.

// A formula has at most 4,000 characters, so that an opening sign alone is not searched to the end of the text.
/** As pandoc has it: no space within the dollars, no digit behind them, so that prices stay prices. */
const inline = /^(?:\\\(([^]{1,4000}?)\\\)|\$\$([^$]{1,4000}?)\$\$|\$(?![\s$])((?:\\.|[^$\\\n`]){1,4000}?)(?<![\s\\])\$(?!\d))/;
const display = /^ {0,3}(?:\$\$([^]{1,4000}?)\$\$|\\\[([^]{1,4000}?)\\\])[ \t]*(?:\n|$)/;

/** For the library that reads Markdown. */
export const mathExtensions = [
  {
    name: "displayMath",
    level: "block",
    start: (text) => indexOf(text, /(^|\n) {0,3}(\$\$|\\\[)/),
    tokenizer: (text) => token("displayMath", display.exec(text)),
  },
  {
    name: "inlineMath",
    level: "inline",
    start: (text) => indexOf(text, /\$|\\\(|\\\[/),
    tokenizer: (text) => token("inlineMath", inline.exec(text) ?? /^\\\[([^]{1,4000}?)\\\]/.exec(text)),
  },
];

function indexOf(text, sign) {
  const index = text.search(sign);
  return index < 0 ? undefined : index;
}

function token(type, found) {
  if (found === null) return undefined;
  return { type, raw: found[0], text: found.slice(1).find((part) => part !== undefined).trim(),
    isDisplay: /^\s*(\$\$|\\\[)/.test(found[0]) };
}
