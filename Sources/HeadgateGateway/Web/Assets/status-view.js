// The gateway's state as tables and charts.

import { showCharts } from "./charts.js";
import { element, find } from "./dom.js";

export function showStatus(status) {
  find("figures").replaceChildren(...figures(status).flatMap(([name, value]) =>
    [element("div", {}, element("dt", {}, name), element("dd", {}, value))]));
  find("upstreams").replaceChildren(...status.upstreams.map(upstreamRow));
  find("recent").replaceChildren(...status.recent.map(requestRow));
  find("no-requests").hidden = status.recent.length > 0;
  showCharts(find("charts"), status);
  find("shown").classList.toggle("old", false);
  find("shown").hidden = false;
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
    ["Left by clients", whole(totals.client_gone)],
    ["Tokens", `${whole(totals.prompt_tokens)} in, ${whole(totals.completion_tokens)} out`],
  ];
}

function upstreamRow(upstream) {
  const [word, state] = upstream.reachable === null ? ["not asked yet", "unknown"]
    : upstream.reachable ? ["answers", "good"] : ["unreachable", "bad"];
  const error = upstream.last_error;
  const detail = error ? `${clock(error.at)} ${error.code}${error.detail ? `: ${error.detail}` : ""}` : "none";
  return row([upstream.name, upstream.kind, mark(word, state), number(whole(upstream.requests_in_flight)),
    number(whole(upstream.streams_in_flight)), detail]);
}

function requestRow(request) {
  const state = { finished: "good", upstream_failed: "bad", timed_out: "bad" }[request.outcome] ?? "warn";
  const word = request.outcome.replace("_", " ") + (request.error ? ` (${request.error})` : "");
  const { ttft_ms: first, prompt_tokens: prompt, completion_tokens: completion } = request;
  return row([clock(request.ended_at), mark(word, state), request.operation + (request.stream ? ", stream" : ""),
    request.model ?? "", request.upstream ?? "", request.key ?? "",
    number(first === undefined ? "" : milliseconds(first)), number(milliseconds(request.duration_ms)),
    number(completion === undefined ? "" : `${prompt ?? "?"} + ${completion}`)],
  { title: `x-request-id: ${request.id}` });
}

const row = (cells, attributes = {}) => element("tr", attributes,
  ...cells.map((cell) => (cell instanceof Element && cell.tagName === "TD" ? cell : element("td", {}, cell))));
const number = (text) => element("td", { class: "number" }, text);
/** Told by its word; the colour only repeats it. */
const mark = (word, state) => element("span", { class: `mark ${state}` }, word);

const whole = (value) => value.toLocaleString("en");
const clock = (time) => new Date(time).toLocaleTimeString("en", { hour12: false });

function milliseconds(value) {
  if (value >= 10_000) return `${(value / 1000).toFixed(1)} s`;
  return `${value < 10 ? value.toFixed(1) : value.toFixed(0)} ms`;
}

function span(seconds) {
  const days = Math.floor(seconds / 86_400);
  const hours = Math.floor(seconds / 3600) % 24;
  const minutes = Math.floor(seconds / 60) % 60;
  if (days > 0) return `${days} d ${hours} h`;
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`;
}
