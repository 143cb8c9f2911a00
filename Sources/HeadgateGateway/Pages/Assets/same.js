// Whether what is said in one conversation is said in another: their ids tell nothing, as each browser makes its own.

/** Whether all messages of `part` stand in `whole`, each after the same ones. */
export function isWithin(part, whole) {
  const there = placesIn(whole, new Map());
  const places = placesIn(part, there.numbers);
  return [...places.all].every((place) => there.all.has(place));
}

/** Each message as a number that stands for what it says and all that was said before it. */
function placesIn({ messages }, numbers) {
  const byID = new Map([["", 0]]);
  const all = new Set();
  for (const { id, parent, role, content, removed, attachments = [] } of messages) {
    const before = byID.get(parent) ?? 0;
    const files = attachments.map(({ name, size }) => [name, size]);
    const key = JSON.stringify([before, role, content, files]);
    if (!numbers.has(key)) numbers.set(key, numbers.size + 1);
    byID.set(id, removed ? before : numbers.get(key));
    if (!removed) all.add(numbers.get(key));
  }
  return { all, numbers };
}
