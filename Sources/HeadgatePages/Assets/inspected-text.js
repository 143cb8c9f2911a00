// The content of an inspected request, read out of its bytes: any API's request, and any API's answer.

import { EventParser } from "./events.js";

/** Characters that reorder or hide what is around them. */
const invisible = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;
const code = (character) => `\\u${character.codePointAt(0).toString(16).padStart(4, "0")}`;

/** The text with such characters written out, as JSON does. */
export const visible = (text) => text.replace(invisible, code);

/** A document, or the value of its beginning if it is cut; null if it is not JSON. */
export function parsed({ text, cut }) {
  for (const candidate of cut ? closings(text) : [text]) {
    try {
      return JSON.parse(candidate);
    } catch {
      // The next one may do.
    }
  }
  return null;
}

/** Ways to end a JSON document that is cut anywhere. */
function closings(text) {
  const open = [];
  let whole = { end: 0, closers: "" };
  const mark = (end) => {
    whole = { end, closers: open.toReversed().join("") };
  };
  for (let at = 0, isInString = false; at < text.length; at += 1) {
    const character = text[at];
    if (isInString) {
      if (character === "\\") at += 1;
      else if (character === '"') isInString = false;
    } else if (character === '"') isInString = true;
    else if (character === ",") mark(at);
    else if (character === "{" || character === "[") {
      open.push(character === "{" ? "}" : "]");
      mark(at + 1);
    } else if (character === "}" || character === "]") open.pop();
  }
  const closers = open.toReversed().join("");
  const unescaped = text.replace(/\\[^"\\]{0,5}$/, "");
  return [`${text}"${closers}`, `${unescaped}"${closers}`, text + closers, text.slice(0, whole.end) + whole.closers];
}

const list = (value) => (Array.isArray(value) ? value : []);
const isObject = (value) => typeof value === "object" && value !== null;

/** Members of requests that are not parameters. */
const said = new Set(["messages", "input", "prompt", "system", "instructions", "tools", "functions"]);

/** What a request says: `{messages: [{role, text}], tools: [{name, text}], parameters: [[name, value]]}`. */
export function promptOf(request) {
  if (!isObject(request)) return { messages: [], tools: [], parameters: [] };
  const { input, prompt } = request;
  const first = [request.system, request.instructions].filter((text) => text !== undefined && text !== null)
    .map((content) => ({ role: "system", content }));
  const alone = [prompt, Array.isArray(input) ? undefined : input]
    .filter((text) => text !== undefined && text !== null).map((content) => ({ role: "user", content }));
  const messages = [...first, ...list(request.messages), ...(Array.isArray(input) ? input : []), ...alone];
  return {
    messages: messages.map((message) => ({ role: roleOf(message), text: textOf(message) })),
    tools: [...list(request.tools), ...list(request.functions)].map((tool) =>
      ({ name: String(tool?.function?.name ?? tool?.name ?? tool?.type ?? "?"), text: written(tool) })),
    parameters: Object.entries(request).filter(([name]) => !said.has(name)),
  };
}

const roleOf = (message) => (isObject(message) ? String(message.role ?? message.type ?? "?") : "user");

function textOf(message) {
  if (!isObject(message)) return partText(message);
  const { role, type, content, id, status, ...rest } = message;
  const texts = content === undefined || content === null ? []
    : Array.isArray(content) ? content.map(partText) : [partText(content)];
  return [...texts, ...(Object.keys(rest).length > 0 ? [written(rest)] : [])].join("\n");
}

function partText(part) {
  if (typeof part === "string") return part;
  return typeof part?.text === "string" ? part.text : written(part);
}

/** As JSON to read, without the data of pictures and files. */
export const written = (value) => JSON.stringify(value, (name, inner) => (
  typeof inner === "string" && /^(data:|[A-Za-z0-9+/]{2000})/.test(inner) && inner.length > 2000
    ? `${inner.slice(0, 40)}… (${inner.length})` : inner), 2) ?? "";

/** What the pieces of a response say: `[{at_ms, text}]`, without those that say nothing. */
export function answerOf(pieces) {
  const all = pieces.map(({ text }) => text).join("");
  if (!/^\s*[{[]/.test(all)) return streamed(pieces, new EventParser());
  try {
    const text = saidBy(JSON.parse(all));
    return text === "" ? [] : [{ at_ms: pieces.at(-1).at_ms, text }];
  } catch {
    return streamed(pieces, new LineParser());
  }
}

/** The lines of Ollama's streams, as events. */
class LineParser {
  #rest = "";

  push(text) {
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop();
    return lines.map((data) => ({ data }));
  }
}

function streamed(pieces, parser) {
  return pieces.map(({ at_ms: at, text }) => ({ at_ms: at, text: parser.push(text).map(saidInEvent).join("") }))
    .filter(({ text }) => text !== "");
}

function saidInEvent({ data }) {
  try {
    return saidBy(JSON.parse(data));
  } catch {
    // The end mark, or what is cut.
    return "";
  }
}

/** What one document of a response says: text, reasoning and tool calls, in any API. */
export function saidBy(document) {
  if (!isObject(document)) return "";
  const { choices, delta, message, content, output, response, error, type } = document;
  if (error !== undefined && error !== null) return typeof error === "string" ? error : written(error);
  if (Array.isArray(choices)) {
    return choices.map((choice) => string(choice?.text) + saidInMessage(choice?.delta ?? choice?.message)).join("");
  }
  if (typeof delta === "string") return delta;
  if (isObject(delta)) return string(delta.text) + string(delta.thinking) + string(delta.partial_json);
  if (type === "content_block_start") return nameOf(document.content_block);
  if (type === "response.output_item.added") return nameOf(document.item);
  // Other events of Responses repeat what their deltas have said.
  if (typeof type === "string" && type.startsWith("response.")) return "";
  if (typeof response === "string") return response;
  if (isObject(message) && message.role !== undefined && type === undefined) return saidInMessage(message);
  return [...list(content), ...list(output).flatMap((item) => item?.content ?? [item])]
    .map((part) => string(part?.text) || nameOf(part)).join("");
}

function saidInMessage(message) {
  if (!isObject(message)) return "";
  const calls = list(message.tool_calls).map(({ function: called } = {}) =>
    nameOf(called) + (isObject(called?.arguments) ? written(called.arguments) : string(called?.arguments)));
  const content = list(message.content).map((part) => string(part?.text)).join("");
  return [string(message.reasoning_content) || string(message.reasoning) || string(message.thinking),
    string(message.content), content, string(message.refusal), ...calls].join("");
}

const nameOf = (call) => (typeof call?.name === "string" ? `\n${call.name} ` : "");
const string = (value) => (typeof value === "string" ? value : "");
