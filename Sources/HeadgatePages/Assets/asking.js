// What is asked in the conversation that is shown, and the answers under way.

import { Answering } from "./answering.js";
import { kept } from "./attachments.js";
import { choose, lineOf, shown } from "./branches.js";
import { merge, newTurn, remove as removeMessage, titleOf } from "./conversation.js";
import { latest } from "./library.js";
import { followed, following } from "./place.js";
import { sentBefore } from "./request.js";
import { t } from "./words.js";

export class Asking {
  #thread;
  #hears;
  #underWay = new Set();
  /** The answers that this tab follows, with their conversations. */
  #followed = new Map();
  #isPreparing = false;

  /** `hears` is called back: `grown()`, `began(conversation)`, `ended(answering, wasKept)`, `notice(text)`. */
  constructor(thread, hears) {
    this.#thread = thread;
    this.#hears = hears;
  }

  get isBusy() {
    return this.#isPreparing || this.#underWay.size > 0;
  }

  stop() {
    for (const answering of this.#underWay) answering.stop();
  }

  /** Ends the answers of a conversation that is no more. */
  abandon(id) {
    for (const answering of this.#underWay) if (answering.conversation.id === id) answering.abandon();
  }

  keep() {
    for (const answering of this.#underWay) answering.keep();
  }

  leave() {
    for (const answering of this.#underWay) answering.leave();
  }

  /** Asks one model, or several side by side; `edited` is the message in whose place the new one stands. */
  async submit({ text, files, edited, models }) {
    const { conversation } = this.#thread;
    let attachments = [];
    if (files.length > 0) {
      this.#isPreparing = true;
      attachments = await kept(files.filter(({ id }) => id === undefined));
      this.#isPreparing = false;
      attachments.unshift(...files.filter(({ id }) => id !== undefined));
    }
    const turn = newTurn(conversation);
    const parent = edited?.parent ?? lineOf(conversation).at(-1)?.id ?? "";
    const question = { id: `${turn}-0`, parent, revision: 1, role: "user", content: text,
      ...(attachments.length > 0 ? { attachments } : {}) };
    conversation.messages.push(question);
    if (conversation.title === "") conversation.title = titleOf(text || attachments[0].name);
    if (edited) choose(conversation, question);
    this.#answer(conversation, question.id, turn, models, models.length > 1 ? turn : undefined);
  }

  /** Asks again in place of a failed answer, if it is the last message: another one has been talked on from. */
  retry(message, model) {
    const { conversation } = this.#thread;
    if (this.isBusy || !shown(conversation).some((row) => row.message === message && row.isTail)) return;
    const { parent, beside } = message;
    const isChosen = lineOf(conversation).at(-1) === message;
    const models = [beside === undefined ? model : message.model || model];
    removeMessage(message);
    this.#answer(conversation, parent, newTurn(conversation), models, beside, isChosen);
  }

  /** Asks for another answer beside this one, which stays as a branch of its own. */
  again({ parent }, model) {
    if (this.isBusy) return;
    const { conversation } = this.#thread;
    this.#answer(conversation, parent, newTurn(conversation), [model], undefined);
  }

  /** Asks for more of an answer that was cut. */
  goOn(message) {
    if (!this.isBusy) this.#fill(this.#thread.conversation, message);
  }

  /** Asks again without the older half of what was said. */
  dropOldest(message, model) {
    if (this.isBusy) return;
    const questions = sentBefore(this.#thread.conversation, message).filter(({ role }) => role === "user");
    if (questions.length < 2) {
      this.#hears.notice(
        t("Nothing older is left to drop: shorten the message, or take a model with a larger context."));
      return;
    }
    this.#thread.change({ start: questions[Math.floor(questions.length / 2)].id });
    this.retry(message, model);
  }

  /** Goes on with the answers during which the page was loaded again; `open` shows another conversation. */
  resume(open) {
    const place = followed();
    const there = place === null || this.isBusy ? null : latest(place.conversation);
    if (there === null) return;
    if (there.id !== this.#thread.conversation.id) open(there);
    const { conversation } = this.#thread;
    for (const message of conversation.messages) {
      const isOne = place.messages.includes(message.id) && message.place && message.stopped && !message.removed;
      if (isOne) this.#fill(conversation, message);
    }
  }

  #answer(conversation, parent, turn, models, beside, isChosen = true) {
    const messages = models.map((model, index) => ({ id: `${turn}-${index + 1}`, parent, revision: 0,
      role: "assistant", content: "", model, ...(beside === undefined ? {} : { beside }) }));
    conversation.messages.push(...messages);
    const isFork = conversation.messages.some(({ id, parent: other, removed }) =>
      other === parent && !removed && id !== messages[0].id);
    if (isFork && isChosen) choose(conversation, messages[0]);
    for (const message of messages) this.#fill(conversation, message);
  }

  async #fill(conversation, message) {
    const answering = new Answering(conversation, message, this.#thread.hold(message), () => this.#hears.grown());
    this.#underWay.add(answering);
    this.#note(message, conversation);
    // With every change that waits for it.
    this.#thread.dropChange();
    const isKept = answering.keep();
    this.#hears.began(conversation);
    const wasKept = (await answering.run()) && isKept;
    this.#underWay.delete(answering);
    this.#thread.release(message);
    if (!answering.isAwaited) this.#note(message, null);
    const { conversation: now } = this.#thread;
    // The reader may have left the conversation and come back meanwhile.
    if (now !== conversation && now.id === conversation.id) merge(now, conversation);
    this.#hears.ended(answering, wasKept);
  }

  /** Takes note that the tab follows a message, or does no more. */
  #note(message, conversation) {
    if (conversation === null) this.#followed.delete(message);
    else this.#followed.set(message, conversation);
    const there = conversation ?? [...this.#followed.values()].at(-1);
    following(there, [...this.#followed].filter(([, one]) => one === there).map(([one]) => one));
  }
}
