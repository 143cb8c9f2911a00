// Numbers and times as the pages write them, in the reader's language.

import { locale, t } from "./words.js";

export const whole = (value) => value.toLocaleString(locale);

export const clock = (time) => new Date(time).toLocaleTimeString(locale, { hourCycle: "h23" });

/** A day of the ledger, such as "2026-08-01". */
export const day = (name) =>
  new Date(name).toLocaleDateString(locale, { month: "short", day: "numeric", timeZone: "UTC" });

/** With as few digits as say something. */
export function dollars(value) {
  if (value === 0) return "$0";
  const digits = value >= 1 ? 2 : Math.min(12, 1 - Math.floor(Math.log10(value)));
  const bounds = { minimumFractionDigits: Math.min(digits, 2), maximumFractionDigits: digits };
  return `$${value.toLocaleString(locale, bounds)}`;
}

export function milliseconds(value) {
  if (value >= 1000) return `${(value / 1000).toFixed(1)} s`;
  return `${value > 0 && value < 10 ? value.toFixed(1) : value.toFixed(0)} ms`;
}

export function span(seconds) {
  const units = [["day", 86_400], ["hour", 3600], ["minute", 60], ["second", 1]];
  const first = Math.max(0, units.findIndex(([, size]) => seconds >= size));
  const found = seconds < 1 ? [["second", 0]] : units.slice(first, first + 2).map(([unit, size], index) =>
    [unit, Math.floor((index === 0 ? seconds : seconds % units[first][1]) / size)]);
  return found.filter(([, count], index) => index === 0 || count > 0)
    .map(([unit, count]) => count.toLocaleString(locale, { style: "unit", unit, unitDisplay: "short" })).join(" ");
}

/** Such as "4 min ago". */
export function ago(time) {
  const seconds = Math.max(0, Math.floor((Date.now() - Date.parse(time)) / 1000));
  const size = [86_400, 3600, 60, 1].find((one) => seconds >= one) ?? 1;
  return t("{time} ago", { time: span(seconds - (seconds % size)) });
}
