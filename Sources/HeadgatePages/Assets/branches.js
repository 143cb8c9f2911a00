// The branches of a conversation: which messages stand beside each other, and the line of them that is shown.

/** The id that a message really follows: marks of what was taken away, and what is not known, are passed over. */
function parentOf(message, known) {
  let parent = known.get(message.parent);
  while (parent?.removed) parent = known.get(parent.parent);
  return parent?.id ?? "";
}

const byID = ({ messages }) => new Map(messages.map((message) => [message.id, message]));

/** What follows each message, by its id; what nothing stands before is under "". */
function followers(conversation) {
  const [known, found] = [byID(conversation), new Map()];
  for (const message of conversation.messages) {
    if (message.removed) continue;
    const parent = parentOf(message, known);
    if (found.has(parent)) found.get(parent).push(message);
    else found.set(parent, [message]);
  }
  return found;
}

/** From the first message to the last one of the chosen branch. */
export function lineOf(conversation) {
  const following = followers(conversation);
  const chosen = new Set(pathTo(conversation, conversation.tip).map(({ id }) => id));
  const line = [];
  for (let next = following.get(""); next !== undefined; next = following.get(line.at(-1).id)) {
    line.push(next.find(({ id }) => chosen.has(id)) ?? next.at(-1));
  }
  return line;
}

/** The messages before the one with that id, and itself, without marks. */
function pathTo(conversation, id) {
  const [known, path] = [byID(conversation), []];
  // Whatever is written into a file, this ends: nobody follows one that comes later.
  for (let at = known.get(id); at !== undefined; at = known.get(at.parent)) {
    if (path.length > 0 && at.id >= path.at(-1).id) break;
    path.push(at);
  }
  return path.reverse();
}

/** What was said before a message, in its own branch. */
export const before = (conversation, message) =>
  pathTo(conversation, message.id).filter(({ id, removed }) => id !== message.id && !removed);

/**
 * What is shown, in order: `{message, versions, isTail, isBeside}`. `versions` are the messages in whose place it
 * stands, itself among them; `isTail` says that nothing follows; `isBeside` that it is shown beside the line only.
 */
export function shown(conversation) {
  const [following, known, line] = [followers(conversation), byID(conversation), lineOf(conversation)];
  return line.flatMap((message) => {
    const versions = following.get(parentOf(message, known)).filter(({ role }) => role === message.role);
    const isTail = message === line.at(-1);
    const columns = message.beside ? versions.filter(({ beside }) => beside === message.beside) : [message];
    return columns.map((one) => ({ message: one, versions, isTail, isBeside: one !== message }));
  });
}

/** Shows the branch that a message is in. */
export function choose(conversation, { id }) {
  conversation.tip = id;
  conversation.turned = Math.max(Date.now(), conversation.turned + 1);
}
