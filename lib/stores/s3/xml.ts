/** Parses and writes the XML of S3: elements by name. Attributes are ignored. */
import { unescapeXml } from "@tiphys/base/xml";

/** Yields the raw content of all elements with a name. That of `<Contents>` contains further elements. */
export function* elements(xml: string, name: string): Generator<string> {
  const open = `<${name}>`;
  const close = `</${name}>`;
  for (let index = xml.indexOf(open); index >= 0; index = xml.indexOf(open, index)) {
    const end = xml.indexOf(close, index);
    if (end < 0) return;
    yield xml.slice(index + open.length, end);
    index = end + close.length;
  }
}

/** Returns the text of the first element with a name. */
export function textOf(xml: string, name: string): string | undefined {
  const { value } = elements(xml, name).next();
  return value === undefined ? undefined : unescapeXml(value);
}

/** Escapes text for an element. */
export function escapedText(text: string): string {
  return text.replace(/[&<>"'\t\r\n]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Whether XML can represent a text, which excludes most control characters. */
export function isXmlText(text: string): boolean {
  // deno-lint-ignore no-control-regex -- these are what XML does not take
  return text.isWellFormed() && !/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/.test(text);
}
