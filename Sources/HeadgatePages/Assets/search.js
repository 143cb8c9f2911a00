// Which conversations hold the words that the reader looks for.

/** Whether every one of the words stands somewhere in the conversation, in letters of either case. */
export function says(conversation, words) {
  if (conversation === null) return false;
  const { title, instructions, messages } = conversation;
  const texts = [title, instructions, ...messages.flatMap(({ content, attachments = [] }) =>
    [content, ...attachments.map(({ name }) => name)])].map((text) => text.toLowerCase());
  return words.toLowerCase().split(/\s+/).every((word) => texts.some((text) => text.includes(word)));
}
