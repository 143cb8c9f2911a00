// What went wrong, in words for the reader.

import { t } from "./words.js";

/** As servers say it that have no code for it. */
const tooLong = /prompt is too long|(maximum|exceeds?) .*context|context (size|window) .*exceed|too many tokens/i;

export class Failure extends Error {
  /**
   * `status` is 0 when there was none; `retryAfter` is in seconds; `isPassing` says that the same may work a little
   * later.
   */
  constructor(message, { status = 0, code = null, retryAfter = null, isPassing = false } = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.retryAfter = retryAfter;
    this.isPassing = isPassing;
  }

  /** A word for what the reader can do about it: "too_long", or empty. */
  get kind() {
    const isTooLong = this.code === "context_length_exceeded" || this.status === 413
      || ([0, 400].includes(this.status) && tooLong.test(this.message));
    return isTooLong ? "too_long" : "";
  }

  /** For a request that got no answer. */
  static ofNetwork() {
    return new Failure(t("The gateway cannot be reached. Is it running?"), { isPassing: true });
  }

  /** For an answer with an error status. */
  static async of(response) {
    let error = null;
    try {
      error = JSON.parse(await response.text()).error;
    } catch {
      // A proxy in between may answer with a page of its own.
    }
    const wait = Number.parseInt(response.headers.get("retry-after") ?? "", 10);
    return new Failure(textOf(error) ?? t("The gateway answered with status {status}.", { status: response.status }), {
      status: response.status,
      code: typeof error?.code === "string" ? error.code : null,
      retryAfter: Number.isFinite(wait) ? wait : null,
      isPassing: response.status === 429 || response.status >= 500,
    });
  }

  /** For the error object of a stream. */
  static inStream(error) {
    return new Failure(textOf(error) ?? t("The answer broke off."), {
      code: typeof error?.code === "string" ? error.code : null,
    });
  }
}

/** Some servers send several messages, some send the text alone. */
function textOf(error) {
  const message = typeof error === "string" ? error : error?.message;
  if (Array.isArray(message)) return message.filter((part) => typeof part === "string").join(" ") || null;
  return typeof message === "string" && message !== "" ? message : null;
}
