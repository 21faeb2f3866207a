/**
 * Converts an offset in the text of a scalar (plain, quoted or block) to an offset in its source, which also has
 * quotes, escapes, folded lines and indentation. Walks both in parallel; a run of white space matches any run of white
 * space, since folding and indentation change nothing else.
 */
export function sourceOffset(source: string, value: string, offset: number): number {
  const style = source[0];
  const isBlock = style === "|" || style === ">";
  const isQuoted = style === '"' || style === "'";
  let position = isBlock ? skipSpace(source, source.indexOf("\n")) : isQuoted ? 1 : 0;
  let read = isBlock ? skipSpace(value, 0) : 0;
  while (read < offset && position < source.length) {
    const isEscape = style === '"' && source[position] === "\\";
    if (isEscape && /[\r\n]/.test(source[position + 1] ?? "")) position = skipSpace(source, position + 1);
    else if (isEscape) {
      const length = escapeLength(source, position);
      // An escape of ten characters may represent a surrogate pair.
      read += length === 10 && value.codePointAt(read)! > 0xffff ? 2 : 1;
      position += length;
    } else if (style === "'" && source[position] === "'") {
      read++;
      position += 2;
    } else if (isSpace(source[position]) && breaksLine(source, position)) {
      const next = skipSpace(value, read);
      if (next > offset) return position;
      read = next;
      position = skipSpace(source, position);
    } else {
      read++;
      position++;
    }
  }
  return position;
}

function escapeLength(source: string, offset: number): number {
  return { x: 4, u: 6, U: 10 }[source.charAt(offset + 1)] ?? 2;
}

function breaksLine(source: string, offset: number): boolean {
  return /^[ \t]*\r?\n/.test(source.slice(offset, skipSpace(source, offset) + 1));
}

function skipSpace(text: string, offset: number): number {
  while (isSpace(text[offset])) offset++;
  return offset;
}

function isSpace(character: string | undefined): boolean {
  return character === " " || character === "\t" || character === "\n" || character === "\r";
}
