// Keeps the end of a growing list in view, until the reader scrolls up.

export class Follower {
  #scroller;
  #button;
  #isFollowing = true;
  #top = 0;

  constructor(scroller, button) {
    this.#scroller = scroller;
    this.#button = button;
    scroller.addEventListener("scroll", () => this.#note(), { passive: true });
    button.addEventListener("click", () => this.toEnd());
    // Long answers are laid out little by little.
    const sizes = new ResizeObserver(() => this.changed());
    for (const node of [scroller, ...scroller.children]) sizes.observe(node);
  }

  /** What is shown has changed its height. */
  changed() {
    if (this.#isFollowing) this.#jump();
    this.#button.hidden = this.#isFollowing || this.#isAtEnd();
  }

  toEnd() {
    this.#isFollowing = true;
    this.changed();
  }

  #note() {
    // The page grows while a scroll is under way: only a way up is the reader's own.
    if (this.#isAtEnd()) this.#isFollowing = true;
    else if (this.#scroller.scrollTop < this.#top) this.#isFollowing = false;
    this.#top = this.#scroller.scrollTop;
    this.#button.hidden = this.#isFollowing;
  }

  #jump() {
    this.#scroller.scrollTop = this.#scroller.scrollHeight;
    this.#top = this.#scroller.scrollTop;
  }

  #isAtEnd() {
    return this.#scroller.scrollHeight - this.#scroller.clientHeight - this.#scroller.scrollTop < 24;
  }
}
