// What a conversation is, in memory, in storage and in files.
//
//   {id, title, updated, changed, model, instructions, messages: [message]}
//   message: {id, revision, role: "user" | "assistant", content, model?, reasoning?, refusal?, finish?,
//             toolCalls?: [{name, arguments}], usage?: {prompt, completion}, timing?: {first, total}, stopped?: true,
//             growing?: when it was last kept in the middle, place?: {stream, event, form}, error?: {message, retryAfter}, removed?: true}
//
// `place` is how far an answer has come that the gateway keeps, so that a page that is opened again goes on with it.
//
// Several tabs may talk in one conversation at once. A message has an id by which it is sorted, one tab that fills it,
// and a revision that grows each time it is kept; one that is taken away stays as a mark. So two versions of a
// conversation always have one sum, and whoever keeps one keeps that. `changed` is when model or instructions were
// chosen.

const longestTitle = 80;

export function newConversation({ model = "", instructions = "" } = {}) {
  const id = crypto.getRandomValues(new Uint32Array(3)).join("-");
  return { id, title: "", updated: Date.now(), changed: Date.now(), model, instructions, messages: [] };
}

/** The first part of the ids of a question and its answer: behind all others, and of this tab alone. */
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
  conversation.title ||= kept.title;
  conversation.updated = Math.max(conversation.updated, kept.updated);
  if (kept.changed > conversation.changed) {
    const { changed, model, instructions } = kept;
    Object.assign(conversation, { changed, model, instructions });
  }
  const revisions = new Map(kept.messages.map(({ id, revision }) => [id, revision]));
  return conversation.changed > kept.changed
    || conversation.messages.some(({ id, revision }) => !(revisions.get(id) >= revision));
}

function become(message, other) {
  for (const name of Object.keys(message)) delete message[name];
  Object.assign(message, other);
}

/** Leaves a mark in a message's place, which no other tab's version fills again. */
export function remove(message) {
  const { id, role, revision } = message;
  become(message, { id, role, revision: revision + 1, content: "", removed: true });
}

/** What the reader sees. */
export const shownMessages = ({ messages }) => messages.filter((message) => !message.removed);

const sortable = (number) => String(number).padStart(15, "0");

/** The first words of a conversation. */
export function titleOf(text) {
  const line = text.trim().replace(/\s+/g, " ");
  return line.length > longestTitle ? `${line.slice(0, longestTitle - 1)}…` : line;
}

/** What the model is sent: instructions and everything that was said, without answers that never began. */
export function requestMessages(conversation) {
  const said = shownMessages(conversation)
    .map(({ role, content, refusal }) => ({ role, content: content.trim() === "" ? refusal ?? "" : content }))
    .filter(({ content }) => content.trim() !== "");
  const instructions = conversation.instructions.trim();
  return instructions === "" ? said : [{ role: "system", content: instructions }, ...said];
}

/** A copy with nothing in it but what a conversation has; throws an Error that names the first thing that is wrong. */
export function checkedConversation(value) {
  const checked = new Check(value, "the conversation");
  const updated = checked.number("updated") ?? Date.now();
  const messages = checked.list("messages").map((message, index) => checkedMessage(message, index));
  // Older versions gave no ids.
  if (!messages.every(({ id }, index) => id !== "" && (index === 0 || messages[index - 1].id < id))) {
    for (const [index, message] of messages.entries()) message.id = sortable(index);
  }
  return {
    id: checked.text("id", ""),
    title: titleOf(checked.text("title", "")),
    updated,
    changed: checked.number("changed") ?? updated,
    model: checked.text("model", ""),
    instructions: checked.text("instructions", ""),
    messages,
  };
}

/**
 * A conversation out of a file, as a new one; throws as checkedConversation does. What only has a meaning in the browser
 * it comes from is left behind: ids, revisions, marks of what was taken away, answers under way, times to come.
 */
export function importedConversation(value) {
  const { title, updated, changed, model, instructions, messages } = checkedConversation(value);
  const now = Date.now();
  return {
    ...newConversation({ model, instructions }),
    title,
    updated: Math.min(updated, now),
    changed: Math.min(changed, now),
    messages: shownMessages({ messages }).map(({ growing, place, ...message }, index) => (
      { ...message, id: sortable(index), revision: 0 })),
  };
}

function checkedMessage(value, index) {
  const place = `message ${index + 1}`;
  const checked = new Check(value, place);
  const role = checked.text("role");
  if (role !== "user" && role !== "assistant") throw new Error(`the role of ${place} is neither user nor assistant`);
  const message = { id: checked.text("id", ""), revision: checked.number("revision") ?? 0, role,
    content: checked.text("content") };
  for (const name of ["model", "reasoning", "refusal", "finish"]) {
    if (value[name] !== undefined) message[name] = checked.text(name);
  }
  for (const name of ["stopped", "removed"]) if (value[name] === true) message[name] = true;
  if (value.growing !== undefined) message.growing = checked.number("growing");
  if (value.toolCalls !== undefined) {
    message.toolCalls = checked.list("toolCalls").map((call) => {
      const inner = new Check(call, `a tool call of ${place}`);
      return { name: inner.text("name"), arguments: inner.text("arguments") };
    });
  }
  for (const [name, members] of [["usage", ["prompt", "completion"]], ["timing", ["first", "total"]]]) {
    if (value[name] === undefined) continue;
    const inner = new Check(value[name], `${name} of ${place}`);
    message[name] = Object.fromEntries(members.map((member) => [member, inner.number(member)]));
  }
  if (value.place !== undefined) {
    const inner = new Check(value.place, `the place of ${place}`);
    message.place = { stream: inner.text("stream"), event: inner.text("event"), form: inner.text("form") };
  }
  if (value.error !== undefined) {
    const inner = new Check(value.error, `the error of ${place}`);
    message.error = { message: inner.text("message"), retryAfter: inner.number("retryAfter") };
  }
  return message;
}

/** Reads members of a value that may be anything. */
class Check {
  #value;
  #place;

  constructor(value, place) {
    if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Error(`${place} is not an object`);
    this.#value = value;
    this.#place = place;
  }

  text(name, absent) {
    const value = this.#own(name) ?? absent;
    if (typeof value !== "string") throw new Error(`${name} of ${this.#place} is not a text`);
    return value;
  }

  /** Null when there is none. */
  number(name) {
    const value = this.#own(name) ?? null;
    if (value !== null && !(Number.isFinite(value) && value >= 0)) {
      throw new Error(`${name} of ${this.#place} is not a number`);
    }
    return value;
  }

  list(name) {
    const value = this.#own(name);
    if (!Array.isArray(value) || value.length > 10_000) throw new Error(`${name} of ${this.#place} is not a list`);
    return value;
  }

  #own(name) {
    return Object.hasOwn(this.#value, name) ? this.#value[name] : undefined;
  }
}
