import { Lexer } from "yaml";

/**
 * The text with the later lines of quoted scalars indented where they stand further left than YAML allows but
 * Kubernetes' reader accepts: a closing `"]` under its key is common. Indentation inside quotes is folded away, so no
 * value changes, and no line moves.
 */
export function indentQuotedLines(text: string): string {
  let repaired = text;
  for (let from = 0;;) {
    const cut = firstCutScalar(repaired, from);
    if (cut === undefined) return repaired;
    const end = closingQuote(repaired, cut);
    if (end === -1) return repaired;
    const column = cut - repaired.lastIndexOf("\n", cut);
    const scalar = repaired.slice(cut, end + 1).replace(/\n(?!\r?\n)/g, `\n${" ".repeat(column)}`);
    repaired = repaired.slice(0, cut) + scalar + repaired.slice(end + 1);
    from = cut + 1;
  }
}

/**
 * The offset, from `from` on, of the first quoted scalar that the lexer ends without its closing quote; undefined when
 * there is none.
 */
function firstCutScalar(text: string, from: number): number | undefined {
  let offset = 0;
  for (const lexeme of new Lexer().lex(text)) {
    const quote = lexeme.charAt(0);
    const cut = (quote === '"' || quote === "'") && (lexeme.length === 1 || !lexeme.endsWith(quote));
    if (cut && offset >= from) return offset;
    if (!CONTROL.has(quote) || lexeme.length > 1) offset += lexeme.length;
  }
  return undefined;
}

/** Lexemes that stand for no text: byte order mark, start of document, start of scalar, flow error. */
const CONTROL: ReadonlySet<string> = new Set(["\u0002", "\u0018", "\u001f"]);

function closingQuote(text: string, start: number): number {
  const quote = text[start];
  for (let at = start + 1; at < text.length; at++) {
    if (quote === '"' && text[at] === "\\") at++;
    else if (text[at] === quote) {
      if (quote === '"' || text[at + 1] !== "'") return at;
      at++;
    }
  }
  return -1;
}
