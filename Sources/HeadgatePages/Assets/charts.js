// Small charts of bars, with axes. The value of a bar is shown when the pointer is on it, or an arrow key leads there.

import { element, shape } from "./dom.js";
import { milliseconds, whole } from "./figures.js";
import { setText } from "./rows.js";
import { outcomeOf } from "./terms.js";
import { t } from "./words.js";

const [width, height] = [300, 100];
const longest = 60;
/** Streams in flight, as often as the page has asked. */
const streams = [];
/** Of each chart, by its figure: the bars that it shows, and which of them is looked at. */
const states = new WeakMap();

export function showCharts(place, status) {
  streams.push(status.streams_in_flight);
  if (streams.length > longest) streams.shift();
  const requests = status.recent.slice(0, longest).reverse();
  const first = requests.map((request) => request.ttft_ms).filter((value) => value !== undefined);
  const age = (index, list) => t("{count} s ago", { count: list.length - 1 - index });
  const named = (request) => request.model ?? request.operation;
  showChart(place, 0, { title: t("Streams in flight"), format: whole, from: t("{count} s ago", { count: longest }),
    to: t("now"), sentence: t("{now} now, {most} at most", { now: streams.at(-1), most: Math.max(...streams) }),
    bars: streams.map((value, index) => ({ value, label: age(index, streams) })) });
  showChart(place, 1, { title: t("Time to the first content"), format: milliseconds, from: t("older"), to: t("latest"),
    sentence: first.length === 0 ? t("no request had content yet")
      : t("median {time}", { time: milliseconds(median(first)) }),
    bars: requests.map((request) => ({ value: request.ttft_ms ?? 0, label: named(request) })) });
  showChart(place, 2, { title: t("Duration by outcome"), format: milliseconds, from: t("older"), to: t("latest"),
    sentence: outcomes(requests), bars: requests.map((request) => ({ value: request.duration_ms,
      kind: kindOf(request.outcome), label: `${named(request)}, ${outcomeOf(request.outcome)}` })) });
}

/**
 * Draws a chart of a place anew: `{title, sentence, bars, format, from, to, room}`, each bar `{value, kind, label}`.
 * `from` and `to` are the ends of the lower axis, with room for `room` bars; `format` writes a value.
 */
export function showChart(place, index, chart) {
  const figure = place.children[index] ?? place.appendChild(frame(chart.title));
  const state = states.get(figure);
  state.chart = chart;
  state.top = Math.max(...chart.bars.map(({ value }) => value), 0);
  const [caption, plot] = figure.children;
  const [most, picture, none, ends] = plot.children;
  setText(caption.lastChild, chart.sentence);
  picture.setAttribute("aria-label", `${chart.title}: ${chart.sentence}`);
  setText(most, state.top === 0 ? "" : chart.format(state.top));
  setText(none, chart.format(0));
  setText(ends.firstChild, chart.from);
  setText(ends.lastChild, chart.to);
  picture.replaceChildren(...[0.5, height / 2, height - 0.5].map((y) =>
    shape("line", { class: "axis", x1: 0, x2: width, y1: y, y2: y })), ...rectangles(chart, state.top));
  look(figure, state.at);
}

/** A chart without what changes. */
function frame(title) {
  const move = ({ key }) => {
    const { at, chart } = states.get(figure);
    const last = chart.bars.length - 1;
    if (key === "ArrowLeft") look(figure, Math.max(0, (at ?? last + 1) - 1));
    if (key === "ArrowRight") look(figure, Math.min(last, (at ?? last - 1) + 1));
  };
  const point = ({ offsetX }) => {
    const { chart } = states.get(figure);
    const { bars, room = longest } = chart;
    look(figure, Math.floor((offsetX / picture.clientWidth) * room) - (room - bars.length));
  };
  const picture = shape("svg", { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", role: "img",
    tabindex: 0, keydown: move, pointermove: point, pointerleave: () => look(figure, null),
    blur: () => look(figure, null) });
  const figure = element("figure", {},
    element("figcaption", {}, element("strong", {}, title), " ", element("span", { class: "faint" })),
    element("div", { class: "plot" }, element("span", { class: "most" }), picture, element("span", { class: "none" }),
      element("span", { class: "ends" }, element("span"), element("span"))),
    element("output", { class: "value" }));
  states.set(figure, { at: null });
  return figure;
}

/** Shows the value of a bar; of none where there is no such bar. */
function look(figure, at) {
  const state = states.get(figure);
  const bar = at === null ? undefined : state.chart.bars[at];
  state.at = bar === undefined ? null : at;
  setText(figure.lastChild, bar === undefined ? "" : `${bar.label}: ${state.chart.format(bar.value)}`);
  const drawn = figure.querySelectorAll("rect");
  for (const [index, rectangle] of drawn.entries()) rectangle.classList.toggle("looked", index === state.at);
}

function rectangles({ bars, room = longest }, top) {
  const step = width / room;
  return bars.map(({ value, kind = "good" }, index) => {
    const size = Math.max(value > 0 ? 2 : 0, top === 0 ? 0 : (value / top) * (height - 4));
    return shape("rect", { class: `bar ${kind}`, x: (index + room - bars.length) * step + 0.5, width: step - 1,
      y: height - 1 - size, height: size });
  });
}

const kindOf = (outcome) => ({ finished: "good", upstream_failed: "bad", timed_out: "bad" })[outcome] ?? "warn";

function outcomes(requests) {
  const counts = { good: 0, bad: 0, warn: 0 };
  for (const request of requests) counts[kindOf(request.outcome)] += 1;
  return t("{good} finished, {bad} failed, {warn} other", counts);
}

function median(values) {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)];
}
