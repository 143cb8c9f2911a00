// One request with all that is known of it: facts, attempts, and its content if that is stored. It stays as it was when
// it was opened.

import { element, find } from "./dom.js";
import { dollars, milliseconds, whole } from "./figures.js";
import { hideInspection, showInspection } from "./inspection-view.js";
import { showRows } from "./rows.js";
import { errorOf, outcomeOf } from "./terms.js";
import { locale, t } from "./words.js";

export function showRequest(request) {
  const facts = Object.entries(named(request)).filter(([, value]) => value !== undefined);
  find("request-facts").replaceChildren(...facts.map(([name, value]) =>
    element("div", {}, element("dt", {}, t(name)), element("dd", {}, String(value)))));
  const attempts = request.attempts ?? [];
  showRows(find("attempts"), attempts.map((attempt, index) => ({ key: `${index}`, cells: [
    { text: attempt.upstream + keyOf(attempt) },
    { text: attempt.model ?? "" },
    { text: error(attempt.error) ?? t("response"),
      style: attempt.error ? "mark bad" : "mark good" },
    { text: milliseconds(attempt.duration_ms), style: "number" }] })));
  find("attempts-section").hidden = attempts.length === 0;
  find("request").showModal();
  showInspection(request);
}

function named(request) {
  return {
    "Request id": request.id, "Trace id": request.trace_id,
    Ended: new Date(request.ended_at).toLocaleString(locale, { hour12: false }),
    Operation: request.operation, Outcome: outcomeOf(request.outcome), Status: request.status,
    Error: error(request.error), Detail: request.detail, Model: request.model, Key: request.key,
    Upstream: request.upstream, "Upstream's status": request.upstream_status, "Finish reason": request.finish_reason,
    "First content": request.ttft_ms === undefined ? undefined : milliseconds(request.ttft_ms),
    Duration: milliseconds(request.duration_ms),
    "Prompt tokens": count(request.prompt_tokens), "Completion tokens": count(request.completion_tokens),
    "Token source": request.token_source, "Cached tokens": count(request.cached_tokens),
    Cost: cost(request.cost_usd), Cache: request.cache,
    "After the client left": request.after_leaving, Hedge: request.hedge,
    "Injected fault": request.fault,
  };
}

const keyOf = ({ key_number: number }) => (number === undefined ? "" : t(", key {number}", { number }));

const count = (value) => (value === undefined ? undefined : whole(value));

/** In words, with the code by which logs and documents know it. */
const error = (code) => (code === undefined || errorOf(code) === code ? code : `${errorOf(code)} (${code})`);

/** Null for what is not known. */
const cost = (value) => (value === null ? t("unknown") : value === undefined ? undefined : dollars(value));

find("request-close").addEventListener("click", () => find("request").close());
find("request").addEventListener("close", hideInspection);
