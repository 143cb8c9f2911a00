// The gateway's state as tables and charts.

import { showCharts } from "./charts.js";
import { element, find } from "./dom.js";
import { clock, dollars, milliseconds, span, whole } from "./figures.js";
import { filtered, isFiltered } from "./filters.js";
import { showRequest } from "./request-view.js";
import { setText, showRows } from "./rows.js";

export function showStatus(status) {
  showFigures(find("figures"), figures(status));
  showRows(find("upstreams"), status.upstreams.map(upstreamRow));
  showRows(find("models"), status.models.flatMap(({ name, targets }) => targets.map((target) => targetRow(name, target))));
  find("models-section").hidden = status.models.length === 0;
  showRows(find("budgets"), status.budgets.map(budgetRow));
  find("budgets-section").hidden = status.budgets.length === 0;
  const requests = filtered(status.recent);
  showRows(find("recent"), requests.map(requestRow));
  find("no-requests").hidden = requests.length > 0;
  setText(find("no-requests"),
    isFiltered() ? "None of the last requests is like that." : "No request has gone to an upstream yet.");
  showCharts(find("charts"), status);
  find("shown").classList.toggle("old", false);
  find("shown").hidden = false;
}

function showFigures(list, named) {
  for (const [index, [name, value]] of named.entries()) {
    const shown = list.children[index]
      ?? list.appendChild(element("div", {}, element("dt", {}, name), element("dd")));
    setText(shown.lastChild, value);
  }
}

function figures(status) {
  const { totals } = status;
  const failed = totals.upstream_failed + totals.timed_out;
  const ended = failed + totals.finished + totals.client_gone + totals.refused + totals.drained;
  return [
    ["Up", span(status.uptime_seconds) + (status.is_draining ? ", shutting down" : "")],
    ["Version", status.version],
    ["Requests in flight", whole(status.requests_in_flight)],
    ["Streams in flight", whole(status.streams_in_flight)],
    ["Requests", whole(ended)],
    ["Finished", whole(totals.finished)],
    ["Failed", whole(failed)],
    ["Refused", whole(totals.refused)],
    ["Cancelled", whole(totals.client_gone)],
    ["Tokens", `${whole(totals.prompt_tokens)} in, ${whole(totals.completion_tokens)} out`],
    ...cached(totals),
  ];
}

/** Nothing where no model has a cache. */
function cached({ cache_hits: hits, cache_misses: misses }) {
  return hits + misses === 0 ? [] : [["From the cache", `${whole(hits)} of ${whole(hits + misses)}`]];
}

function upstreamRow(upstream) {
  const [word, state] = reach(upstream);
  const { count, resting } = upstream.keys;
  const keys = resting > 0 ? `, ${resting} of ${count} keys resting` : "";
  const error = upstream.last_error;
  const detail = error ? `${clock(error.at)} ${error.code}${error.detail ? `: ${error.detail}` : ""}` : "none";
  return { key: upstream.name, cells: [words(upstream.name), words(upstream.kind), mark(word + keys, state),
    number(load(upstream)), number(whole(upstream.streams_in_flight)), words(detail)] };
}

function reach(upstream) {
  if (upstream.offline) return ["offline", "bad"];
  if (upstream.healthy === false) return ["fails its checks", "bad"];
  if (upstream.reachable === null) return upstream.healthy ? ["passes its checks", "good"] : ["not asked yet", "unknown"];
  return upstream.reachable ? ["answers", "good"] : ["unreachable", "bad"];
}

function load({ requests_in_flight: inFlight, in_flight_limit: limit, waiting }) {
  if (limit === undefined) return whole(inFlight);
  return `${whole(inFlight)} of ${whole(limit)}${waiting > 0 ? `, ${whole(waiting)} waiting` : ""}`;
}

function targetRow(name, target) {
  const [word, state] = health(target);
  const { ttft_ms: first } = target;
  return { key: `${name} ${target.upstream} ${target.model ?? ""}`, cells: [words(name), words(target.upstream),
    words(target.model ?? ""), mark(word, state), number(whole(target.weight)),
    number(whole(target.requests_in_flight)), number(first === undefined ? "" : milliseconds(first))] };
}

function health({ breaker, open_until: until, usable }) {
  if (breaker === "open") return [`breaker open until ${clock(until)}`, "bad"];
  if (!usable) return ["left alone", "warn"];
  return breaker === "half_open" ? ["tried again", "warn"] : ["usable", "good"];
}

function budgetRow({ kind, name, unit, every, amount, used, until }) {
  const whose = name === undefined ? "all requests" : `${kind} ${name}`;
  const written = (value) => (unit === "usd" ? dollars(value) : whole(value) + " tokens");
  const [word, state] = room(used, amount);
  return { key: whose, cells: [words(whose), mark(word, state), number(used === undefined ? "" : written(used)),
    number(`${written(amount)} each ${every}`), words(until.slice(0, 16).replace("T", " ") + " UTC")] };
}

function room(used, amount) {
  if (used === undefined) return ["not known yet", "unknown"];
  if (used >= amount) return ["used up", "bad"];
  return [`${Math.floor(100 * used / amount)} % used`, used >= 0.8 * amount ? "warn" : "good"];
}

function requestRow(request) {
  const state = { finished: "good", upstream_failed: "bad", timed_out: "bad" }[request.outcome] ?? "warn";
  const word = request.outcome.replace("_", " ") + (request.error ? ` (${request.error})` : "");
  const { ttft_ms: first, prompt_tokens: prompt, completion_tokens: completion } = request;
  const time = clock(request.ended_at);
  const operation = request.operation + (request.stream ? ", stream" : "");
  const label = [time, operation, request.model, word].filter(Boolean).join(", ");
  return { key: `${request.id} ${request.ended_at}`, title: `x-request-id: ${request.id}`, cells: [
    { ...number(time), act: () => showRequest(request), label }, mark(word, state), words(operation),
    words(request.model ?? ""), words(place(request)), words(request.key ?? ""),
    number(first === undefined ? "" : milliseconds(first)), number(milliseconds(request.duration_ms)),
    number(completion === undefined ? "" : `${prompt ?? "?"} + ${completion}`)] };
}

function place({ upstream = "", attempts = [], cache }) {
  if (cache === "hit") return "cache";
  return attempts.length < 2 ? upstream : `${upstream} (${attempts.length} attempts)`;
}

const words = (text) => ({ text });
const number = (text) => ({ text, style: "number" });
/** Told by its word; the colour only repeats it. */
const mark = (text, state) => ({ text, style: `mark ${state}` });
