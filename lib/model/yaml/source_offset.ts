/**
 * Converts an offset in the text of a scalar (plain, quoted or block) to an offset in its source, which also has
 * quotes, escapes, folded lines and indentation. Walks both in parallel; a run of white space matches any run of white
 * space, since folding and indentation change nothing else.
 */
export function sourceOffset(source: string, value: string, offset: number): number {
  const style = source[0];
  const isBlock = style === "|" || style === ">";
  const isQuoted = style === '"' || style === "'";
  let at = isBlock ? skipSpace(source, source.indexOf("\n")) : isQuoted ? 1 : 0;
  let read = isBlock ? skipSpace(value, 0) : 0;
  while (read < offset && at < source.length) {
    const isEscape = style === '"' && source[at] === "\\";
    if (isEscape && /[\r\n]/.test(source[at + 1] ?? "")) at = skipSpace(source, at + 1);
    else if (isEscape) {
      const length = escapeLength(source, at);
      // An escape of ten characters may represent a surrogate pair.
      read += length === 10 && value.codePointAt(read)! > 0xffff ? 2 : 1;
      at += length;
    } else if (style === "'" && source[at] === "'") {
      read++;
      at += 2;
    } else if (isSpace(source[at]) && breaksLine(source, at)) {
      const next = skipSpace(value, read);
      if (next > offset) return at;
      read = next;
      at = skipSpace(source, at);
    } else {
      read++;
      at++;
    }
  }
  return at;
}

function escapeLength(source: string, at: number): number {
  return { x: 4, u: 6, U: 10 }[source.charAt(at + 1)] ?? 2;
}

function breaksLine(source: string, at: number): boolean {
  return /^[ \t]*\r?\n/.test(source.slice(at, skipSpace(source, at) + 1));
}

function skipSpace(text: string, at: number): number {
  while (isSpace(text[at])) at++;
  return at;
}

function isSpace(character: string | undefined): boolean {
  return character === " " || character === "\t" || character === "\n" || character === "\r";
}
