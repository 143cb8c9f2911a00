// Server-Sent Events out of a response's bytes, by the rules of the HTML standard.

/** The events of a body, each `{type, data, id}`. Ends with the body; an event without its blank line is dropped. */
export async function* events(body) {
  const reader = body.getReader();
  // Keeps what is left of a character that is split over two pieces.
  const decoder = new TextDecoder();
  const parser = new EventParser();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      yield* parser.push(done ? decoder.decode() : decoder.decode(value, { stream: true }));
      if (done) return;
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

export class EventParser {
  #rest = "";
  #type = "";
  #data = [];
  #id = "";

  /** The events that are complete with this text. */
  push(text) {
    // A carriage return at the very end may be the first half of a line break.
    const lines = (this.#rest + text).split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop();
    return lines.map((line) => this.#take(line)).filter((event) => event !== null);
  }

  #take(line) {
    if (line === "") return this.#dispatch();
    const colon = line.indexOf(":");
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (name === "data") this.#data.push(value);
    else if (name === "event") this.#type = value;
    else if (name === "id") this.#id = value;
    return null;
  }

  #dispatch() {
    const event = this.#data.length > 0 ? { type: this.#type || "message", data: this.#data.join("\n"), id: this.#id }
      : null;
    this.#type = "";
    this.#data = [];
    return event;
  }
}
