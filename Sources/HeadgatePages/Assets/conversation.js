// What a conversation is, in memory, in storage and in files.
//
//   {id, title, updated, changed, model, instructions, settings, start, tip, turned, messages}
//   settings: {temperature?, topP?, maxTokens?, window?}
//   message: {id, parent, revision, role: "user" | "assistant", content, attachments?: [{id, name, type, size}],
//             model?, beside?: the turn it was asked for in, reasoning?, refusal?, finish?,
//             toolCalls?: [{name, arguments}],
//             usage?: {prompt, completion}, timing?: {first, total}, stopped?: true,
//             growing?: when it was last kept in the middle, place?: {stream, event, form},
//             error?: {message, retryAfter, code}, removed?: true}
//
// `place` is how far an answer has come that the gateway keeps, so that a page that is opened again goes on with it.
//
// The messages are a tree: each has a `parent`, the first ones none. What is asked or answered anew stands beside what
// was there before, as another branch; the line through `tip` is shown, chosen at `turned`. Answers with `beside` were
// asked for at once, and are shown side by side. What stands before `start` is not sent any more.
//
// Several tabs may talk in one conversation at once. A message has an id by which it is sorted, one tab that fills it,
// and a revision that grows each time it is kept; one that is taken away stays as a mark. So two versions of a
// conversation always have one sum, and whoever keeps one keeps that. `changed` is when title, model, instructions,
// settings or start were chosen.

const longestTitle = 80;

export function newConversation({ model = "", instructions = "", settings = {} } = {}) {
  const id = crypto.getRandomValues(new Uint32Array(3)).join("-");
  const now = Date.now();
  return { id, title: "", updated: now, changed: now, model, instructions, settings, start: "", tip: "", turned: 0,
    messages: [] };
}

/** The first part of the ids of a question and its answers: behind all others, and of this tab alone. */
export function newTurn({ messages }) {
  // A clock may be set back.
  const time = Math.max(Date.now(), 1 + (Number.parseInt(messages.at(-1)?.id ?? "0", 10) || 0));
  return `${sortable(time)}-${crypto.getRandomValues(new Uint32Array(1))[0].toString(36)}`;
}

/**
 * Brings what a kept version knows into `conversation`; messages that are here already stay the same objects. Returns
 * whether the kept version lacks something of the sum.
 */
export function merge(conversation, kept) {
  const known = new Map(conversation.messages.map((message) => [message.id, message]));
  for (const theirs of kept.messages) {
    const ours = known.get(theirs.id);
    if (ours === undefined) conversation.messages.push(theirs);
    else if (theirs.revision > ours.revision) become(ours, theirs);
  }
  conversation.messages.sort((one, other) => (one.id < other.id ? -1 : Number(one.id > other.id)));
  conversation.updated = Math.max(conversation.updated, kept.updated);
  if (kept.changed > conversation.changed) {
    const { changed, title, model, instructions, settings, start } = kept;
    Object.assign(conversation, { changed, model, instructions, settings, start, title: title || conversation.title });
  }
  conversation.title ||= kept.title;
  if (kept.turned > conversation.turned) Object.assign(conversation, { turned: kept.turned, tip: kept.tip });
  const revisions = new Map(kept.messages.map(({ id, revision }) => [id, revision]));
  return conversation.changed > kept.changed || conversation.turned > kept.turned
    || conversation.messages.some(({ id, revision }) => !(revisions.get(id) >= revision));
}

function become(message, other) {
  for (const name of Object.keys(message)) delete message[name];
  Object.assign(message, other);
}

/** Leaves a mark in a message's place, which no other tab's version fills again. */
export function remove(message) {
  const { id, parent, role, revision } = message;
  become(message, { id, parent, role, revision: revision + 1, content: "", removed: true });
}

export const sortable = (number) => String(number).padStart(15, "0");

/** The first words of a conversation. */
export function titleOf(text) {
  const line = text.trim().replace(/\s+/g, " ");
  return line.length > longestTitle ? `${line.slice(0, longestTitle - 1)}…` : line;
}
