// A message as the reader sees it.

import { element } from "./dom.js";
import { showMarkdown } from "./markdown.js";

/** How long an answer of another tab may go unkept before it counts as stopped, in milliseconds. */
const longestSilence = 15_000;

/** Ends that are none of the model's own. */
const endings = new Map([
  ["length", "Cut off: the limit of tokens was reached."],
  ["content_filter", "Cut off: a filter of the provider stopped the answer."],
  ["refusal", "The model refused to go on."],
]);

export class MessageView {
  #message;
  /** That is shown. */
  #revision;
  #timer;
  #retry;
  #reasoning = null;
  #refusal = null;
  #calls = [];
  #body;
  #notes;

  /** `retry` is called when the reader wants a failed answer again. */
  constructor(message, retry) {
    this.#message = message;
    this.#retry = retry;
    const isUser = message.role === "user";
    const author = isUser ? "You" : message.model || "Assistant";
    this.#body = element("div", { class: isUser ? "text plain" : "text" });
    this.#notes = element("div", { class: "notes" });
    const label = isUser ? author : `Answer of ${author}`;
    this.bubble = element("article", { class: `bubble ${message.role}`, "aria-label": label },
      element("p", { class: "author", "aria-hidden": "true" }, author), this.#body, this.#notes);
    this.node = element("li", {}, this.bubble);
    this.#showKept();
  }

  /** Follows a message that another tab fills. */
  follow() {
    if (this.#message.revision !== this.#revision) this.#showKept();
  }

  /** Another tab that fills it may be gone without a word. */
  #showKept() {
    const rest = (this.#message.growing ?? 0) + longestSilence - Date.now();
    this.update(rest > 0);
    clearTimeout(this.#timer);
    // A clock may have been set back.
    if (rest > 0) this.#timer = setTimeout(() => this.update(false), Math.min(rest, longestSilence));
  }

  /** Follows the message. `isLive`: more is to come. */
  update(isLive) {
    const message = this.#message;
    this.#revision = message.revision;
    if (message.role === "user") return this.#body.replaceChildren(message.content);
    this.#showReasoning();
    this.#showCalls();
    showMarkdown(this.#body, message.content);
    this.#showRefusal();
    this.bubble.setAttribute("aria-busy", isLive);
    this.bubble.classList.toggle("live", isLive);
    this.#notes.replaceChildren(...(isLive ? [] : this.#ending()));
  }

  #showReasoning() {
    if (!this.#message.reasoning) return;
    if (this.#reasoning === null) {
      this.#reasoning = element("p", { class: "plain" });
      const summary = element("summary", {}, "Reasoning");
      this.#body.before(element("details", { class: "reasoning" }, summary, this.#reasoning));
    }
    this.#reasoning.textContent = this.#message.reasoning;
  }

  #showRefusal() {
    if (!this.#message.refusal) return;
    if (this.#refusal === null) {
      this.#refusal = element("p", { class: "plain refusal" });
      this.#body.after(this.#refusal);
    }
    this.#refusal.textContent = this.#message.refusal;
  }

  #showCalls() {
    for (const [index, call] of (this.#message.toolCalls ?? []).entries()) {
      if (this.#calls.length === index) {
        const name = element("code");
        const text = element("pre", { class: "plain", tabindex: 0, "aria-label": "Arguments", role: "group" });
        this.#calls.push({ name, text });
        this.#notes.before(element("details", { class: "tool" }, element("summary", {}, "Tool call: ", name), text));
      }
      this.#calls[index].name.textContent = call.name;
      this.#calls[index].text.textContent = call.arguments;
    }
  }

  #ending() {
    const message = this.#message;
    const nodes = [];
    if (message.error) {
      const wait = message.error.retryAfter === null ? "" : ` Try again in ${message.error.retryAfter} s.`;
      nodes.push(element("div", { class: "error", role: "alert" }, element("p", {}, message.error.message + wait),
        element("button", { type: "button", click: () => this.#retry(message) }, "Try again")));
    } else if (message.stopped) {
      const words = message.content === "" && !message.refusal ? "Stopped before the first word." : "Stopped.";
      nodes.push(element("p", { class: "faint" }, words));
    }
    if (endings.has(message.finish)) nodes.push(element("p", { class: "cut" }, endings.get(message.finish)));
    if (message.refusal) nodes.push(element("p", { class: "faint" }, "The model refused."));
    const figures = figuresOf(message);
    if (figures !== "") nodes.push(element("p", { class: "figures" }, figures));
    return nodes;
  }
}

/** Such as "9 + 40 tokens · first after 0.21 s · 38.5 tokens/s · 1.3 s". */
function figuresOf({ usage, timing }) {
  const figures = [];
  const tokens = usage?.completion ?? null;
  if (tokens !== null) figures.push(`${usage.prompt === null ? "" : `${usage.prompt} + `}${tokens} tokens`);
  if (timing?.first != null) figures.push(`first after ${seconds(timing.first)}`);
  // What came at once has no speed.
  if (tokens > 1 && timing?.first != null && timing.total - timing.first > 50) {
    figures.push(`${((tokens - 1) / ((timing.total - timing.first) / 1000)).toFixed(1)} tokens/s`);
  }
  if (timing?.total != null) figures.push(seconds(timing.total));
  return figures.join(" · ");
}

const seconds = (milliseconds) => `${(milliseconds / 1000).toFixed(milliseconds < 10_000 ? 2 : 0)} s`;
