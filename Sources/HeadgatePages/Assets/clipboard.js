// Copies a text, and says so on the button that was pressed.

/** `shown` is selected where the browser keeps the clipboard from the page. */
export async function copy(text, button, shown) {
  const label = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
  } catch {
    // Browsers keep the clipboard from pages that came without TLS, except over loopback.
    getSelection().selectAllChildren(shown());
    button.textContent = "Selected";
  }
  setTimeout(() => { button.textContent = label; }, 2000);
}
