// Attachments as the reader sees them.

import { kindOf, pictureAddress } from "./attachments.js";
import { element } from "./dom.js";
import { icon } from "./icons.js";
import { t } from "./words.js";

/** The files of a message that was sent. */
export const attachmentList = (attachments) =>
  element("ul", { class: "attachments", "aria-label": t("Attachments") }, ...attachments.map((one) => {
    const node = element("li", {}, ...chip(one));
    if (kindOf(one.type) === "image") showPicture(node, one);
    return node;
  }));

/** A file that is to go with the next message. `removed` is called when it is not. */
export function draftNode(file, removed) {
  const { name, type, bytes } = file;
  const node = element("li", {}, ...chip(file),
    element("button", { type: "button", "aria-label": t("Remove {name}", { name }), title: t("Remove"),
      click: removed }, icon("close")));
  if (kindOf(type) !== "image") return node;
  if (bytes === undefined) showPicture(node, file);
  else node.prepend(picture(name, URL.createObjectURL(new Blob([bytes], { type }))));
  return node;
}

const chip = ({ name, type, size }) => [
  element("span", { class: "file-name" }, name),
  element("span", { class: "faint" }, `${t(kindNames[kindOf(type)])}, ${sizeText(size)}`),
];

const kindNames = { image: "picture", pdf: "PDF", text: "text" };

async function showPicture(node, attachment) {
  const address = await pictureAddress(attachment);
  if (address === null) node.append(element("span", { class: "faint" }, t("(not in this browser)")));
  else node.prepend(picture(attachment.name, address));
}

const picture = (name, address) => element("img", { class: "preview", alt: name, src: address });

function sizeText(size) {
  if (size < 1024) return `${size} B`;
  return size < 1024 * 1024 ? `${Math.round(size / 1024)} KiB` : `${(size / 1024 / 1024).toFixed(1)} MiB`;
}
