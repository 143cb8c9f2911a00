// A message as the reader sees it.

import { attachmentList } from "./attachment-view.js";
import { element, plainNodes } from "./dom.js";
import { showMarkdown } from "./markdown.js";
import { MessageActions } from "./message-actions.js";
import { endingOf } from "./message-ending.js";
import { t } from "./words.js";

/** How long an answer of another tab may go unkept before it counts as stopped, in milliseconds. */
const longestSilence = 15_000;

export class MessageView {
  #message;
  /** That is shown. */
  #revision;
  #timer;
  #does;
  #actions;
  #reasoning = null;
  #refusal = null;
  #calls = [];
  #body;
  #notes;
  #isLive = false;
  #spot = { versions: [], isTail: false, isBeside: false, isOut: false };

  /** `does` is what can be done with a message, by the names that MessageActions has. */
  constructor(message, does) {
    this.#message = message;
    this.#does = does;
    const isUser = message.role === "user";
    const author = isUser ? t("You") : message.model || t("Assistant");
    this.#body = element("div", { class: isUser ? "text plain" : "text" });
    this.#notes = element("div", { class: "notes" });
    this.#actions = new MessageActions(message, does);
    const label = isUser ? author : t("Answer of {author}", { author });
    this.bubble = element("article", { class: `bubble ${message.role}`, "aria-label": label },
      element("p", { class: "author", "aria-hidden": "true" }, author), this.#body,
      message.attachments ? attachmentList(message.attachments) : null, this.#notes, this.#actions.node);
    this.node = element("li", {}, this.bubble);
    this.#showKept();
  }

  /** Follows a message that another tab fills. */
  follow() {
    if (this.#message.revision !== this.#revision) this.#showKept();
  }

  /** Where it stands: `{versions, isTail, isBeside, isOut}`, the last of which says that it is not sent any more. */
  place(spot) {
    this.#spot = spot;
    this.node.classList.toggle("beside", this.#message.beside !== undefined && spot.versions.length > 1);
    this.node.classList.toggle("other", spot.isBeside);
    this.node.classList.toggle("tail", spot.isTail);
    this.node.classList.toggle("out", spot.isOut);
    this.#actions.show(spot, this.#isLive);
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
    this.#isLive = isLive;
    if (message.role === "user") this.#body.replaceChildren(...plainNodes(message.content));
    else this.#showAnswer();
    this.#actions.show(this.#spot, isLive);
  }

  #showAnswer() {
    const isLive = this.#isLive;
    this.#showReasoning();
    this.#showCalls();
    showMarkdown(this.#body, this.#message.content, isLive);
    this.#showRefusal();
    this.bubble.setAttribute("aria-busy", isLive);
    this.bubble.classList.toggle("live", isLive);
    this.#notes.replaceChildren(...(isLive ? [] : endingOf(this.#message, this.#does)));
  }

  #showReasoning() {
    if (!this.#message.reasoning) return;
    if (this.#reasoning === null) {
      this.#reasoning = element("p", { class: "plain" });
      const summary = element("summary", {}, t("Reasoning"));
      this.#body.before(element("details", { class: "reasoning" }, summary, this.#reasoning));
    }
    this.#reasoning.replaceChildren(...plainNodes(this.#message.reasoning));
  }

  #showRefusal() {
    if (!this.#message.refusal) return;
    if (this.#refusal === null) {
      this.#refusal = element("p", { class: "plain refusal" });
      this.#body.after(this.#refusal);
    }
    this.#refusal.replaceChildren(...plainNodes(this.#message.refusal));
  }

  #showCalls() {
    for (const [index, call] of (this.#message.toolCalls ?? []).entries()) {
      if (this.#calls.length === index) {
        const name = element("code");
        const text = element("pre", { class: "plain", tabindex: 0, "aria-label": t("Arguments"), role: "group" });
        this.#calls.push({ name, text });
        this.#notes.before(element("details", { class: "tool" },
          element("summary", {}, t("Tool call:"), " ", name), text));
      }
      this.#calls[index].name.textContent = call.name;
      this.#calls[index].text.textContent = call.arguments;
    }
  }
}
