// Conversations as files: all of them out, and those of a file in.

import { exportedAttachment, importedAttachment } from "./attachments.js";
import { checkedConversation, importedConversation } from "./checked.js";
import { conversations, forget, keep } from "./library.js";
import { Known } from "./same.js";
import { t } from "./words.js";

const largestFile = 1024 * 1024 * 1024;

/** All conversations as the text of a file, with their branches and attachments, also those that are not kept. */
export async function exported() {
  const all = await Promise.all(conversations().map(async (conversation) => {
    // A copy: what is taken away may have been written from.
    const { messages, ...others } = checkedConversation(structuredClone(conversation));
    return { ...others, messages: await Promise.all(withoutMarks(messages).map(withFiles)) };
  }));
  return JSON.stringify({ format: "headgate-conversations", version: 2, conversations: all }, null, 2);
}

function withoutMarks(messages) {
  const parents = new Map();
  for (const { id, parent, removed } of messages) parents.set(id, removed ? parents.get(parent) ?? "" : id);
  return messages.filter(({ removed }) => !removed)
    .map((message) => ({ ...message, parent: parents.get(message.parent) ?? "" }));
}

async function withFiles(message) {
  if (message.attachments === undefined) return message;
  return { ...message, attachments: await Promise.all(message.attachments.map(exportedAttachment)) };
}

/**
 * Adds the conversations of an exported file that are not here already, or none if one is wrong. Returns
 * `{added, known}`: the new ones, and how many were here; throws for the reader.
 */
export async function importFile(file) {
  if (file.size > largestFile) throw new Error(t("The file is larger than 1 GiB."));
  const read = conversationsIn(await textOf(file));
  const known = new Known(conversations());
  const added = read.filter((conversation) => known.takes(conversation));
  await takeFiles(added);
  for (const conversation of added) {
    if (keep(conversation)) continue;
    for (const { id } of added) forget(id);
    throw new Error(t("Nothing was imported: the browser's storage is full."));
  }
  return { added, known: read.length - added.length };
}

async function textOf(file) {
  try {
    return await file.text();
  } catch {
    throw new Error(t("The file cannot be read: it is gone, or larger than this browser reads at once."));
  }
}

function conversationsIn(text) {
  let content;
  try {
    content = JSON.parse(text);
  } catch {
    throw new Error(t("The file is not JSON."));
  }
  const isExport = content?.format === "headgate-conversations" && [1, 2].includes(content.version)
    && Array.isArray(content.conversations);
  if (!isExport) throw new Error(t("The file is not an export of conversations."));
  try {
    return content.conversations.map(importedConversation);
  } catch (error) {
    throw new Error(t("Nothing was imported: {reason}.", { reason: error.message }));
  }
}

async function takeFiles(added) {
  try {
    for (const message of added.flatMap(({ messages }) => messages)) {
      if (message.attachments) message.attachments = await Promise.all(message.attachments.map(importedAttachment));
    }
  } catch (error) {
    throw new Error(t("Nothing was imported: {reason}", { reason: error.message }));
  }
}
