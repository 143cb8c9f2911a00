// The gateway's key, as the pages share it: for this tab, until it is closed, or on this device where the reader wants
// that. An address may bring it as `#key=…`, a part that no browser sends to anybody.

const name = "headgate.key";

/** The key that is kept, or has come with the address; empty when there is none. */
export function keptKey() {
  const brought = /^#key=([\x21-\x7e]+)$/.exec(location.hash)?.[1];
  if (brought === undefined) return read(() => sessionStorage) || read(() => localStorage);
  // Neither the history nor a copied address shall hold it.
  history.replaceState(null, "", location.pathname + location.search);
  const key = decoded(brought);
  if (!isKey(key)) return "";
  keepKey(key, isRemembered());
  return key;
}

/** Whether a text may be a key: what else there is in it could not be sent. */
export const isKey = (text) => /^[\x21-\x7e]+$/.test(text);

/**
 * The single-use code that the address has brought as `#pair=…`; null without one. Like a key it leaves the address.
 */
export function broughtCode() {
  const code = /^#pair=([\w-]{22})$/.exec(location.hash)?.[1] ?? null;
  if (code !== null) history.replaceState(null, "", location.pathname + location.search);
  return code;
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Keeps it for this tab, and on this device if it is to be remembered. */
export function keepKey(key, isToBeRemembered) {
  forgetKey();
  write(() => sessionStorage, key);
  if (isToBeRemembered) write(() => localStorage, key);
}

export function forgetKey() {
  for (const storage of [() => sessionStorage, () => localStorage]) {
    try {
      storage().removeItem(name);
    } catch {
      // Then it was never kept.
    }
  }
}

export const isRemembered = () => read(() => localStorage) !== "";

// A browser may refuse storage altogether: even asking for it may fail.

function read(storage) {
  try {
    return storage().getItem(name) ?? "";
  } catch {
    return "";
  }
}

function write(storage, key) {
  try {
    storage().setItem(name, key);
  } catch {
    // It holds for this page, then.
  }
}
