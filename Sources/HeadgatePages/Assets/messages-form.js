// Anthropic's Messages: what is asked, and what the events of an answer mean.

import { Failure } from "./failure.js";
import { fenced } from "./text-file.js";

/** The form demands a limit; current models of Anthropic allow at least so many tokens. */
const longestAnswer = 8192;

export const path = "/v1/messages";

export const name = "messages";

/** Whether `[DONE]` ends an answer. */
export const endsWithMark = false;

/** The request of a conversation; rules that stand first in it have a place of their own. */
export function request({ model, messages, settings }) {
  const system = messages.filter(({ role }) => role === "system").map(({ content }) => content).join("\n\n");
  const said = messages.filter(({ role }) => role !== "system");
  return {
    model,
    max_tokens: Math.max(1, settings.maxTokens ?? longestAnswer),
    messages: said.map(({ role, content, attachments }) => ({ role, content: contentWith(content, attachments) })),
    ...(settings.temperature === undefined ? {} : { temperature: Math.min(settings.temperature, 1) }),
    ...(settings.topP === undefined ? {} : { top_p: settings.topP }),
    stream: true,
    ...(system === "" ? {} : { system }),
  };
}

export const otherSettings = () => null;

/** A text alone where that is all. */
function contentWith(content, attachments) {
  if (attachments.length === 0) return content;
  const blocks = attachments.map(({ name, type, data, text }) => {
    if (text !== undefined) return { type: "text", text: fenced(name, text) };
    const source = { type: "base64", media_type: type, data };
    return type === "application/pdf" ? { type: "document", source, title: name } : { type: "image", source };
  });
  return content.trim() === "" ? blocks : [...blocks, { type: "text", text: content }];
}

/** Fills a message with what the events bring. */
export class Reader {
  #message;
  #calls = new Map();

  constructor(message) {
    this.#message = message;
  }

  /** Takes the next event: `{isEnd, isContent}`. Throws a Failure. */
  take(event) {
    switch (event?.type) {
      case "error": throw Failure.inStream(event.error);
      case "message_stop": return { isEnd: true };
      case "message_start":
        this.#count(event.message?.usage);
        return {};
      case "message_delta":
        this.#count(event.usage);
        if (typeof event.delta?.stop_reason === "string") {
          this.#message.finish = reasons.get(event.delta.stop_reason) ?? event.delta.stop_reason;
        }
        return {};
      case "content_block_start": return { isContent: this.#add(event.index, event.content_block) };
      case "content_block_delta": return { isContent: this.#add(event.index, event.delta) };
      default: return {};
    }
  }

  /** Whether the piece of a block brought anything. */
  #add(index, piece) {
    const message = this.#message;
    const [text, thinking] = [string(piece?.text), string(piece?.thinking)];
    if (piece?.type === "tool_use") {
      const call = { name: string(piece.name), arguments: "" };
      this.#calls.set(index, call);
      (message.toolCalls ??= []).push(call);
    } else if (piece?.type === "input_json_delta" && this.#calls.has(index)) {
      this.#calls.get(index).arguments += string(piece.partial_json);
    } else {
      message.content += text;
      if (thinking !== "") message.reasoning = (message.reasoning ?? "") + thinking;
      return text !== "" || thinking !== "";
    }
    return true;
  }

  /** What was read from a cache counts too. The last count stands. */
  #count(usage) {
    const counts = this.#message.usage ??= { prompt: null, completion: null };
    const prompt = [usage?.input_tokens, usage?.cache_creation_input_tokens, usage?.cache_read_input_tokens];
    if (count(prompt[0]) !== null) counts.prompt = prompt.reduce((sum, part) => sum + (count(part) ?? 0), 0);
    counts.completion = count(usage?.output_tokens) ?? counts.completion;
  }
}

/** The same ends in the words of chat completions; other words stay. */
const reasons = new Map([
  ["end_turn", "stop"], ["stop_sequence", "stop"], ["max_tokens", "length"], ["tool_use", "tool_calls"],
  ["model_context_window_exceeded", "length"],
]);

const string = (value) => (typeof value === "string" ? value : "");
const count = (value) => (Number.isSafeInteger(value) && value >= 0 ? value : null);
