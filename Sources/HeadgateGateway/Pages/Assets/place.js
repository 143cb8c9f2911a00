// Which answer this tab follows, for when its page is loaded again. A tab that is closed follows none.

const key = "headgate.following";

/** Keeps that the tab follows `message` of `conversation`. */
export function following(conversation, message) {
  try {
    sessionStorage.setItem(key, JSON.stringify({ conversation: conversation.id, message: message.id }));
  } catch {
    // A browser may refuse storage altogether.
  }
}

export function followingNone() {
  try {
    sessionStorage.removeItem(key);
  } catch {
    // Then it was never kept.
  }
}

/** The ids `{conversation, message}`; null when there is none. */
export function followed() {
  try {
    return JSON.parse(sessionStorage.getItem(key));
  } catch {
    return null;
  }
}
