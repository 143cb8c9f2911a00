// The gateway's terms in words for the reader: outcomes and errors.

import { t } from "./words.js";

const outcomes = new Map([
  ["finished", "finished"], ["client_gone", "cancelled"], ["upstream_failed", "upstream failed"],
  ["timed_out", "timed out"], ["refused", "refused"], ["drained", "shut down"],
]);

export const outcomeOf = (outcome) => (outcomes.has(outcome) ? t(outcomes.get(outcome)) : outcome.replaceAll("_", " "));

const errors = new Map([
  ["upstream_connect", "could not be reached"],
  ["upstream_tls", "no secure connection"],
  ["upstream_auth", "refuses the gateway's key"],
  ["upstream_timeout", "did not answer in time"],
  ["upstream_disconnected", "closed the connection without an answer"],
  ["upstream_incomplete", "broke off in the middle of an answer"],
  ["upstream_no_content", "sent a stream without content"],
  ["upstream_starting", "is starting"],
  ["upstream_unavailable", "cannot run on this machine"],
  ["upstream_error", "reported an error"],
  ["upstream_redirect", "answers with a redirection"],
  ["rate_limit_exceeded", "allows no more requests for now"],
]);

/** Of an error's code; the code itself if there are no words for it. */
export const errorOf = (code) => (errors.has(code) ? t(errors.get(code)) : code);
