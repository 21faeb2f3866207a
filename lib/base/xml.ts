/**
 * Parses the XML responses of artifact stores: elements and text. Attributes are returned as written. External
 * references are not resolved.
 */

export interface Element {
  readonly name: string;
  /** Its direct text, with entity and character references replaced. */
  readonly text: string;
  readonly children: readonly Element[];
  /** Its attributes, as written. */
  readonly attributes: string;
}

interface Open {
  name: string;
  text: string;
  children: Element[];
  attributes: string;
}

/** Maximum depth of elements. */
const MAX_DEPTH = 64;

/** Parses a document; undefined when it is invalid. */
export function readXml(text: string): Element | undefined {
  const root: Open = { name: "", text: "", children: [], attributes: "" };
  const open: Open[] = [root];
  for (let offset = 0; offset < text.length;) {
    const top = open.at(-1)!;
    const begin = text.indexOf("<", offset);
    top.text += unescapeXml(text.slice(offset, begin < 0 ? text.length : begin));
    if (begin < 0) break;
    if (text.startsWith("<![CDATA[", begin)) {
      const end = text.indexOf("]]>", begin);
      if (end < 0) return undefined;
      top.text += text.slice(begin + 9, end);
      offset = end + 3;
      continue;
    }
    const end = text.startsWith("<!--", begin) ? text.indexOf("-->", begin) + 2 : text.indexOf(">", begin);
    if (end < begin) return undefined;
    offset = end + 1;
    const tag = text.slice(begin + 1, end);
    if (tag.startsWith("?") || tag.startsWith("!")) continue;
    if (tag.startsWith("/")) {
      const done = open.pop()!;
      if (open.length === 0 || done.name !== tag.slice(1).trim()) return undefined;
      open.at(-1)!.children.push(done);
      continue;
    }
    const isWhole = tag.endsWith("/");
    const [name = "", ...rest] = (isWhole ? tag.slice(0, -1) : tag).split(/\s/);
    const element: Open = { name, text: "", children: [], attributes: rest.join(" ") };
    if (isWhole) top.children.push(element);
    else if (open.push(element) > MAX_DEPTH) return undefined;
  }
  return open.length === 1 ? root.children[0] : undefined;
}

/** Returns the first element at a path of names below another one. */
export function child(element: Element | undefined, ...names: readonly string[]): Element | undefined {
  return names.reduce((parent, name) => parent?.children.find((each) => each.name === name), element);
}

/** Returns the text of {@link child}; empty when it does not exist. */
export function textAt(element: Element | undefined, ...names: readonly string[]): string {
  return child(element, ...names)?.text ?? "";
}

/** Escapes text for XML. */
export function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;")
    .replaceAll("\r", "&#13;").replaceAll("\n", "&#10;");
}

const NAMED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** Replaces references in XML text. Unknown ones are kept. */
export function unescapeXml(text: string): string {
  if (!text.includes("&")) return text;
  return text.replaceAll(/&(#x[0-9a-fA-F]{1,6}|#\d{1,7}|[a-z]{2,4});/g, (whole, reference: string) => {
    if (!reference.startsWith("#")) return NAMED[reference] ?? whole;
    const code = reference[1] === "x" ? parseInt(reference.slice(2), 16) : Number(reference.slice(1));
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
