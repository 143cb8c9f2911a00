// A conversation as a Markdown file: the branch that is shown, as it was written.

import { lineOf } from "./branches.js";
import { element } from "./dom.js";
import { t } from "./words.js";

export function markdownOf(conversation) {
  const title = conversation.title || t("Untitled");
  const parts = lineOf(conversation).map(({ role, model, content, refusal, attachments = [], reasoning }) => [
    `## ${role === "user" ? t("You") : model || t("Assistant")}`,
    ...attachments.map(({ name }) => `*${name}*`),
    reasoning ? reasoning.trimEnd().replace(/^/gm, "> ") : "",
    content || refusal || "",
  ].filter((text) => text !== "").join("\n\n"));
  const instructions = conversation.instructions.trim();
  const system = instructions === "" ? [] : [`## ${t("System prompt")}\n\n${instructions}`];
  return `${[`# ${title}`, ...system, ...parts].join("\n\n")}\n`;
}

/** Saves a text as a file of the reader. */
export function download(text, name, type) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  element("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** A file name out of a title. */
export const fileName = (title) =>
  `${title.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "").slice(0, 60) || "chat"}.md`;
