// One chat completion, followed as it comes.

import { ask } from "./access.js";
import { events } from "./events.js";
import { Failure } from "./failure.js";
import { ToolCallAssembly } from "./tool-calls.js";

/**
 * Asks for an answer and fills `message` with what comes, calling `changed` after each event.
 * Throws a Failure, also when the stream ends before it says so; or an AbortError.
 */
export async function complete({ model, messages }, message, { signal, changed }) {
  const startedAt = performance.now();
  const calls = new ToolCallAssembly(message);
  let firstAt = null;
  const response = await ask("/v1/chat/completions", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ model, messages, stream: true, stream_options: { include_usage: true } }),
    signal,
  });
  try {
    for await (const event of events(response.body)) {
      if (event.data === "[DONE]") return;
      if (take(event.data, message, calls)) firstAt ??= performance.now();
      message.timing = timing(startedAt, firstAt);
      changed();
    }
  } catch (error) {
    if (error instanceof Failure || error.name === "AbortError") throw error;
    throw new Failure("The connection broke before the answer's end.");
  }
  throw new Failure("The answer broke off before its end.");
}

/** Milliseconds; `first` is null before there was any content. */
function timing(startedAt, firstAt) {
  return { first: firstAt === null ? null : firstAt - startedAt, total: performance.now() - startedAt };
}

/** Whether the event brought content. */
function take(data, message, calls) {
  let chunk;
  try {
    chunk = JSON.parse(data);
  } catch {
    throw new Failure("The answer holds an event that is not JSON.");
  }
  if (chunk?.error) throw Failure.inStream(chunk.error);
  if (chunk?.usage) {
    message.usage = { prompt: count(chunk.usage.prompt_tokens), completion: count(chunk.usage.completion_tokens) };
  }
  const choices = Array.isArray(chunk?.choices) ? chunk.choices : [];
  const choice = choices.find((one) => (one?.index ?? 0) === 0);
  // Some servers write an empty reason where there is none.
  if (string(choice?.finish_reason) !== "") message.finish = choice.finish_reason;
  const delta = choice?.delta;
  if (!delta) return false;
  const text = textOf(delta.content);
  // Two names for the same thing; some servers send both.
  const reasoning = string(delta.reasoning_content) || string(delta.reasoning);
  const refusal = string(delta.refusal);
  const fragments = Array.isArray(delta.tool_calls) ? delta.tool_calls : [];
  message.content += text;
  if (reasoning !== "") message.reasoning = (message.reasoning ?? "") + reasoning;
  if (refusal !== "") message.refusal = (message.refusal ?? "") + refusal;
  for (const fragment of fragments) calls.add(fragment);
  return text !== "" || reasoning !== "" || refusal !== "" || fragments.length > 0;
}

/** Content is a text, or a list of parts of which some are. */
const textOf = (content) =>
  (Array.isArray(content) ? content.map((part) => string(part?.text)).join("") : string(content));
const string = (value) => (typeof value === "string" ? value : "");
const count = (value) => (Number.isSafeInteger(value) && value >= 0 ? value : null);
