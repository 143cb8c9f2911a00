// What a model is sent for an answer.

import { contentOf } from "./attachments.js";
import { before } from "./branches.js";

/** What a model is told that is to go on with its answer: not every server takes one that is to be continued. */
const goOnWords = "Go on exactly where your last answer broke off. Repeat nothing, and say nothing about it.";

/**
 * The request for `message`, an answer in the conversation: `{model, messages, settings}`, each of the messages
 * `{role, content, attachments}`. If it has content already, more of it is asked for.
 */
export async function requestOf(conversation, message) {
  const said = sentBefore(conversation, message).map(spoken);
  if (message.content.trim() !== "") {
    said.push({ role: "assistant", content: message.content }, { role: "user", content: goOnWords });
  }
  const messages = await Promise.all(said.filter(isSomething).map(withContents));
  const instructions = conversation.instructions.trim();
  if (instructions !== "") messages.unshift({ role: "system", content: instructions, attachments: [] });
  return { model: message.model, messages, settings: conversation.settings };
}

/** The messages that go with the request for an answer. */
export function sentBefore(conversation, message) {
  const said = before(conversation, message);
  const start = said.findIndex(({ id }) => id === conversation.start);
  return said.slice(Math.max(start, 0));
}

const spoken = ({ role, content, refusal, attachments }) =>
  ({ role, content: content.trim() === "" ? refusal ?? "" : content, attachments });

/** Answers that never began are not sent. */
const isSomething = ({ content, attachments }) => content.trim() !== "" || attachments?.length > 0;

async function withContents({ role, content, attachments = [] }) {
  return { role, content, attachments: await Promise.all(attachments.map(contentOf)) };
}
