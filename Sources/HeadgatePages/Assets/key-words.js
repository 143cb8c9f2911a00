// Budgets and limits of a key as people write them: "$5 a month", "60 requests a minute".

import { dollars, whole } from "./figures.js";
import { locale, t } from "./words.js";

const rates = new Map([["s", "{amount} a second"], ["m", "{amount} a minute"], ["h", "{amount} an hour"],
  ["d", "{amount} a day"]]);
const periods = new Map([["hour", "{amount} an hour"], ["day", "{amount} a day"], ["week", "{amount} a week"],
  ["month", "{amount} a month"]]);
const units = new Map([["requests", "{count} requests"], ["tokens", "{count} tokens"],
  ["input_tokens", "{count} prompt tokens"], ["output_tokens", "{count} completion tokens"],
  ["in_flight", "{count} at once"], ["burst", "{count} in a burst"]]);

/** Of the member `limits` of a key. */
export function limitsIn(limits = {}) {
  return Object.entries(limits).flatMap(([name, values]) => [values].flat().map((value) => limitIn(name, value)))
    .join(", ");
}

function limitIn(name, value) {
  const unit = units.get(name);
  // A newer gateway may know other ones.
  if (unit === undefined) return `${name}: ${value}`;
  const [, count, per] = /^(.+)\/([smhd])$/.exec(value) ?? [null, value, null];
  const amount = t(unit, { count: amountIn(count) });
  return per === null ? amount : t(rates.get(per), { amount });
}

/** "200k" and "5M" in figures. */
function amountIn(text) {
  const [, digits, scale] = /^(\d+)([kM]?)$/.exec(text) ?? [];
  return digits === undefined ? text : whole(Number(digits) * ({ k: 1000, M: 1_000_000 }[scale] ?? 1));
}

/** Of the members `budget` and `budget_use` of a key: `{text, meter}`, where there is a budget. */
export function budgetIn(budget, use) {
  const { amount, unit, every, used, until } = use ?? { amount: budget.usd ?? budget.tokens,
    unit: budget.usd === undefined ? "tokens" : "usd", every: budget.every };
  const written = (value) => (unit !== "usd" ? t("{count} tokens", { count: amountIn(String(value)) })
    : dollars(Number(value)));
  const whole = t(periods.get(every) ?? "{amount}", { amount: written(amount) });
  if (used === undefined) return { text: whole, meter: undefined };
  const end = Number.isNaN(Date.parse(until)) ? until
    : new Date(until).toLocaleDateString(locale, { month: "short", day: "numeric", timeZone: "UTC" });
  return { meter: used / amount, text: t("{left} left of {whole}, until {end}",
    { left: written(Math.max(0, amount - used)), whole, end }) };
}

/** What a form's fields say, as `POST /v1/admin/keys` takes it; what is wrong in it, the gateway finds. */
export function settingsIn(field) {
  const names = field("models").split(",").map((name) => name.trim()).filter((name) => name !== "");
  const limits = {};
  for (const name of ["requests", "tokens"]) {
    const amount = plain(field(name));
    if (amount !== "") limits[name] = amount.includes("/") ? amount : `${amount}/${field(`${name}-every`)}`;
  }
  if (field("in_flight") !== "") limits.in_flight = Number(field("in_flight"));
  const wanted = { name: field("name") };
  if (names.length > 0) wanted.models = names;
  if (Object.keys(limits).length > 0) wanted.limits = limits;
  const amount = plain(field("budget")).replace(/^\$/, "");
  const unit = field("budget").startsWith("$") ? "usd" : field("budget-unit");
  if (amount !== "") {
    wanted.budget = { [unit]: /^\d+$/.test(amount) ? Number(amount) : amount, every: field("budget-every") };
  }
  for (const name of ["group", "priority", "expires"]) if (field(name) !== "") wanted[name] = field(name);
  return wanted;
}

/** Without the signs that people put between digits: "200,000". */
const plain = (text) => text.replace(/(?<=\d)[ ,_'](?=\d{3})/g, "");
