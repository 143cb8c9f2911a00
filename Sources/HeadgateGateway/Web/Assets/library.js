// Conversations in the browser's storage, each under a key of its own so that several tabs do not undo each other.

import { checkedConversation, newConversation } from "./conversation.js";

const prefix = "headgate.conversation.";
const largestFile = 64 * 1024 * 1024;

/** All of them, the latest first. What another program put there and does not fit is left alone. */
export function conversations() {
  const found = [];
  try {
    for (let index = 0; index < localStorage.length; index += 1) {
      const key = localStorage.key(index);
      if (!key.startsWith(prefix)) continue;
      const conversation = readable(localStorage.getItem(key));
      if (conversation !== null) found.push({ ...conversation, id: key.slice(prefix.length) });
    }
  } catch {
    // A browser may refuse storage altogether.
  }
  return found.sort((one, other) => other.updated - one.updated);
}

/** Calls back with the id of a conversation that another tab has kept. */
export function onKept(callback) {
  addEventListener("storage", ({ key, newValue }) => {
    if (key?.startsWith(prefix) && newValue !== null) callback(key.slice(prefix.length));
  });
}

/** Whether it could be kept. */
export function keep(conversation) {
  try {
    localStorage.setItem(prefix + conversation.id, JSON.stringify(conversation));
    return true;
  } catch {
    return false;
  }
}

export function forget(conversation) {
  try {
    localStorage.removeItem(prefix + conversation.id);
  } catch {
    // Then it was never kept.
  }
}

/** All conversations as the text of a file. */
export function exported() {
  return JSON.stringify({ format: "headgate-conversations", version: 1, conversations: conversations() }, null, 2);
}

/** Adds the conversations of an exported file, or none if one is wrong. Returns how many; throws for the reader. */
export async function importFile(file) {
  if (file.size > largestFile) throw new Error("The file is larger than 64 MiB.");
  let content;
  try {
    content = JSON.parse(await file.text());
  } catch {
    throw new Error("The file is not JSON.");
  }
  if (content?.format !== "headgate-conversations" || content.version !== 1 || !Array.isArray(content.conversations)) {
    throw new Error("The file is no export of conversations.");
  }
  let added;
  try {
    added = content.conversations.map((value) => ({ ...checkedConversation(value), id: newConversation().id }));
  } catch (error) {
    throw new Error(`Nothing was imported: ${error.message}.`);
  }
  for (const conversation of added) {
    if (keep(conversation)) continue;
    for (const other of added) forget(other);
    throw new Error("Nothing was imported: the browser's storage is full.");
  }
  return added.length;
}

function readable(text) {
  try {
    return checkedConversation(JSON.parse(text));
  } catch {
    return null;
  }
}
