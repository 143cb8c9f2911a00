// Letters of formulas in other styles: browsers want the characters that Unicode has for them.

/** Where the capital and the small letters of a variant begin, and its digits; browsers know no such attribute. */
const variants = {
  bold: [0x1d400, 0x1d41a, 0x1d7ce], italic: [0x1d434, 0x1d44e], "bold-italic": [0x1d468, 0x1d482],
  script: [0x1d49c, 0x1d4b6], "bold-script": [0x1d4d0, 0x1d4ea], fraktur: [0x1d504, 0x1d51e],
  "double-struck": [0x1d538, 0x1d552, 0x1d7d8], "bold-fraktur": [0x1d56c, 0x1d586],
  "sans-serif": [0x1d5a0, 0x1d5ba, 0x1d7e2],
  "bold-sans-serif": [0x1d5d4, 0x1d5ee, 0x1d7ec], monospace: [0x1d670, 0x1d68a, 0x1d7f6],
};
/** Those that Unicode had before it had the others. */
const older = { "double-struck": { C: "ℂ", H: "ℍ", N: "ℕ", P: "ℙ", Q: "ℚ", R: "ℝ", Z: "ℤ" },
  script: { B: "ℬ", E: "ℰ", F: "ℱ", H: "ℋ", I: "ℐ", L: "ℒ", M: "ℳ", R: "ℛ", e: "ℯ", g: "ℊ", o: "ℴ" },
  fraktur: { C: "ℭ", H: "ℌ", I: "ℑ", R: "ℜ", Z: "ℨ" }, italic: { h: "ℎ" } };

/** The text of a token of a formula in its variant; null for what has none. */
export function letters({ type, attributes: own = {}, children = [] }) {
  const { mathvariant } = own;
  if (!["mi", "mn", "mo", "mtext"].includes(type) || mathvariant === undefined) return null;
  const text = children.map((child) => child.text ?? "").join("");
  if (mathvariant === "normal") return text;
  const [capital, small, digit] = variants[mathvariant] ?? [];
  if (capital === undefined) return null;
  const styled = [...text].map((one) => older[mathvariant]?.[one]
    ?? (/[A-Z]/.test(one) ? String.fromCodePoint(capital + one.charCodeAt(0) - 65)
      : /[a-z]/.test(one) ? String.fromCodePoint(small + one.charCodeAt(0) - 97)
        : /\d/.test(one) && digit !== undefined ? String.fromCodePoint(digit + Number(one)) : one));
  return styled.join("");
}
