// Copies a text, and says so on the button that was pressed.

import { icon } from "./icons.js";
import { t } from "./words.js";

/** `shown` is selected if the browser denies the page the clipboard. */
export async function copy(text, button, shown) {
  let said = "Copied";
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Browsers deny it to pages that came without TLS, except over loopback.
    const node = shown();
    if (node.select) node.select();
    else getSelection().selectAllChildren(node);
    said = "Selected";
  }
  const before = [...button.childNodes];
  const { ariaLabel } = button;
  // A button with an icon has its name as a label.
  if (ariaLabel === null) button.textContent = t(said);
  else {
    button.ariaLabel = t(said);
    button.replaceChildren(icon("check"));
  }
  clearTimeout(button.copying?.timer);
  button.copying ??= { before, ariaLabel };
  button.copying.timer = setTimeout(() => {
    button.replaceChildren(...button.copying.before);
    button.ariaLabel = button.copying.ariaLabel;
    delete button.copying;
  }, 2000);
}
