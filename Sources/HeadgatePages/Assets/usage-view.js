// What requests have used: today and this month by key and model, and the last hour by minute. The gateway
// keeps it, over restarts too.

import { ask } from "./access.js";
import { bars, showChart } from "./charts.js";
import { element, find } from "./dom.js";
import { dollars, whole } from "./figures.js";
import { setText, showRows } from "./rows.js";

/** Between two questions, in milliseconds: the answer is a sum over all of the month's requests. */
const interval = 30_000;
let askedAt = -Infinity;

/** Asks anew when it is time to. */
export async function showUsage() {
  if (performance.now() - askedAt < interval) return;
  askedAt = performance.now();
  try {
    // One after the other: the gateway answers few of these at a time.
    showHour(find("hour"), await usage("minute", "60m"));
    showSums(find("usage-keys"), await usage("key", today()), await usage("key", month()));
    showSums(find("usage-models"), await usage("model", today()), await usage("model", month()));
    notice("");
  } catch (failure) {
    // Where none is kept, that is how it was configured.
    if (failure.status === 404) askedAt = Infinity;
    notice(failure.message);
  }
}

async function usage(by, since) {
  return (await (await ask(`/v1/usage?by=${by}&since=${since}`)).json()).rows;
}

const today = () => since(new Date(new Date().setHours(0, 0, 0, 0)));
const month = () => since(new Date(new Date().getFullYear(), new Date().getMonth(), 1));
const since = (begin) => `${Math.max(1, Math.ceil((Date.now() - begin) / 1000))}s`;

function notice(text) {
  find("usage-shown").hidden = text !== "";
  setText(find("usage-notice"), text);
  find("usage-notice").hidden = text === "";
}

function showSums(body, day, month) {
  const days = new Map(day.map((row) => [row.name, row]));
  showRows(body, month.map((row) => ({ key: row.name, cells: [
    { text: row.name === "" ? "none" : row.name }, ...sums(days.get(row.name)), ...sums(row)] })));
}

function sums(row) {
  if (row === undefined) return ["", "", ""].map((text) => ({ text, style: "number" }));
  const texts = [whole(row.requests), whole(row.prompt_tokens + row.completion_tokens), cost(row)];
  return texts.map((text) => ({ text, style: "number" }));
}

/** With a sign where some of it is not known, or estimated. */
function cost({ cost_usd: known, cost_unknown_requests: unknown, estimated_requests: estimated }) {
  if (known === null) return "unknown";
  const sign = unknown > 0 ? "\u2265 " : estimated > 0 ? "\u2248 " : "";
  return `${sign}${dollars(known)}`;
}

/** One bar for each minute, the present one last. */
function showHour(place, rows) {
  const now = Math.floor(Date.now() / 60_000);
  const named = new Map(rows.map((row) => [Math.floor(Date.parse(row.name) / 60_000), row]));
  const minutes = Array.from({ length: 60 }, (_, index) => named.get(now - 59 + index));
  const tokens = (row) => (row ? row.prompt_tokens + row.completion_tokens : 0);
  const charts = [
    ["Requests by minute", minutes.map((row) => row?.requests ?? 0)],
    ["Tokens by minute", minutes.map(tokens)],
    ["Cost by minute", minutes.map((row) => row?.cost_usd ?? 0)],
  ];
  for (const [index, [title, values]] of charts.entries()) {
    const sum = values.reduce((one, other) => one + other, 0);
    const shown = title.startsWith("Cost") ? dollars(sum) : whole(sum);
    const drawn = bars(values.map((value) => ({ value, kind: "good" })), (value) => value);
    showChart(place, index, title, `${shown} in the last hour`, drawn);
  }
}
