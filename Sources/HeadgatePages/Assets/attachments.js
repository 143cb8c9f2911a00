// Files that go with a message: which are taken, how they are kept, and what the model gets of them.

import { get, put } from "./attachment-store.js";
import { Failure } from "./failure.js";
import { t } from "./words.js";

const mebibyte = 1024 * 1024;
/** Of one message. */
export const mostFiles = 10;
const mostBytes = { image: 10 * mebibyte, pdf: 20 * mebibyte, text: mebibyte };
const mostBytesTogether = 22 * mebibyte;

/** By the first bytes: a name and the type that a browser makes of it prove nothing. */
const signatures = [
  ["image/png", /^\x89PNG\r\n\x1a\n/], ["image/jpeg", /^\xff\xd8\xff/], ["image/gif", /^GIF8[79]a/],
  ["image/webp", /^RIFF[^]{4}WEBP/], ["application/pdf", /^%PDF-/],
];

export const kindOf = (type) => (type.startsWith("image/") ? "image" : type === "application/pdf" ? "pdf" : "text");

/** A file as `{name, type, size, bytes}`; throws an Error for the reader. */
export async function taken(file) {
  // Before anything is read.
  if (file.size > mostBytes.pdf) throw new Error(tooLarge(file.name, mostBytes.pdf));
  return checked(file.name, await file.arrayBuffer());
}

function checked(name, bytes) {
  const type = typeOf(bytes);
  if (type === null) {
    throw new Error(t("“{name}” cannot be attached: pictures (PNG, JPEG, WebP, GIF), PDF and text can.", { name }));
  }
  const most = mostBytes[kindOf(type)];
  if (bytes.byteLength > most) throw new Error(tooLarge(name, most));
  if (bytes.byteLength === 0) throw new Error(t("“{name}” is empty.", { name }));
  return { name: name.slice(0, 255) || "file", type, size: bytes.byteLength, bytes };
}

const tooLarge = (name, most) => 
  t("“{name}” is too large: such a file may have {count} MiB.", { name, count: most / mebibyte });

/** What is wrong with these files together; null when nothing is. */
export function problemOf(files) {
  if (files.length > mostFiles) return t("At most {count} files go with a message.", { count: mostFiles });
  const size = files.reduce((sum, file) => sum + file.size, 0);
  if (size <= mostBytesTogether) return null;
  const count = mostBytesTogether / mebibyte;
  return t("Together they are too large: at most {count} MiB go with a message.", { count });
}

function typeOf(bytes) {
  const head = String.fromCharCode(...new Uint8Array(bytes, 0, Math.min(bytes.byteLength, 16)));
  const known = signatures.find(([, signature]) => signature.test(head));
  if (known) return known[0];
  return textOf(bytes) === null ? null : "text/plain";
}

/** Null for what is no text. */
function textOf(bytes) {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return text.includes("\0") ? null : text;
  } catch {
    return null;
  }
}

/** Keeps files; returns what a message has of them. */
export const kept = (files) => Promise.all(files.map(async ({ name, type, size, bytes }) =>
  ({ id: await put(bytes), name, type, size })));

/** What a request has of an attachment: `{name, type, data}` in base64, or `{name, type, text}`. */
export async function contentOf({ id, name, type }) {
  const bytes = await get(id);
  if (bytes === null) {
    throw new Failure(t("“{name}” is not in this browser any more: attach it again to a new message.", { name }));
  }
  return kindOf(type) === "text" ? { name, type, text: textOf(bytes) ?? "" } : { name, type, data: base64(bytes) };
}

/** Into a file: with all that there is of it. */
export async function exportedAttachment({ id, ...attachment }) {
  const bytes = await get(id);
  return bytes === null ? attachment : { ...attachment, data: base64(bytes) };
}

/** Out of a file: what claims to be a picture is looked at like any other. Throws an Error for the reader. */
export async function importedAttachment({ name, type, size, data }) {
  // What was not exported is known by its name alone.
  if (data === undefined) return { id: "", name, type, size };
  let bytes;
  try {
    bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0)).buffer;
  } catch {
    throw new Error(`the attachment “${name}” is not in base64`);
  }
  const [file] = await kept([checked(name, bytes)]);
  return file;
}

function base64(bytes) {
  const octets = new Uint8Array(bytes);
  let text = "";
  for (let at = 0; at < octets.length; at += 0x8000) text += String.fromCharCode(...octets.subarray(at, at + 0x8000));
  return btoa(text);
}

const pictures = new Map();

/** An address of this page alone for a picture; null when its bytes are gone. */
export async function pictureAddress({ id, type }) {
  if (!pictures.has(id)) {
    const bytes = await get(id);
    if (bytes === null) return null;
    pictures.set(id, URL.createObjectURL(new Blob([bytes], { type })));
  }
  return pictures.get(id);
}
