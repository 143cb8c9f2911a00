// One answer, followed as it comes, in the form that its model speaks.

import { ask } from "./access.js";
import * as completions from "./completions-form.js";
import { events } from "./events.js";
import { Failure } from "./failure.js";
import * as messagesForm from "./messages-form.js";
import { forgetRoute, isAskedByMessages } from "./routes.js";
import { t } from "./words.js";

/**
 * Asks for an answer and fills `message` with what comes, calling `changed` after each event.
 * Throws a Failure, also when the stream ends before it says so; or an AbortError.
 */
export async function complete(request, message, { signal, changed }) {
  const { model, settings } = request;
  const startedAt = performance.now();
  const form = await isAskedByMessages(model, signal) ? messagesForm : completions;
  const response = await post(form.path, form.request(request), signal).catch((error) => {
    if (error.code === "dialect_not_spoken") forgetRoute(model);
    const others = form.otherSettings(settings, error);
    if (others !== null) return post(form.path, form.request({ ...request, settings: others }), signal);
    throw error;
  });
  await follow(response, response.headers.get("x-request-id"), form, message, { startedAt, changed });
}

/**
 * Goes on with the answer that `message` has a part of, where the gateway keeps it. Throws as complete does; a Failure
 * with the status 404 or 410 where it is gone.
 */
export async function goOn(message, { signal, changed }) {
  const { stream, form } = message.place;
  // Pieces of a call are put together by what came before them.
  const isAnew = message.toolCalls !== undefined;
  const headers = isAnew ? {} : { "Last-Event-ID": message.place.event };
  const response = await ask(pathOf(stream), { headers, signal });
  if (response.status === 204) {
    // The gateway has given all that it has: without a reason to finish, the end is not among it.
    if (message.finish) return;
    throw new Failure(t("The answer broke off before its end."));
  }
  if (isAnew) {
    for (const member of ["reasoning", "refusal", "finish", "toolCalls", "usage"]) delete message[member];
    message.content = "";
  }
  const startedAt = performance.now() - (message.timing?.total ?? 0);
  await follow(response, stream, forms.find(({ name }) => name === form) ?? completions, message, { startedAt, changed });
}

/** Ends an answer that goes on without this page. */
export function stopStream({ stream }) {
  ask(pathOf(stream), { method: "DELETE", keepalive: true }).catch(() => {});
}

const forms = [completions, messagesForm];
const pathOf = (stream) => `/v1/streams/${encodeURIComponent(stream)}`;

/** `stream` is the name under which the gateway keeps it, if its events have ids. */
async function follow(response, stream, form, message, { startedAt, changed }) {
  const first = message.timing?.first ?? null;
  let firstAt = first === null ? null : startedAt + first;
  const reader = new form.Reader(message);
  try {
    for await (const event of events(response.body)) {
      if (event.data === "[DONE]") {
        if (form.endsWithMark) return;
        continue;
      }
      const { isEnd, isContent } = reader.take(parsed(event.data));
      if (isContent) firstAt ??= performance.now();
      if (event.id !== "" && stream !== null) message.place = { stream, event: event.id, form: form.name };
      message.timing = timing(startedAt, firstAt);
      changed();
      if (isEnd) return;
    }
  } catch (error) {
    if (error instanceof Failure || error.name === "AbortError") throw error;
    throw new Failure(t("The connection broke before the answer's end."), { isPassing: true });
  }
  throw new Failure(t("The answer broke off before its end."), { isPassing: true });
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
    throw new Failure(t("The answer holds an event that is not JSON."));
  }
}
