// The gateway's state: health and budgets as lists, requests and upstreams as tables.

import { showCharts } from "./charts.js";
import { element, find } from "./dom.js";
import { ago, clock, dollars, milliseconds, span, whole } from "./figures.js";
import { filtered, isFiltered } from "./filters.js";
import { showRequest } from "./request-view.js";
import { setText, showItems, showRows } from "./rows.js";
import { errorOf, outcomeOf } from "./terms.js";
import { locale, t } from "./words.js";

/** Requests that are shown before the reader wants all. */
const first = 25;
let showsAll = false;

export function showStatus(status) {
  showFigures(find("figures"), figures(status));
  showItems(find("health"), status.upstreams.map(healthItem));
  showRows(find("upstreams-rows"), status.upstreams.map(upstreamRow));
  showRows(find("models"), status.models.flatMap(({ name, targets }) =>
    targets.map((target) => targetRow(name, target))));
  find("models-section").hidden = status.models.length === 0;
  showItems(find("budgets"), status.budgets.map(budgetItem));
  find("budgets-section").hidden = status.budgets.length === 0;
  showRequests(filtered(status.recent));
  showCharts(find("charts"), status);
  find("shown").classList.toggle("old", false);
  find("shown").hidden = false;
}

function showRequests(requests) {
  showRows(find("recent"), (showsAll ? requests : requests.slice(0, first)).map(requestRow));
  find("more-requests").hidden = showsAll || requests.length <= first;
  setText(find("more-requests"), t("Show all {count}", { count: whole(requests.length) }));
  find("no-requests").hidden = requests.length > 0;
  setText(find("no-requests"),
    isFiltered() ? t("None of the last requests is like that.") : t("No request has gone to an upstream yet."));
}

/** Calls back when the reader wants to see all requests. */
export function onMore(changed) {
  find("more-requests").addEventListener("click", () => {
    showsAll = true;
    changed();
  });
}

function showFigures(list, named) {
  for (const [index, [name, value]] of named.entries()) {
    const shown = list.children[index]
      ?? list.appendChild(element("div", {}, element("dt", {}, t(name)), element("dd")));
    setText(shown.lastChild, value);
  }
}

function figures(status) {
  const { totals } = status;
  const failed = totals.upstream_failed + totals.timed_out;
  return [
    ["Requests in flight", whole(status.requests_in_flight)],
    ["Streams in flight", whole(status.streams_in_flight)],
    ["Finished", whole(totals.finished)],
    ["Failed", whole(failed)],
    ["Refused", whole(totals.refused)],
    ["Cancelled", whole(totals.client_gone)],
    ["Tokens", t("{prompt} in, {completion} out",
      { prompt: whole(totals.prompt_tokens), completion: whole(totals.completion_tokens) })],
    ["Up", span(status.uptime_seconds) + (status.is_draining ? t(", shutting down") : "")],
    ["Version", status.version],
    ...cached(totals),
  ];
}

/** Nothing where no model has a cache. */
function cached({ cache_hits: hits, cache_misses: misses }) {
  return hits + misses === 0 ? []
    : [["From the cache", t("{hits} of {all}", { hits: whole(hits), all: whole(hits + misses) })]];
}

function healthItem(upstream) {
  const [word, state] = reach(upstream);
  return { key: upstream.name, parts: [{ text: upstream.name, style: `name mark ${state}` },
    { text: word + resting(upstream), style: state }, { text: lastError(upstream.last_error), style: "detail" }] };
}

function upstreamRow(upstream) {
  const [word, state] = reach(upstream);
  return { key: upstream.name, cells: [words(upstream.name), words(upstream.kind),
    mark(word + resting(upstream) + running(upstream), state), number(load(upstream)),
    number(whole(upstream.streams_in_flight)), words(notes(upstream).join(" · ") || t("none"))] };
}

/** The state of the program that the gateway runs for it. */
function running({ program }) {
  if (!program) return "";
  const state = t({ stopped: "program stopped", starting: "program starting", ready: "program ready",
    stopping: "program stopping", failed: "program failed" }[program.state] ?? program.state);
  if (program.waiting === 0) return `, ${state}`;
  return `, ${t("{held}, {waiting} waiting", { held: state, waiting: whole(program.waiting) })}`;
}

/** Its last error, and the last lines of its program. */
function notes({ last_error: error, program }) {
  return [lastError(error), ...(program?.output ?? []).slice(-3)].filter((text) => text !== "");
}

function resting({ keys: { count, resting } }) {
  return resting > 0 ? t(", {resting} of {count} keys resting", { resting, count }) : "";
}

/** In words, with what the system said about it. */
function lastError(error) {
  if (!error) return "";
  const what = errorOf(error.code) + (error.detail ? `: ${error.detail}` : "");
  return Number.isNaN(Date.parse(error.at)) ? `${error.at} ${what}` : `${ago(error.at)}: ${what}`;
}

function reach(upstream) {
  if (upstream.offline) return [t("offline"), "bad"];
  if (upstream.healthy === false) return [t("fails its checks"), "bad"];
  if (upstream.reachable === null) {
    return upstream.healthy ? [t("passes its checks"), "good"] : [t("no request yet"), "unknown"];
  }
  return upstream.reachable ? [t("answers"), "good"] : [t("unreachable"), "bad"];
}

function load({ requests_in_flight: inFlight, in_flight_limit: limit, waiting }) {
  if (limit === undefined) return whole(inFlight);
  const held = t("{hits} of {all}", { hits: whole(inFlight), all: whole(limit) });
  return waiting > 0 ? t("{held}, {waiting} waiting", { held, waiting: whole(waiting) }) : held;
}

function targetRow(name, target) {
  const [word, state] = health(target);
  const { ttft_ms: first } = target;
  return { key: `${name} ${target.upstream} ${target.model ?? ""}`, cells: [words(name), words(target.upstream),
    words(target.model ?? ""), mark(word, state), number(whole(target.weight)),
    number(whole(target.requests_in_flight)), number(first === undefined ? "" : milliseconds(first))] };
}

function health({ breaker, open_until: until, usable }) {
  if (breaker === "open") return [t("breaker open until {time}", { time: clock(until) }), "bad"];
  if (!usable) return [t("left alone"), "warn"];
  return breaker === "half_open" ? [t("tried again"), "warn"] : [t("usable"), "good"];
}

function budgetItem({ kind, name, unit, every, amount, used, until }) {
  const whose = name === undefined ? t("all requests") : `${t(kind)} ${name}`;
  const left = used === undefined ? t("not known yet")
    : t("{left} left of {all}", { left: written(Math.max(0, amount - used), unit), all: written(amount, unit) });
  const state = used === undefined ? "" : used >= amount ? "bad" : used >= 0.8 * amount ? "warn" : "good";
  const end = Number.isNaN(Date.parse(until)) ? until
    : new Date(until).toLocaleString(locale, { dateStyle: "medium", timeStyle: "short" });
  return { key: whose, parts: [{ text: whose, style: "name" },
    { text: `${left}${t(periods.get(every) ?? "")}`, style: `mark ${state}` },
    { text: t("until {time}", { time: end }), style: "detail" }], meter: used === undefined ? 0 : used / amount };
}

const written = (value, unit) => (unit === "usd" ? dollars(value) : t("{count} tokens", { count: whole(value) }));
const periods = new Map([["hour", " this hour"], ["day", " today"], ["week", " this week"], ["month", " this month"]]);

function requestRow(request) {
  const state = { finished: "good", upstream_failed: "bad", timed_out: "bad" }[request.outcome] ?? "warn";
  const word = outcomeOf(request.outcome) + (request.error ? ` (${errorOf(request.error)})` : "");
  const { ttft_ms: first, prompt_tokens: prompt, completion_tokens: completion, cost_usd: cost } = request;
  const time = clock(request.ended_at);
  const operation = request.operation + (request.stream ? ", stream" : "");
  const label = [time, operation, request.model, word].filter(Boolean).join(", ");
  return { key: `${request.id} ${request.ended_at}`, title: `x-request-id: ${request.id}`, cells: [
    { ...number(time), act: () => showRequest(request), label }, mark(word, state),
    words(request.model ?? ""), words(place(request)), words(request.key ?? ""),
    number(completion === undefined ? "" : `${prompt === undefined ? "?" : whole(prompt)} + ${whole(completion)}`),
    number(cost === undefined ? "" : cost === null ? t("unknown") : dollars(cost)),
    number(first === undefined ? "" : milliseconds(first)), number(milliseconds(request.duration_ms))] };
}

function place({ upstream = "", attempts = [], cache }) {
  if (cache === "hit") return t("cache");
  return attempts.length < 2 ? upstream : t("{upstream} ({count} attempts)", { upstream, count: attempts.length });
}

const words = (text) => ({ text, style: "name" });
const number = (text) => ({ text, style: "number" });
/** Told by its word; the colour only repeats it. */
const mark = (text, state) => ({ text, style: `mark ${state}` });
