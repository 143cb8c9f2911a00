// An answer under way: asked for, shown as it grows, kept however it ends.

import { complete, goOn, stopStream } from "./completion.js";
import { Failure } from "./failure.js";
import { keep } from "./library.js";
import { requestOf } from "./request.js";
import { t } from "./words.js";

/** How long a growing answer may go unkept, in milliseconds. */
const keepInterval = 1000;
/** How often an answer is kept of which nothing comes, so that other tabs know that it is awaited, in milliseconds. */
const signOfLife = 5000;
/** The waits before each further try to go on with an answer that the gateway keeps, in milliseconds. */
const waits = [250, 1000, 3000, 6000];

export class Answering {
  #abort = new AbortController();
  #keptAt = 0;
  /** How long it took to show what has come so far, in milliseconds. */
  #cost = 0;
  #isPending = false;
  /** Whether nothing of it is to be kept. */
  isAbandoned = false;
  /** Whether the answer is to be gone on with when the page is loaded next. */
  isAwaited = false;
  #isOver = false;

  /**
   * `view` shows `message` of `conversation`, an empty one or one that is to be gone on with; `grown` is called when it
   * shows more.
   */
  constructor(conversation, message, view, grown) {
    this.conversation = conversation;
    this.message = message;
    this.view = view;
    this.grown = grown;
  }

  /** The gateway would go on with an answer that it keeps. */
  stop() {
    if (this.message.place) stopStream(this.message.place);
    this.#abort.abort();
  }

  /** Stops, and does not keep what there is. */
  abandon() {
    this.isAbandoned = true;
    this.stop();
  }

  /** Keeps what there is, for other tabs and for later. Returns false where the browser cannot. */
  keep() {
    if (this.isAbandoned) return true;
    if (this.#isOver) delete this.message.growing;
    else this.message.growing = Date.now();
    return this.#keepAsItIs();
  }

  /** The page is being left: what has come is a stopped answer. */
  leave() {
    if (this.isAbandoned) return;
    delete this.message.growing;
    this.#keepAsItIs();
  }

  #keepAsItIs() {
    this.#keptAt = performance.now();
    this.conversation.updated = Date.now();
    this.message.revision += 1;
    return keep(this.conversation);
  }

  /** Until the end, which is never an error: what went wrong is in the message. Returns whether it was kept. */
  async run() {
    // So it is kept if the page goes away; whoever comes to the end takes it back.
    this.message.stopped = true;
    delete this.message.error;
    this.view.update(true);
    const isResumed = this.message.place !== undefined;
    const signs = setInterval(() => this.keep(), signOfLife);
    try {
      const options = { signal: this.#abort.signal, changed: () => this.#changed() };
      if (isResumed) await this.#goOn(options);
      else await this.#ask(options);
      delete this.message.stopped;
    } catch (error) {
      // The key has to be entered again, or the gateway has to be there again: for when the page is loaded next.
      this.isAwaited = isResumed && (error.status === 401 || mayWorkLater(error));
      // What is gone stays as it was when the page was left: stopped.
      const isGone = isResumed && [401, 404, 410].includes(error.status);
      const isLater = isResumed && mayWorkLater(error);
      if (error.name !== "AbortError" && !isGone) {
        // A page that is being left sees its connections break first: that is no failure, and this never goes on.
        await new Promise((resolve) => { setTimeout(resolve, 100); });
        if (!isLater) delete this.message.stopped;
        const failure = error instanceof Failure ? error : new Failure(t("The page failed to show the answer."));
        this.message.error = { message: failure.message, retryAfter: failure.retryAfter, code: failure.kind };
      }
    }
    clearInterval(signs);
    if (!this.isAwaited) delete this.message.place;
    this.#isPending = false;
    this.#isOver = true;
    this.view.update(false);
    this.grown();
    return this.keep();
  }

  async #ask(options) {
    const { message } = this;
    const request = await requestOf(this.conversation, message);
    const earlier = message.content === "" ? 0 : message.usage?.completion ?? 0;
    delete message.finish;
    delete message.timing;
    delete message.usage;
    await complete(request, message, options);
    if (message.usage?.completion != null) message.usage.completion += earlier;
  }

  /** Tries again where the gateway cannot be reached, is busy or breaks off: it may be starting anew. */
  async #goOn(options) {
    for (let tries = 0; ; tries += 1) {
      const event = this.message.place.event;
      try {
        return await goOn(this.message, options);
      } catch (error) {
        if (!mayWorkLater(error)) throw error;
        // What has come on counts as a beginning.
        if (this.message.place.event !== event) tries = 0;
        if (tries >= waits.length) throw error;
        await pause(waits[tries], options.signal);
      }
    }
  }

  /** Shows a batch of events at once, when the browser paints next; the longer showing takes, the more rarely. */
  #changed() {
    if (performance.now() - this.#keptAt > keepInterval) this.keep();
    if (this.#isPending) return;
    this.#isPending = true;
    if (this.#cost < 16) requestAnimationFrame(() => this.#show());
    else setTimeout(() => this.#show(), 4 * this.#cost);
  }

  #show() {
    if (!this.#isPending) return;
    this.#isPending = false;
    const startedAt = performance.now();
    this.view.update(true);
    this.grown();
    this.#cost = performance.now() - startedAt;
  }
}

const mayWorkLater = (error) => error instanceof Failure && error.isPassing;

/** Throws an AbortError when it is stopped meanwhile. */
function pause(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}
