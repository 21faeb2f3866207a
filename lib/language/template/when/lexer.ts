/** Splits a `when` text into tokens. */
import { RFC3339, RFC3339_NANO } from "@tiphys/base/go/layout";
import { parseTime, TimeParseError } from "@tiphys/base/go/layout_parse";
import { parseFloat64 } from "@tiphys/base/go/number";
import { isSpace } from "@tiphys/base/go/text";
import type { GoTime } from "@tiphys/base/go/time";
import { withPatterns } from "./pattern.ts";
import { checkOrder, mayFollow, type Token, type TokenKind, WhenSyntaxError } from "./token.ts";

const SYMBOLS: readonly [TokenKind, readonly string[]][] = [
  ["MODIFIER", ["+", "-", "*", "/", "%", "**", "&", "|", "^", ">>", "<<"]],
  ["LOGICALOP", ["&&", "||"]],
  ["COMPARATOR", ["==", "!=", ">", ">=", "<", "<=", "=~", "!~", "in"]],
  ["TERNARY", ["?", ":", "??"]],
];
const PREFIXES = ["-", "!", "~"];

/** A quoted text in one of these layouts is a time, and so a number. */
const TIME_LAYOUTS = [
  "Mon Jan _2 15:04:05 2006",
  "Mon Jan _2 15:04:05 MST 2006",
  "Mon Jan 02 15:04:05 -0700 2006",
  "3:04PM",
  RFC3339,
  RFC3339_NANO,
  "2006-01-02",
  "2006-01-02 15:04",
  "2006-01-02 15:04:05",
  "2006-01-02 15:04:05-07:00",
  "2006-01-02T15Z0700",
  "2006-01-02T15:04Z0700",
  "2006-01-02T15:04:05Z0700",
  "2006-01-02T15:04:05.999999999Z0700",
];

/** Matches all texts of these layouts. Strings that do not match need not be parsed with each layout. */
const LOOKS_LIKE_TIME = /^(\d|mon|tue|wed|thu|fri|sat|sun).*[-:]/i;

/** Maximum number of tokens of a text: far more than people write, and few enough for quadratic or recursive steps. */
const MAX_TOKENS = 5_000;

const isLetter = (c: string) => /\p{L}/u.test(c);
const isDigit = (c: string) => /\p{Nd}/u.test(c);
const isQuote = (c: string) => c === "'" || c === '"';
const isNumeric = (c: string) => isDigit(c) || c === ".";
const isHex = (c: string) => /[0-9a-fA-F]/.test(c);
const isName = (c: string) => isLetter(c) || isDigit(c) || c === "_" || c === ".";
const isSymbol = (c: string) => !isLetter(c) && !isDigit(c) && !isQuote(c) && !"()[]".includes(c);

/**
 * Returns the tokens of a text.
 * @throws {WhenSyntaxError} when it cannot be parsed, or the order of tokens or a pattern is invalid.
 */
export function tokenize(text: string): Token[] {
  const reader = new Reader([...text]);
  const tokens: Token[] = [];
  while (true) {
    const token = reader.next(tokens.at(-1)?.kind ?? "START");
    if (token === undefined) break;
    tokens.push(token);
    if (tokens.length > MAX_TOKENS) throw new WhenSyntaxError(`Expected at most ${MAX_TOKENS} words`, { at: token.at });
  }
  checkOrder(tokens);
  return withPatterns(tokens);
}

/** A token without its position. */
type Word = Omit<Token, "at">;

class Reader {
  private at = 0;
  /** The position, in characters, at which the current token begins. */
  private start = this.at;

  constructor(private readonly characters: readonly string[]) {}

  next(before: TokenKind | "START"): Token | undefined {
    while (isSpace(this.peek())) this.at++;
    const first = this.peek();
    if (first === "") return undefined;
    this.start = this.at;
    return { ...this.read(first, before), at: this.start };
  }

  /** Returns the current character; empty at the end. */
  private peek(): string {
    return this.characters[this.at] ?? "";
  }

  private read(first: string, before: TokenKind | "START"): Word {
    if (isNumeric(first)) return this.number(first);
    if (isLetter(first)) return this.word();
    if (first === ",") return this.single("SEPARATOR", first);
    if (first === "(") return this.single("CLAUSE", first);
    if (first === ")") return this.single("CLAUSE_CLOSE", first);
    if (first === "[") {
      return { kind: "VARIABLE", value: this.readUntil("]", "Unclosed parameter bracket", "expected ]") };
    }
    if (isQuote(first)) {
      return quotedWord(this.readUntil(isQuote, "Unclosed string literal", "expected a closing quote"));
    }
    return this.symbol(before);
  }

  private syntaxError(reason: string, hint?: string, offset = this.start): WhenSyntaxError {
    return new WhenSyntaxError(reason, { at: offset, hint });
  }

  private single(kind: TokenKind, value: string): Word {
    this.at++;
    return { kind, value };
  }

  private number(first: string): Word {
    if (first === "0" && this.characters[this.at + 1] === "x") return this.hexadecimal();
    const digits = this.readWhile(isNumeric);
    const number = parseFloat64(digits);
    if (!number.ok) {
      throw this.syntaxError(`Unable to parse numeric value '${digits}' to float64\n`, "a text needs quotes");
    }
    return { kind: "NUMERIC", value: number.value };
  }

  private hexadecimal(): Word {
    this.at += 2;
    const digits = this.readWhile(isHex);
    if (digits === "" || BigInt(`0x${digits}`) > 0xffffffffffffffffn) {
      throw this.syntaxError(`Unable to parse hex value '${digits}' to uint64\n`, "a text needs quotes");
    }
    return { kind: "NUMERIC", value: Number(BigInt(`0x${digits}`)) };
  }

  private word(): Word {
    const name = this.readWhile(isName);
    if (name === "true" || name === "false") return { kind: "BOOLEAN", value: name === "true" };
    if (name === "in" || name === "IN") return { kind: "COMPARATOR", value: "in" };
    if (!name.includes(".")) return { kind: "VARIABLE", value: name };
    if (name.endsWith(".")) throw this.syntaxError(`Hanging accessor on token '${name}'`, quoteHint(name));
    const hidden = name.split(".").slice(1).find((part) =>
      part !== "" && part.charAt(0).toUpperCase() !== part.charAt(0)
    );
    if (hidden !== undefined) {
      throw this.syntaxError(`Unable to access unexported field '${hidden}' in token '${name}'`, quoteHint(name));
    }
    return { kind: "ACCESSOR", value: name };
  }

  private symbol(before: TokenKind | "START"): Word {
    const symbol = this.readWhile(isSymbol);
    if (PREFIXES.includes(symbol) && mayFollow(before, "PREFIX")) return { kind: "PREFIX", value: symbol };
    for (const [kind, symbols] of SYMBOLS) {
      if (symbols.includes(symbol)) return { kind, value: symbol };
    }
    throw this.syntaxError(`Invalid token: '${symbol}'`, symbolHint(symbol, before));
  }

  /** Reads characters while they match. A backslash escapes the next character; a space ends the run. */
  private readWhile(fits: (character: string) => boolean): string {
    let text = "";
    for (; this.at < this.characters.length; this.at++) {
      const character = this.peek();
      if (character === "\\") {
        text += this.escaped();
        continue;
      }
      if (isSpace(character)) {
        if (text !== "") break;
        continue;
      }
      if (!fits(character)) break;
      text += character;
    }
    return text;
  }

  /** Reads everything up to the closing character, which is dropped. A backslash escapes the next character. */
  private readUntil(closing: string | ((character: string) => boolean), unclosed: string, hint: string): string {
    const closes = typeof closing === "string" ? (character: string) => character === closing : closing;
    let text = "";
    for (this.at++; this.at < this.characters.length; this.at++) {
      const character = this.peek();
      if (character === "\\") text += this.escaped();
      else if (closes(character)) {
        this.at++;
        return text;
      } else text += character;
    }
    throw this.syntaxError(unclosed, hint);
  }

  private escaped(): string {
    this.at++;
    if (this.at >= this.characters.length) {
      throw this.syntaxError("Expected a character after the last backslash", undefined, this.at - 1);
    }
    return this.peek();
  }
}

function quoteHint(name: string): string {
  return `a text with a dot needs quotes: '${name}'`;
}

function symbolHint(symbol: string, before: TokenKind | "START"): string {
  if (symbol === "=") return "did you mean ==?";
  if (symbol.length > 1 && [...symbol].some((character) => PREFIXES.includes(character))) {
    return "put spaces between operators, and quotes around texts";
  }
  return mayFollow(before, "MODIFIER") ? "expected an operator" : "expected a value; a text with signs needs quotes";
}

function quotedWord(text: string): Word {
  const time = timeOf(text);
  return time === undefined ? { kind: "STRING", value: text } : { kind: "TIME", value: time };
}

function timeOf(text: string): GoTime | undefined {
  if (!LOOKS_LIKE_TIME.test(text)) return undefined;
  for (const layout of TIME_LAYOUTS) {
    try {
      return parseTime(layout, text);
    } catch (error) {
      if (!(error instanceof TimeParseError)) throw error;
    }
  }
  return undefined;
}
