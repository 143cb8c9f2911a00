// Numbers and times as the status page writes them.

export const whole = (value) => value.toLocaleString("en");

export const clock = (time) => new Date(time).toLocaleTimeString("en", { hour12: false });

/** As few digits as say something. */
export function dollars(value) {
  if (value === 0) return "$0";
  const digits = value >= 1 ? 2 : Math.min(12, 1 - Math.floor(Math.log10(value)));
  return `$${value.toFixed(digits)}`;
}

export function milliseconds(value) {
  if (value >= 10_000) return `${(value / 1000).toFixed(1)} s`;
  return `${value < 10 ? value.toFixed(1) : value.toFixed(0)} ms`;
}

export function span(seconds) {
  const days = Math.floor(seconds / 86_400);
  const hours = Math.floor(seconds / 3600) % 24;
  const minutes = Math.floor(seconds / 60) % 60;
  if (days > 0) return `${days} d ${hours} h`;
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`;
}
