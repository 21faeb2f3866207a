/** Wraps lines at blanks, by bytes: a break may split a character, which then is invalid. */
import { fromBytes, toBytes } from "@tiphys/base/go";

/** Breaks a line so that no piece is longer than `width` bytes, except long words if `breakWords` is false. */
export function wrapText(text: string, width: number, separator: string, breakWords: boolean): string {
  return fromBinary(wrapBytes(toBinary(text), Math.max(1, width), toBinary(separator), breakWords));
}

/** Returns one character per byte. */
function toBinary(text: string): string {
  return Array.from(toBytes(text), (byte) => String.fromCharCode(byte)).join("");
}

function fromBinary(binary: string): string {
  return fromBytes(Uint8Array.from(binary, (character) => character.charCodeAt(0)));
}

function wrapBytes(text: string, width: number, separator: string, breakWords: boolean): string {
  let offset = 0;
  let out = "";
  while (text.length - offset > width) {
    if (text[offset] === " ") {
      offset++;
      continue;
    }
    const blank = text.slice(offset, offset + width + 1).lastIndexOf(" ");
    let end = offset + blank;
    let next = end + 1;
    if (blank < 0 && breakWords) end = next = offset + width;
    else if (blank < 0) {
      end = text.indexOf(" ", offset + width);
      if (end < 0) return out + text.slice(offset);
      next = end + 1;
    }
    out += text.slice(offset, end) + separator;
    offset = next;
  }
  return out + text.slice(offset);
}
