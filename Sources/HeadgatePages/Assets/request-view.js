// One request with all that is known of it, and its attempts. It stays as it was when it was opened.

import { element, find } from "./dom.js";
import { dollars, milliseconds } from "./figures.js";
import { showRows } from "./rows.js";

export function showRequest(request) {
  const facts = Object.entries(named(request)).filter(([, value]) => value !== undefined);
  find("request-facts").replaceChildren(...facts.map(([name, value]) =>
    element("div", {}, element("dt", {}, name), element("dd", {}, String(value)))));
  const attempts = request.attempts ?? [];
  showRows(find("attempts"), attempts.map((attempt, index) => ({ key: `${index}`, cells: [
    { text: attempt.upstream + (attempt.key_number === undefined ? "" : `, key ${attempt.key_number}`) },
    { text: attempt.model ?? "" },
    { text: attempt.error ?? "response", style: attempt.error ? "mark bad" : "mark good" },
    { text: milliseconds(attempt.duration_ms), style: "number" }] })));
  find("attempts-section").hidden = attempts.length === 0;
  find("request").showModal();
}

function named(request) {
  return {
    "Request id": request.id, "Trace id": request.trace_id,
    Ended: new Date(request.ended_at).toLocaleString("en", { hour12: false }),
    Operation: request.operation, Outcome: request.outcome.replace("_", " "), Status: request.status,
    Error: request.error, Detail: request.detail, Model: request.model, Key: request.key,
    Upstream: request.upstream, "Upstream's status": request.upstream_status, "Finish reason": request.finish_reason,
    "First content": request.ttft_ms === undefined ? undefined : milliseconds(request.ttft_ms),
    Duration: milliseconds(request.duration_ms),
    "Prompt tokens": request.prompt_tokens, "Completion tokens": request.completion_tokens,
    "Token source": request.token_source,
    "Cached tokens": request.cached_tokens, Cost: cost(request.cost_usd), Cache: request.cache,
    "After the client left": request.after_leaving, Hedge: request.hedge,
    "Injected fault": request.fault,
  };
}

/** Null for what is not known. */
const cost = (value) => (value === null ? "unknown" : value === undefined ? undefined : dollars(value));

find("request-close").addEventListener("click", () => find("request").close());
