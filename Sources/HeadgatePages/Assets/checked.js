// Conversations out of the storage and out of files: values that may be anything.

import { newConversation, sortable, titleOf } from "./conversation.js";

const ranges = { temperature: 2, topP: 1, maxTokens: 10_000_000, window: 100_000_000 };

/** A copy with nothing in it but what a conversation has; throws an Error that names the first thing that is wrong. */
export function checkedConversation(value) {
  const checked = new Check(value, "the conversation");
  const updated = checked.number("updated") ?? Date.now();
  const messages = checked.list("messages").map((message, index) => checkedMessage(message, index));
  const names = inOrder(messages);
  return {
    id: checked.text("id", ""),
    title: titleOf(checked.text("title", "")),
    updated,
    changed: checked.number("changed") ?? updated,
    model: checked.text("model", ""),
    instructions: checked.text("instructions", ""),
    settings: checkedSettings(checked.member("settings") ?? {}),
    start: names.get(checked.text("start", "")) ?? "",
    tip: names.get(checked.text("tip", "")) ?? "",
    turned: checked.number("turned") ?? 0,
    messages,
  };
}

/**
 * A conversation out of a file, as a new one; throws as checkedConversation does. What only has a meaning in the browser
 * it comes from is left behind: ids, revisions, marks of what was taken away, answers under way, times to come.
 */
export function importedConversation(value) {
  const read = checkedConversation(value);
  const { title, updated, changed, model, instructions, settings } = read;
  const now = Date.now();
  const names = new Map();
  const messages = read.messages.map(({ growing, place, ...message }, index) => {
    const id = sortable(index);
    names.set(message.id, id);
    return { ...message, id, parent: names.get(message.parent) ?? "", revision: 0 };
  });
  return {
    ...newConversation({ model, instructions, settings }),
    title,
    updated: Math.min(updated, now),
    changed: Math.min(changed, now),
    start: names.get(read.start) ?? "",
    tip: names.get(read.tip) ?? "",
    messages,
  };
}

/**
 * Gives ids to messages whose own are none to sort by, and to each a parent that stands before it: older versions knew
 * neither. Returns the ids by those that were there.
 */
function inOrder(messages) {
  const isInOrder = messages.every(({ id }, index) => id !== "" && (index === 0 || messages[index - 1].id < id));
  const names = new Map();
  let last = "";
  for (const [index, message] of messages.entries()) {
    const id = isInOrder ? message.id : sortable(index);
    message.parent = message.parent === "" ? "" : names.get(message.parent) ?? last;
    if (message.id !== "") names.set(message.id, id);
    message.id = id;
    if (!message.removed) last = id;
  }
  return names;
}

export function checkedSettings(value) {
  const checked = new Check(value, "the settings");
  const settings = {};
  for (const [name, most] of Object.entries(ranges)) {
    const number = checked.number(name);
    if (number !== null) settings[name] = Math.min(number, most);
  }
  return settings;
}

function checkedMessage(value, index) {
  const place = `message ${index + 1}`;
  const checked = new Check(value, place);
  const role = checked.text("role");
  if (role !== "user" && role !== "assistant") throw new Error(`the role of ${place} is neither user nor assistant`);
  // Undefined: the one before.
  const parent = checked.member("parent") === undefined ? undefined : checked.text("parent");
  const message = { id: checked.text("id", ""), parent, revision: checked.number("revision") ?? 0, role,
    content: checked.text("content") };
  for (const name of ["model", "reasoning", "refusal", "finish", "beside"]) {
    if (value[name] !== undefined) message[name] = checked.text(name);
  }
  for (const name of ["stopped", "removed"]) if (value[name] === true) message[name] = true;
  if (value.growing !== undefined) message.growing = checked.number("growing");
  if (value.attachments !== undefined) {
    message.attachments = checked.list("attachments").map((one) => {
      const inner = new Check(one, `an attachment of ${place}`);
      const { data } = one;
      return { id: inner.text("id", ""), name: inner.text("name").slice(0, 255), type: inner.text("type"),
        size: inner.number("size") ?? 0, ...(typeof data === "string" ? { data } : {}) };
    });
  }
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
    message.error = { message: inner.text("message"), retryAfter: inner.number("retryAfter"),
      code: inner.text("code", "") };
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
    const value = this.member(name) ?? absent;
    if (typeof value !== "string") throw new Error(`${name} of ${this.#place} is not a text`);
    return value;
  }

  /** Null when there is none. */
  number(name) {
    const value = this.member(name) ?? null;
    if (value !== null && !(Number.isFinite(value) && value >= 0)) {
      throw new Error(`${name} of ${this.#place} is not a number`);
    }
    return value;
  }

  list(name) {
    const value = this.member(name);
    if (!Array.isArray(value) || value.length > 10_000) throw new Error(`${name} of ${this.#place} is not a list`);
    return value;
  }

  member(name) {
    return Object.hasOwn(this.#value, name) ? this.#value[name] : undefined;
  }
}
