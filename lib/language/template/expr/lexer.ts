/** Splits an expression into tokens. */
import { parseEscape } from "./escapes.ts";
import { ExpressionError } from "./error.ts";
import { toBytes } from "@tiphys/base/go/utf8";

/** The kind of a token. Word operators (`in`, `not`, `let`) are operators. */
export type TokenKind = "Identifier" | "Number" | "String" | "Bytes" | "Operator" | "Bracket" | "EOF";

/**
 * A token and its position. Strings and bytes have their value instead of their spelling; bytes are a binary string.
 */
export interface Token {
  readonly kind: TokenKind;
  readonly value: string;
  readonly at: number;
}

const WORD_OPERATORS = new Set([
  "not",
  "in",
  "or",
  "and",
  "matches",
  "contains",
  "startsWith",
  "endsWith",
  "let",
  "if",
  "else",
]);
const SPACE = /[\t\n\v\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/y;
const WORD = /[\p{L}_$][\p{L}\p{Nd}_$]*/uy;
const SYMBOL = /\?[.?]?|\|\|?|::?|\.\.?|##?|[,;%+\-^]|[&!=*<>][&=*]?|\//y;
const NUMBER = /(?:0[xX][0-9a-fA-F_]*|0[oO][0-7_]*|0[bB][01_]*|[0-9_]*)(?:\.(?!\.)(?:[0-9_]*))?(?:[eE][+-]?[0-9_]*)?/y;
const HEX_POINT = /0[xX][0-9a-fA-F_]*(?:\.(?!\.)[0-9a-fA-F_]*)?(?:[eE][+-]?[0-9a-fA-F_]*)?/y;
const NEXT_WORD_CHARACTER = /[\p{L}\p{Nd}_$]/uy;

/**
 * Reads tokens one after another.
 * @throws {ExpressionError} for invalid characters.
 */
export class Lexer {
  private at = 0;
  /**
   * The offset at which the last `#` ended: letters directly after it name a pointer, even if they spell an operator.
   */
  private hashEnd = -1;

  constructor(readonly source: string) {}

  /** Returns the next token; after the last one, always EOF. */
  next(): Token {
    this.skip();
    const { source, at } = this;
    const character = source[at];
    if (character === undefined) {
      return { kind: "EOF", value: "", at: Math.max(0, [...source].length === 0 ? 0 : lastCharacter(source)) };
    }
    if (character === '"' || character === "'") return this.string(at, at, "String");
    if ((character === "b" || character === "B") && (source[at + 1] === '"' || source[at + 1] === "'")) {
      return this.string(at, at + 1, "Bytes");
    }
    if (character === "`") return this.raw(at);
    if (/[0-9]/.test(character) || (character === "." && /[0-9]/.test(source[at + 1] ?? ""))) return this.number(at);
    const word = this.match(WORD);
    if (word !== undefined) {
      const isOperator = WORD_OPERATORS.has(word) && at !== this.hashEnd;
      return { kind: isOperator ? "Operator" : "Identifier", value: word, at };
    }
    if ("([{)]}".includes(character)) {
      this.at++;
      return { kind: "Bracket", value: character, at };
    }
    const symbol = this.match(SYMBOL);
    if (symbol !== undefined) {
      if (symbol.startsWith("#")) this.hashEnd = this.at;
      return { kind: "Operator", value: symbol, at };
    }
    const code = source.codePointAt(at)!;
    const shown = String.fromCodePoint(code);
    const name = `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
    throw this.error(`unrecognized character: ${name} '${shown}'`, at);
  }

  private match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const text = pattern.exec(this.source)?.[0];
    if (text === undefined || text === "") return undefined;
    this.at += text.length;
    return text;
  }

  private skip(): void {
    for (;;) {
      this.match(SPACE);
      if (this.source.startsWith("//", this.at)) {
        const end = this.source.indexOf("\n", this.at);
        this.at = end < 0 ? this.source.length : end + 1;
      } else if (this.source.startsWith("/*", this.at)) {
        const end = this.source.indexOf("*/", this.at + 2);
        if (end < 0) throw this.error("unclosed comment", this.source.length);
        this.at = end + 2;
      } else return;
    }
  }

  private number(offset: number): Token {
    const hex = /^0[xX]/.test(this.source.slice(offset, offset + 2));
    const value = this.match(hex ? HEX_POINT : NUMBER)!;
    NEXT_WORD_CHARACTER.lastIndex = this.at;
    const rest = NEXT_WORD_CHARACTER.exec(this.source);
    if (rest !== null) throw this.error(`bad number syntax: "${value}${rest[0]}"`, this.at);
    return { kind: "Number", value, at: offset };
  }

  private string(offset: number, quoteAt: number, kind: "String" | "Bytes"): Token {
    const { source } = this;
    const quote = source.charAt(quoteAt);
    let value = "";
    let i = quoteAt + 1;
    for (;;) {
      const character = source[i];
      if (character === quote) break;
      if (character === undefined || character === "\n") throw this.error("literal not terminated", i);
      // Go normalizes all line ends, and only a carriage return is allowed in a literal.
      if (character === "\r") {
        value += "\n";
        i++;
        continue;
      }
      if (character !== "\\") {
        value += kind === "Bytes" ? binary(String.fromCodePoint(source.codePointAt(i)!)) : character;
        i += kind === "Bytes" ? String.fromCodePoint(source.codePointAt(i)!).length : 1;
        continue;
      }
      const escaped = parseEscape(source, i, quote, kind);
      if (!escaped.ok) throw this.error(escaped.reason, escaped.at);
      value += escaped.value;
      i += escaped.length;
    }
    this.at = i + 1;
    return { kind, value: kind === "String" ? value.toWellFormed() : value, at: offset };
  }

  private raw(offset: number): Token {
    let value = "";
    let i = offset + 1;
    for (;;) {
      const end = this.source.indexOf("`", i);
      if (end < 0) throw this.error("literal not terminated", this.source.length);
      value += this.source.slice(i, end);
      i = end + 1;
      if (this.source[i] !== "`") break;
      value += "`";
      i++;
    }
    this.at = i;
    return { kind: "String", value, at: offset };
  }

  private error(reason: string, offset: number): ExpressionError {
    return new ExpressionError(reason, { source: this.source, offset, phase: "compile" });
  }
}

function lastCharacter(source: string): number {
  const last = [...source].at(-1)!;
  return source.length - last.length;
}

function binary(character: string): string {
  return String.fromCharCode(...toBytes(character));
}
