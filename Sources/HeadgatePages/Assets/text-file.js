// A text file within a message.

/** Between fences that are longer than any of its own. */
export function fenced(name, text) {
  const longest = Math.max(2, ...(text.match(/`{3,}/g) ?? []).map((ticks) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `File “${name.replace(/[\r\n]+/g, " ")}”:\n${fence}\n${text.replace(/\n$/, "")}\n${fence}`;
}
