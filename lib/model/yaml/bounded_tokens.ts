/** Counts the tokens of a text as they are read, so that a text beyond the limits is rejected before it is composed. */
import { type CST, Lexer, type LineCounter, Parser } from "yaml";
import { nestingMessage } from "@tiphys/base/nesting";
import { LIMITS } from "@tiphys/base/limits";

/** The exceeded limit, and the offset in the text. */
export interface Excess {
  readonly offset: number;
  readonly message: string;
}

/**
 * Splits a text into tokens, one per document, without recursion. Ends at the first position where the text exceeds a
 * limit, which is {@link excess}. The depth is limited too, because the users of the tokens are recursive.
 */
export class BoundedTokens {
  excess: Excess | undefined;
  #read = 0;
  /** The spaces and line feeds since the last other token, and whether a comment followed them. */
  #blanks = 0;
  #isCommented = false;
  #offset = 0;
  #keys = 0;
  #aliases = 0;
  #directives = 0;
  #errors = 0;

  constructor(private readonly text: string, private readonly lines: LineCounter) {}

  *tokens(): Generator<CST.Token, void> {
    this.lines.addNewLine(0);
    if (this.text.length > LIMITS.yaml.characters) return void this.#end(0, LIMITS.yaml.characters, "characters");
    const parser = new Parser(this.lines.addNewLine);
    let isScalar = false;
    for (const lexeme of new Lexer().lex(this.text)) {
      if (!this.#count(lexeme, isScalar)) return;
      isScalar = lexeme === SCALAR;
      for (const token of parser.next(lexeme)) {
        if (token.type === "error" && ++this.#errors > LIMITS.yaml.errors) return;
        yield token;
      }
      const deepest = collectionBelow(parser.stack, LIMITS.depth);
      if (!deepest) continue;
      this.excess = { offset: deepest.offset, message: nestingMessage(LIMITS.depth) };
      return;
    }
    yield* parser.end();
  }

  /** Counts a lexeme, which may be the text of a plain or block scalar; returns false at the limit. */
  #count(lexeme: string, isScalar: boolean): boolean {
    const offset = this.#offset;
    if (isScalar || !CONTROL.has(lexeme)) this.#offset += lexeme.length;
    if (++this.#read > LIMITS.yaml.tokens) return this.#end(offset, LIMITS.yaml.tokens, "tokens");
    if (isScalar) return true;
    if (BLANK.test(lexeme)) {
      if (!this.#isCommented) this.#blanks++;
      return true;
    }
    if (lexeme.startsWith("#")) {
      // For each comment, the parser walks over the empty lines before the first one.
      this.#read += this.#blanks;
      this.#isCommented = true;
      return true;
    }
    this.#blanks = 0;
    this.#isCommented = false;
    switch (lexeme.charCodeAt(0)) {
      case 0x3a: // :
        return ++this.#keys <= LIMITS.yaml.keys || this.#end(offset, LIMITS.yaml.keys, "keys");
      case 0x26: // &
      case 0x2a: // *
        return ++this.#aliases <= LIMITS.yaml.aliases || this.#end(offset, LIMITS.yaml.aliases, "aliases and anchors");
      case 0x25: // %
        this.#directives += lexeme.length;
        return this.#directives <= LIMITS.yaml.directives ||
          this.#end(offset, LIMITS.yaml.directives, "characters of directives");
    }
    return true;
  }

  #end(offset: number, limit: number, things: string): false {
    this.excess = { offset, message: `the text has more than ${limit} ${things}` };
    return false;
  }
}

const BLANK = /^[ \t\r\n]/;

/** The lexeme before the text of a plain or block scalar. */
const SCALAR = "\u001f";

/** Lexemes without text: start of a document, start of a scalar, error in a flow collection. */
const CONTROL: ReadonlySet<string> = new Set(["\u0002", "\u0018", SCALAR]);

/** Returns the open collection that is nested in `levels` others; undefined without one. */
function collectionBelow(open: readonly CST.Token[], levels: number): CST.Token | undefined {
  if (open.length <= levels) return undefined;
  return open.filter(({ type }) => type === "block-map" || type === "block-seq" || type === "flow-collection")[levels];
}
