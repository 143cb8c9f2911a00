// The bytes of attachments, in the browser's database: its other storage is too small for pictures.

const longestUnused = 24 * 3600 * 1000;
/** Those that the browser would not keep, by id: they live as long as this page. */
const unkept = new Map();

const database = new Promise((resolve, reject) => {
  const request = indexedDB.open("headgate.attachments", 1);
  request.onupgradeneeded = () => request.result.createObjectStore("files", { keyPath: "id" });
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});
// A browser may refuse it, as it does in some private windows: said where it is used.
database.catch(() => {});

async function act(mode, does) {
  const transaction = (await database).transaction("files", mode);
  return new Promise((resolve, reject) => {
    const request = does(transaction.objectStore("files"));
    transaction.oncomplete = () => resolve(request.result);
    transaction.onabort = () => reject(transaction.error);
  });
}

/** Keeps bytes, and returns their id. */
export async function put(bytes) {
  const file = { id: [...crypto.getRandomValues(new Uint32Array(4))].join("-"), bytes, at: Date.now() };
  try {
    await act("readwrite", (files) => files.put(file));
  } catch {
    unkept.set(file.id, bytes);
  }
  return file.id;
}

/** Bytes, or null when they are gone. */
export async function get(id) {
  if (unkept.has(id)) return unkept.get(id);
  try {
    return (await act("readonly", (files) => files.get(id)))?.bytes ?? null;
  } catch {
    return null;
  }
}

/** Forgets what is in no conversation any more; what was just put there may be on its way into one. */
export async function sweep(used) {
  try {
    const old = (await act("readonly", (files) => files.getAllKeys())).filter((id) => !used.has(id));
    for (const id of old) {
      const file = await act("readonly", (files) => files.get(id));
      if (file && Date.now() - file.at > longestUnused) await act("readwrite", (files) => files.delete(id));
    }
  } catch {
    // Then there is nothing to forget.
  }
}
