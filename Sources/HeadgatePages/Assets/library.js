// Conversations in the browser's storage, each under a key of its own. Whoever keeps one keeps what other tabs have
// added.

import { checkedConversation } from "./checked.js";
import { merge } from "./conversation.js";

const prefix = "headgate.conversation.";

/** Those that the browser would not keep, by id: they live as long as this page. */
const unkept = new Map();

/** All of them, the latest first. What another program put there and does not fit is left alone. */
export function conversations() {
  const found = [...unkept.values()];
  try {
    for (let index = 0; index < localStorage.length; index += 1) {
      const key = localStorage.key(index);
      if (!key.startsWith(prefix)) continue;
      const id = key.slice(prefix.length);
      const conversation = unkept.has(id) ? null : kept(id);
      if (conversation !== null) found.push(conversation);
    }
  } catch {
    // A browser may refuse storage altogether.
  }
  return found.sort((one, other) => other.updated - one.updated);
}

/** A conversation as it was last kept, by whatever tab, or would have been; null when there is none. */
export function latest(id) {
  return unkept.get(id) ?? kept(id);
}

/** A conversation as the storage has it; null when there is none. */
function kept(id) {
  try {
    return { ...checkedConversation(JSON.parse(localStorage.getItem(prefix + id))), id };
  } catch {
    return null;
  }
}

/**
 * Calls back with a conversation as another tab has kept it, with the id of one that is forgotten, and when there is no
 * saying what has changed.
 */
export function onOtherTab({ keeps, forgets, changed }) {
  addEventListener("storage", ({ key, newValue }) => {
    if (key === null) return changed();
    if (!key.startsWith(prefix)) return;
    const id = key.slice(prefix.length);
    if (newValue === null) return forgets(id);
    const conversation = kept(id);
    if (conversation !== null) keeps(conversation);
  });
  // A page that the browser put aside has heard nothing meanwhile.
  addEventListener("pageshow", ({ persisted }) => {
    if (persisted) changed();
  });
}

/** Keeps it, with what other tabs have added, which is then in it too. Returns whether that was possible. */
export function keep(conversation) {
  const { id } = conversation;
  const there = kept(id);
  if (there !== null) merge(conversation, there);
  try {
    localStorage.setItem(prefix + id, JSON.stringify(conversation));
    unkept.delete(id);
    return true;
  } catch {
    unkept.set(id, conversation);
    return false;
  }
}

export function forget(id) {
  unkept.delete(id);
  try {
    localStorage.removeItem(prefix + id);
  } catch {
    // Then it was never kept.
  }
}
