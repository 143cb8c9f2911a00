// What a conversation is, in memory, in storage and in files.
//
//   {id, title, updated, model, instructions, messages: [message]}
//   message: {role: "user" | "assistant", content, model?, reasoning?, toolCalls?: [{name, arguments}],
//             usage?: {prompt, completion}, timing?: {first, total}, stopped?: true, error?: {message, retryAfter}}

const longestTitle = 80;

export function newConversation({ model = "", instructions = "" } = {}) {
  const id = crypto.getRandomValues(new Uint32Array(3)).join("-");
  return { id, title: "", updated: Date.now(), model, instructions, messages: [] };
}

/** The first words of a conversation. */
export function titleOf(text) {
  const line = text.trim().replace(/\s+/g, " ");
  return line.length > longestTitle ? `${line.slice(0, longestTitle - 1)}…` : line;
}

/** What the model is sent: instructions and everything that was said, without answers that never began. */
export function requestMessages(conversation) {
  const said = conversation.messages
    .filter((message) => message.content.trim() !== "")
    .map(({ role, content }) => ({ role, content }));
  const instructions = conversation.instructions.trim();
  return instructions === "" ? said : [{ role: "system", content: instructions }, ...said];
}

/** A copy with nothing in it but what a conversation has; throws an Error that names the first thing that is wrong. */
export function checkedConversation(value) {
  const checked = new Check(value, "the conversation");
  return {
    id: checked.text("id", ""),
    title: titleOf(checked.text("title", "")),
    updated: checked.number("updated") ?? Date.now(),
    model: checked.text("model", ""),
    instructions: checked.text("instructions", ""),
    messages: checked.list("messages").map((message, index) => checkedMessage(message, `message ${index + 1}`)),
  };
}

function checkedMessage(value, place) {
  const checked = new Check(value, place);
  const role = checked.text("role");
  if (role !== "user" && role !== "assistant") throw new Error(`the role of ${place} is neither user nor assistant`);
  const message = { role, content: checked.text("content") };
  for (const name of ["model", "reasoning"]) if (value[name] !== undefined) message[name] = checked.text(name);
  if (value.stopped === true) message.stopped = true;
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
    if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Error(`${place} is no object`);
    this.#value = value;
    this.#place = place;
  }

  text(name, absent) {
    const value = this.#own(name) ?? absent;
    if (typeof value !== "string") throw new Error(`${name} of ${this.#place} is no text`);
    return value;
  }

  /** Null when there is none. */
  number(name) {
    const value = this.#own(name) ?? null;
    if (value !== null && !(Number.isFinite(value) && value >= 0)) {
      throw new Error(`${name} of ${this.#place} is no number`);
    }
    return value;
  }

  list(name) {
    const value = this.#own(name);
    if (!Array.isArray(value) || value.length > 10_000) throw new Error(`${name} of ${this.#place} is no list`);
    return value;
  }

  #own(name) {
    return Object.hasOwn(this.#value, name) ? this.#value[name] : undefined;
  }
}
