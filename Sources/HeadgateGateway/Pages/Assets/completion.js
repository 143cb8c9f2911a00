// One answer, followed as it comes, in the form that its model speaks.

import { ask } from "./access.js";
import * as completions from "./completions-form.js";
import { events } from "./events.js";
import { Failure } from "./failure.js";
import * as messagesForm from "./messages-form.js";
import { forgetRoute, isAskedByMessages } from "./routes.js";

/**
 * Asks for an answer and fills `message` with what comes, calling `changed` after each event.
 * Throws a Failure, also when the stream ends before it says so; or an AbortError.
 */
export async function complete({ model, messages }, message, { signal, changed }) {
  const startedAt = performance.now();
  let firstAt = null;
  const form = await isAskedByMessages(model, signal) ? messagesForm : completions;
  const reader = new form.Reader(message);
  const response = await post(form.path, form.request(model, messages), signal).catch((error) => {
    if (error.code === "dialect_not_spoken") forgetRoute(model);
    throw error;
  });
  try {
    for await (const event of events(response.body)) {
      if (event.data === "[DONE]") {
        if (form.endsWithMark) return;
        continue;
      }
      const { isEnd, isContent } = reader.take(parsed(event.data));
      if (isContent) firstAt ??= performance.now();
      message.timing = timing(startedAt, firstAt);
      changed();
      if (isEnd) return;
    }
  } catch (error) {
    if (error instanceof Failure || error.name === "AbortError") throw error;
    throw new Failure("The connection broke before the answer's end.");
  }
  throw new Failure("The answer broke off before its end.");
}

const post = (path, body, signal) => ask(path, {
  method: "POST",
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify(body),
  signal,
});

/** Milliseconds; `first` is null before there was any content. */
function timing(startedAt, firstAt) {
  return { first: firstAt === null ? null : firstAt - startedAt, total: performance.now() - startedAt };
}

function parsed(data) {
  try {
    return JSON.parse(data);
  } catch {
    throw new Failure("The answer holds an event that is not JSON.");
  }
}
