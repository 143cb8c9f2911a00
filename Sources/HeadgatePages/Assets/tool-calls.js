// Tool calls, put together from the pieces in which they come.

const mostCalls = 128;

/**
 * By the protocol a piece carries the index of its call, and the first one its id and name. Some servers leave out the
 * index, the id or both, some give every call the index 0, and some repeat id and name in every piece.
 */
export class ToolCallAssembly {
  #message;
  /** Like `message.toolCalls`, with index and id. */
  #slots = [];

  constructor(message) {
    this.#message = message;
  }

  add(piece) {
    const index = Number.isInteger(piece?.index) ? piece.index : null;
    const id = string(piece?.id);
    const name = string(piece?.function?.name);
    const text = string(piece?.function?.arguments);
    let slot = this.#open(index, id, name);
    if (slot === undefined || !continues(slot, id, name, text)) {
      if (this.#slots.length === mostCalls) return;
      slot = { index, id: "", call: { name: "", arguments: "" } };
      this.#slots.push(slot);
      (this.#message.toolCalls ??= []).push(slot.call);
    }
    slot.id ||= id;
    slot.call.name ||= name;
    slot.call.arguments += text;
  }

  /** The call that a piece may be a part of. */
  #open(index, id, name) {
    if (index === null) return this.#slots.findLast((slot) => id !== "" && slot.id === id) ?? this.#slots.at(-1);
    // Without a name it cannot begin a call.
    return this.#slots.findLast((slot) => slot.index === index) ?? (name === "" ? this.#slots.at(-1) : undefined);
  }
}

/** Whether a piece is more of this call, and not the first of another. */
function continues({ id: knownID, call }, id, name, text) {
  if (name === "") return true;
  if (id !== "" && knownID !== "") return id === knownID;
  if (call.name === "") return true;
  // The name again, or the same tool once more: only what has come of the arguments can tell.
  return name === call.name && (text === "" || !isJSON(call.arguments));
}

function isJSON(text) {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const string = (value) => (typeof value === "string" ? value : "");
