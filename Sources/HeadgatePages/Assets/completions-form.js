// OpenAI's chat completions: what is asked, and what the events of an answer mean.

import { Failure } from "./failure.js";
import { fenced } from "./text-file.js";
import { ToolCallAssembly } from "./tool-calls.js";

export const path = "/v1/chat/completions";

export const name = "completions";

/** Whether `[DONE]` ends an answer. */
export const endsWithMark = true;

export const request = ({ model, messages, settings }) => ({
  model,
  messages: messages.map(({ role, content, attachments }) => ({ role, content: contentWith(content, attachments) })),
  ...(settings.temperature === undefined ? {} : { temperature: settings.temperature }),
  ...(settings.topP === undefined ? {} : { top_p: settings.topP }),
  ...(settings.maxTokens === undefined ? {} : { [limitOf(settings)]: settings.maxTokens }),
  stream: true,
  stream_options: { include_usage: true },
});

/** Newer models of OpenAI's refuse the name of the limit that all other servers know. */
const limitOf = ({ namesCompletionTokens }) => (namesCompletionTokens ? "max_completion_tokens" : "max_tokens");

/** Other settings for which a refused request may be tried again; null when there are none. */
export function otherSettings(settings, failure) {
  const isOther = failure.status === 400 && failure.message.includes("max_completion_tokens");
  return isOther && settings.maxTokens !== undefined && !settings.namesCompletionTokens
    ? { ...settings, namesCompletionTokens: true } : null;
}

/** A text alone where that is all: not every server takes a list. */
function contentWith(content, attachments) {
  if (attachments.length === 0) return content;
  const files = attachments.map(({ name, type, data, text }) => {
    if (text !== undefined) return { type: "text", text: fenced(name, text) };
    const address = `data:${type};base64,${data}`;
    return type === "application/pdf" ? { type: "file", file: { filename: name, file_data: address } }
      : { type: "image_url", image_url: { url: address } };
  });
  if (files.every(({ type }) => type === "text")) {
    return [...files.map(({ text }) => text), content].join("\n\n").trim();
  }
  return content.trim() === "" ? files : [...files, { type: "text", text: content }];
}

/** Fills a message with what the events bring. */
export class Reader {
  #message;
  #calls;

  constructor(message) {
    this.#message = message;
    this.#calls = new ToolCallAssembly(message);
  }

  /** Takes the next chunk: `{isContent}`. Throws a Failure. */
  take(chunk) {
    const message = this.#message;
    if (chunk?.error) throw Failure.inStream(chunk.error);
    if (chunk?.usage) {
      message.usage = { prompt: count(chunk.usage.prompt_tokens), completion: count(chunk.usage.completion_tokens) };
    }
    const choices = Array.isArray(chunk?.choices) ? chunk.choices : [];
    const choice = choices.find((one) => (one?.index ?? 0) === 0);
    // Some servers write an empty reason where there is none.
    if (string(choice?.finish_reason) !== "") message.finish = choice.finish_reason;
    const delta = choice?.delta;
    if (!delta) return {};
    const text = textOf(delta.content);
    // Two names for the same thing; some servers send both.
    const reasoning = string(delta.reasoning_content) || string(delta.reasoning);
    const refusal = string(delta.refusal);
    const fragments = Array.isArray(delta.tool_calls) ? delta.tool_calls : [];
    message.content += text;
    if (reasoning !== "") message.reasoning = (message.reasoning ?? "") + reasoning;
    if (refusal !== "") message.refusal = (message.refusal ?? "") + refusal;
    for (const fragment of fragments) this.#calls.add(fragment);
    return { isContent: text !== "" || reasoning !== "" || refusal !== "" || fragments.length > 0 };
  }
}

/** Content is a text, or a list of parts of which some are. */
const textOf = (content) =>
  (Array.isArray(content) ? content.map((part) => string(part?.text)).join("") : string(content));
const string = (value) => (typeof value === "string" ? value : "");
const count = (value) => (Number.isSafeInteger(value) && value >= 0 ? value : null);
