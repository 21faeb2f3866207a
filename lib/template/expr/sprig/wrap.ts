/** Wrapping lines at blanks, by bytes. */
import { byteLength, sliceBytes } from "../../../go/mod.ts";

/** Breaks a line so that no piece is longer than `width` bytes, except words too long where `breakWords` is off. */
export function wrapText(text: string, width: number, separator: string, breakWords: boolean): string {
  const size = Math.max(1, width);
  const length = byteLength(text);
  const part = (from: number, to: number) => sliceBytes(text, from, to);
  let offset = 0;
  let out = "";
  while (length - offset > size) {
    if (part(offset, offset + 1) === " ") {
      offset++;
      continue;
    }
    const line = part(offset, offset + size + 1);
    const blank = line.lastIndexOf(" ");
    if (blank >= 0) {
      const end = offset + byteLength(line.slice(0, blank));
      out += part(offset, end) + separator;
      offset = end + 1;
    } else if (breakWords) {
      out += part(offset, offset + size) + separator;
      offset += size;
    } else {
      const rest = part(offset + size, length);
      const next = rest.indexOf(" ");
      if (next < 0) return out + part(offset, length);
      const end = offset + size + byteLength(rest.slice(0, next));
      out += part(offset, end) + separator;
      offset = end + 1;
    }
  }
  return out + part(offset, length);
}
