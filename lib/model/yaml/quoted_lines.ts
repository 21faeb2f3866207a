/** Quoted texts over several lines that Kubernetes' reader takes and YAML does not, made such that YAML takes them. */
import { Lexer } from "yaml";

/** The most characters that are added to one text: where it would take more, nothing is, and its errors stand. */
const MOST_ADDED = 4 << 20;

/**
 * The text with the later lines of quoted scalars indented where they stand further left than YAML allows but
 * Kubernetes' reader accepts: a closing `"]` under its key is common. Indentation inside quotes is folded away, so no
 * value changes, and no line moves.
 */
export function indentQuotedLines(text: string): string {
  const repaired: string[] = [];
  let done = 0;
  let added = 0;
  /** The characters of the repaired text since its last line feed. */
  let column = 0;
  const take = (piece: string) => {
    repaired.push(piece);
    const at = piece.lastIndexOf("\n");
    column = at < 0 ? column + piece.length : piece.length - at - 1;
  };
  for (const { start, end } of cutScalars(text)) {
    take(text.slice(done, start));
    const indent = column + 1;
    const scalar = text.slice(start, end);
    added += indent * [...scalar.matchAll(CONTENT_LINE)].length;
    if (added > MOST_ADDED) return text;
    take(scalar.replace(CONTENT_LINE, `\n${" ".repeat(indent)}`));
    done = end;
  }
  return repaired.join("") + text.slice(done);
}

/** The line feeds before lines that are not empty. */
const CONTENT_LINE = /\n(?!\r?\n)/g;

/** The quoted scalars that the lexer ends without their closing quote, each up to behind that. */
function* cutScalars(text: string): Generator<{ readonly start: number; readonly end: number }> {
  const lexer = new Lexer();
  let offset = 0;
  const nextCut = (source: string): number | undefined => {
    let before = "";
    for (const lexeme of lexer.lex(source)) {
      const quote = lexeme.charAt(0);
      // A block scalar, too, may begin with a quote: its text stays as it is.
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
    goOnAt(lexer, offset);
  }
}

/**
 * Lets a lexer that has stopped at a quoted scalar go on behind it, in the state in which it is after one that it has read
 * whole. (It cannot be asked to: from the begin of the text once more, for each such scalar, would take the square of the
 * text's length.)
 */
function goOnAt(lexer: Lexer, offset: number): void {
  const isInFlow = Number(Reflect.get(lexer, "flowLevel")) > 0;
  Object.assign(lexer, { pos: offset, lineEndPos: null, next: isInFlow ? "flow" : "doc" });
}

/** Lexemes that stand for no text: byte order mark, start of document, start of scalar, flow error. */
const START_OF_SCALAR = "\u001f";
const CONTROL: ReadonlySet<string> = new Set(["\u0002", "\u0018", START_OF_SCALAR]);

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
