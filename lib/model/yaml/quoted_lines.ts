/** Repairs quoted texts with insufficient indentation, which Kubernetes' parser accepts and YAML does not allow. */
import { Lexer } from "yaml";

/** Maximum number of characters added to one text; above it, the text is unchanged and keeps its errors. */
const MAX_ADDED = 4 << 20;

/**
 * Indents the continuation lines of quoted scalars that have less indentation than YAML requires but Kubernetes' parser
 * accepts: a closing `"]` below its key is common. Indentation inside quotes is folded, so neither values nor line
 * numbers change.
 */
export function indentQuotedLines(text: string): string {
  const repaired: string[] = [];
  let done = 0;
  let added = 0;
  /** The characters of the repaired text since its last line feed. */
  let column = 0;
  const take = (piece: string) => {
    repaired.push(piece);
    const index = piece.lastIndexOf("\n");
    column = index < 0 ? column + piece.length : piece.length - index - 1;
  };
  for (const { start, end } of cutScalars(text)) {
    take(text.slice(done, start));
    const indent = column + 1;
    const scalar = text.slice(start, end);
    added += indent * [...scalar.matchAll(CONTENT_LINE)].length;
    if (added > MAX_ADDED) return text;
    take(scalar.replace(CONTENT_LINE, `\n${" ".repeat(indent)}`));
    done = end;
  }
  return repaired.join("") + text.slice(done);
}

/** Line feeds before lines that are not empty. */
const CONTENT_LINE = /\n(?!\r?\n)/g;

/** Yields the quoted scalars that the lexer ends before their closing quote, including that quote. */
function* cutScalars(text: string): Generator<{ readonly start: number; readonly end: number }> {
  const lexer = new Lexer();
  let offset = 0;
  const nextCut = (source: string): number | undefined => {
    let before = "";
    for (const lexeme of lexer.lex(source)) {
      const quote = lexeme.charAt(0);
      // A block scalar may begin with a quote too: its text is unchanged.
      const isQuoted = (quote === '"' || quote === "'") && before !== START_OF_SCALAR;
      before = lexeme;
      if (isQuoted && (lexeme.length === 1 || !lexeme.endsWith(quote))) return offset;
      if (!CONTROL.has(quote) || lexeme.length > 1) offset += lexeme.length;
    }
    return undefined;
  };
  for (let start = nextCut(text); start !== undefined; start = nextCut("")) {
    const closing = closingQuote(text, start);
    if (closing === -1) return;
    offset = closing + 1;
    yield { start, end: offset };
    continueAt(lexer, offset);
  }
}

/**
 * Makes a lexer that has stopped in a quoted scalar continue after it, as if it had read the scalar completely.
 * Restarting it at the beginning of the text for each such scalar would take quadratic time.
 */
function continueAt(lexer: Lexer, offset: number): void {
  const isInFlow = Number(Reflect.get(lexer, "flowLevel")) > 0;
  Object.assign(lexer, { pos: offset, lineEndPos: null, next: isInFlow ? "flow" : "doc" });
}

/** Lexemes without text: byte order mark, start of document, start of scalar, flow error. */
const START_OF_SCALAR = "\u001f";
const CONTROL: ReadonlySet<string> = new Set(["\u0002", "\u0018", START_OF_SCALAR]);

function closingQuote(text: string, start: number): number {
  const quote = text[start];
  for (let offset = start + 1; offset < text.length; offset++) {
    if (quote === '"' && text[offset] === "\\") offset++;
    else if (text[offset] === quote) {
      if (quote === '"' || text[offset + 1] !== "'") return offset;
      offset++;
    }
  }
  return -1;
}
