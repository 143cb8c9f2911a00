// Small charts, drawn as SVG elements. What they show stands in the tables too, and each has a sentence that says it.

import { element, shape } from "./dom.js";
import { setText } from "./rows.js";

const [width, height] = [320, 90];
const longest = 60;
/** Streams in flight, as often as the page has asked. */
const streams = [];

export function showCharts(place, status) {
  streams.push(status.streams_in_flight);
  if (streams.length > longest) streams.shift();
  const requests = status.recent.slice(0, longest).reverse();
  const first = requests.map((request) => request.ttft_ms).filter((value) => value !== undefined);
  const sentence = first.length === 0 ? "no request had content yet" : `median ${rounded(median(first))} ms`;
  const charts = [
    ["Streams in flight", `${streams.at(-1)} now, ${Math.max(...streams)} at most`, line(streams)],
    ["Time to the first content", sentence,
      bars(requests.map((request) => ({ value: request.ttft_ms ?? 0, kind: "good" })))],
    ["Duration by outcome", outcomes(requests),
      bars(requests.map((request) => ({ value: request.duration_ms, kind: kindOf(request.outcome) })))],
  ];
  for (const [index, chart] of charts.entries()) showChart(place, index, ...chart);
}

/** Draws one of the charts of a place anew. */
export function showChart(place, index, title, sentence, drawn) {
  show(place.children[index] ?? place.appendChild(frame(title)), title, sentence, drawn);
}

/** A chart without what changes. */
function frame(title) {
  return element("figure", {}, element("figcaption", {}, title, element("span", { class: "faint" })),
    shape("svg", { viewBox: `0 0 ${width} ${height}`, role: "img" }));
}

function show(figure, title, sentence, drawn) {
  const [caption, picture] = figure.children;
  setText(caption.lastChild, ` ${sentence}`);
  picture.setAttribute("aria-label", `${title}: ${sentence}`);
  picture.replaceChildren(
    shape("line", { class: "axis", x1: 0, x2: width, y1: height - 0.5, y2: height - 0.5 }), ...drawn);
}

function line(values) {
  const top = Math.max(1, ...values);
  // The last point stands clear of the edge.
  const end = width - 4;
  const step = end / (longest - 1);
  const points = values.map((value, index) => {
    const x = end - (values.length - 1 - index) * step;
    return `${x.toFixed(1)},${(height - 2 - (value / top) * (height - 8)).toFixed(1)}`;
  });
  const dot = points.at(-1).split(",");
  return [shape("polyline", { class: "line", points: points.join(" ") }),
    shape("circle", { class: "dot", cx: dot[0], cy: dot[1], r: 3 })];
}

/** A request that fails at once and one that streams for minutes are both to be seen. */
const logarithmic = (value) => Math.log10(1 + value);

/** The highest value is as high as there is room. */
export function bars(values, scale = logarithmic) {
  const top = Math.max(...values.map((each) => scale(each.value))) || 1;
  const step = width / longest;
  return values.map(({ value, kind }, index) => {
    const size = Math.max(value > 0 ? 2 : 0, (scale(value) / top) * (height - 6));
    return shape("rect", { class: `bar ${kind}`, x: (index + longest - values.length) * step + 0.5, width: step - 1,
      y: height - 1 - size, height: size });
  });
}

const kindOf = (outcome) => ({ finished: "good", upstream_failed: "bad", timed_out: "bad" })[outcome] ?? "warn";

function outcomes(requests) {
  const counts = { good: 0, bad: 0, warn: 0 };
  for (const request of requests) counts[kindOf(request.outcome)] += 1;
  return `${counts.good} finished, ${counts.bad} failed, ${counts.warn} other`;
}

function median(values) {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)];
}

const rounded = (value) => (value < 10 ? value.toFixed(1) : value.toFixed(0));
