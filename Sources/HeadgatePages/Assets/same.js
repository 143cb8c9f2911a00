// Whether what is said in one conversation is said in another: their ids tell nothing, as each browser makes its own.

/** Conversations that others are compared with; each is read once, however many there are. */
export class Known {
  /** Numbers of what is said and all that was said before it. */
  #numbers = new Map();
  /** What is said in each, as a set of these numbers. */
  #all = [];
  /** The sets that have a number. */
  #with = new Map();

  constructor(conversations) {
    for (const conversation of conversations) this.#add(this.#placesIn(conversation));
  }

  /** Takes one in, unless all its messages stand in one that is known, each after the same ones; returns whether. */
  takes(conversation) {
    const places = this.#placesIn(conversation);
    const last = [...places].at(-1);
    const candidates = last === undefined ? this.#all : this.#with.get(last) ?? [];
    if (candidates.some((one) => [...places].every((place) => one.has(place)))) return false;
    this.#add(places);
    return true;
  }

  #add(places) {
    this.#all.push(places);
    for (const place of places) {
      if (!this.#with.has(place)) this.#with.set(place, []);
      this.#with.get(place).push(places);
    }
  }

  /** Each message as a number that stands for what it says and all that was said before it. */
  #placesIn({ messages }) {
    const byID = new Map([["", 0]]);
    const places = new Set();
    for (const { id, parent, role, content, removed, attachments = [] } of messages) {
      const before = byID.get(parent) ?? 0;
      if (removed) {
        byID.set(id, before);
        continue;
      }
      const files = attachments.map(({ name, size }) => [name, size]);
      const key = JSON.stringify([before, role, content, files]);
      if (!this.#numbers.has(key)) this.#numbers.set(key, this.#numbers.size + 1);
      byID.set(id, this.#numbers.get(key));
      places.add(this.#numbers.get(key));
    }
    return places;
  }
}
