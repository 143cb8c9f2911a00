// What requests have cost: today and this month in sums, by key and by model, with the charts behind them. The gateway
// stores it, over restarts too.

import { ask } from "./access.js";
import { showChart } from "./charts.js";
import { find } from "./dom.js";
import { clock, day as dayOf, dollars, whole } from "./figures.js";
import { setText, showRows } from "./rows.js";
import { t } from "./words.js";

/** Between two queries, in milliseconds: the response is a sum over all of the month's requests. */
const interval = 30_000;
/** Rows of the short tables. */
const most = 4;
let askedAt = -Infinity;

/** Queries again when it is time to. */
export async function showMoney() {
  if (performance.now() - askedAt < interval) return;
  askedAt = performance.now();
  try {
    // One after the other: the gateway answers few of these at once.
    const keys = [await usage("key", today()), await usage("key", month())];
    showTotals(...keys.map(sumOf));
    showSums("keys", ...keys);
    showSums("models", await usage("model", today()), await usage("model", month()));
    showDays(find("days"), await usage("day", since(Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth()))));
    showHour(find("hour"), await usage("minute", "60m"));
    notice("");
  } catch (failure) {
    // A gateway without a ledger was configured so.
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
  for (const [place, shown] of [["usage-notice", "usage-shown"], ["money-notice", "money"]]) {
    find(shown).hidden = text !== "";
    setText(find(place), text);
    find(place).hidden = text === "";
  }
}

function sumOf(rows) {
  const add = (name) => rows.reduce((sum, row) => sum + (row[name] ?? 0), 0);
  const names = ["requests", "prompt_tokens", "completion_tokens", "cost_usd", "cost_unknown_requests",
    "estimated_requests"];
  const sum = Object.fromEntries(names.map((name) => [name, add(name)]));
  // A sum of which nothing is known is not 0.
  if (rows.length > 0 && rows.every((row) => row.cost_usd === null)) sum.cost_usd = null;
  return sum;
}

const tokens = (row) => row.prompt_tokens + row.completion_tokens;

function showTotals(day, month) {
  for (const [name, sum] of [["today", day], ["month", month]]) {
    setText(find(name), cost(sum));
    setText(find(`${name}-use`), t("{requests} requests, {tokens} tokens",
      { requests: whole(sum.requests), tokens: whole(tokens(sum)) }));
  }
}

/** The row with the total stands last, also where only the dearest are shown. */
function showSums(name, day, month) {
  const days = new Map(day.map((row) => [row.name, row]));
  const dear = (row) => row.cost_usd ?? -1;
  const sorted = [...month].sort((one, other) => dear(other) - dear(one) || other.requests - one.requests);
  const rows = sorted.map((row) =>
    ({ name: row.name === "" ? t("none") : row.name, day: days.get(row.name), month: row }));
  const total = { name: t("Total"), day: sumOf(day), month: sumOf(month), isTotal: true };
  const rowOf = (cells) => (row) => ({ key: row.isTotal ? "" : `- ${row.name}`, style: row.isTotal ? "total" : "",
    cells: [{ text: row.name, style: "name" }, ...cells(row).map((text) => ({ text, style: "number" }))] });
  const costOf = (row) => (row === undefined ? "" : cost(row));
  showRows(find(`top-${name}`),
    [...rows.slice(0, most), total].map(rowOf((row) => [costOf(row.day), costOf(row.month)])));
  showRows(find(`usage-${name}`), [...rows, total].map(rowOf((row) => [...sums(row.day), ...sums(row.month)])));
}

const sums = (row) => (row === undefined ? ["", "", ""] : [cost(row), whole(row.requests), whole(tokens(row))]);

/** With a sign if some of it is not known, or estimated. */
function cost({ cost_usd: known, cost_unknown_requests: unknown, estimated_requests: estimated }) {
  if (known === null) return t("unknown");
  const sign = unknown > 0 ? "\u2265 " : estimated > 0 ? "\u2248 " : "";
  return `${sign}${dollars(known)}`;
}

const kinds = [
  ["Cost", (row) => row?.cost_usd ?? 0, dollars],
  ["Requests", (row) => row?.requests ?? 0, whole],
  ["Tokens", (row) => (row ? tokens(row) : 0), whole],
];

/** One bar for each day of the month until today, by the ledger's days. */
function showDays(place, rows) {
  const named = new Map(rows.map((row) => [row.name, row]));
  const days = Array.from({ length: new Date().getUTCDate() }, (_, index) =>
    new Date(Date.now() - index * 86_400_000).toISOString().slice(0, 10)).reverse();
  const bars = days.map((name) => ({ label: dayOf(name), row: named.get(name) }));
  showPeriod(place, bars, { room: Math.max(days.length, 7), from: dayOf(days[0]), to: t("today") },
    "{sum} this month");
}

/** One bar for each minute, the present one last. */
function showHour(place, rows) {
  const now = Math.floor(Date.now() / 60_000);
  const named = new Map(rows.map((row) => [Math.floor(Date.parse(row.name) / 60_000), row]));
  const bars = Array.from({ length: 60 }, (_, index) => now - 59 + index).map((minute) =>
    ({ label: clock(minute * 60_000).slice(0, 5), row: named.get(minute) }));
  showPeriod(place, bars, { from: bars[0].label, to: t("now") }, "{sum} in the last hour");
}

function showPeriod(place, bars, ends, sentence) {
  for (const [index, [title, valueOf, format]] of kinds.entries()) {
    const values = bars.map(({ label, row }) => ({ label, value: valueOf(row) }));
    const sum = format(values.reduce((all, { value }) => all + value, 0));
    showChart(place, index, { ...ends, title: t(title), format, bars: values, sentence: t(sentence, { sum }) });
  }
}
