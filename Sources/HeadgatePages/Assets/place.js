// Which answers this tab follows, for when its page is loaded again. A tab that is closed follows none.

const key = "headgate.following";

/** Keeps that the tab follows `messages` of a conversation; without any it follows nothing. */
export function following(conversation, messages) {
  try {
    if (messages.length === 0) sessionStorage.removeItem(key);
    else {
      const ids = messages.map(({ id }) => id);
      sessionStorage.setItem(key, JSON.stringify({ conversation: conversation.id, messages: ids }));
    }
  } catch {
    // A browser may refuse storage altogether.
  }
}

/** The ids `{conversation, messages}`; null when there is none. */
export function followed() {
  try {
    const { conversation, messages } = JSON.parse(sessionStorage.getItem(key));
    return typeof conversation === "string" && Array.isArray(messages) ? { conversation, messages } : null;
  } catch {
    return null;
  }
}
