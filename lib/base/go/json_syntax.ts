/** Go's error messages for invalid JSON. */

/**
 * Returns the message of Go's `encoding/json` about the first syntax error; undefined for valid JSON. Like Go, it
 * treats the bytes of the UTF-8 text as characters.
 */
export function jsonSyntaxError(text: string): string | undefined {
  const reader = new Reader(text);
  try {
    reader.space();
    reader.value();
    reader.space();
    if (!reader.isAtEnd) reader.refuse("after top-level value");
  } catch (error) {
    if (error instanceof JsonSyntaxError) return error.message;
    throw error;
  }
}

class JsonSyntaxError extends Error {}

const LITERALS: Readonly<Record<string, string>> = { t: "true", f: "false", n: "null" };
const ESCAPED = 'bfnrt\\/"';

class Reader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(text: string) {
    this.#bytes = new TextEncoder().encode(text);
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  /** Returns the current character; empty at the end. */
  #peek(): string {
    const byte = this.#bytes[this.#at];
    return byte === undefined ? "" : String.fromCharCode(byte);
  }

  refuse(where: string): never {
    throw new JsonSyntaxError(
      this.isAtEnd ? "unexpected end of JSON input" : `invalid character ${quoteCharacter(this.#peek())} ${where}`,
    );
  }

  space(): void {
    while (" \t\r\n".includes(this.#peek() || "x")) this.#at++;
  }

  /** Nesting is unlimited, so open lists and objects are tracked in a list instead of on the call stack. */
  value(): void {
    const open: ("[" | "{")[] = [];
    for (;;) {
      const begun = this.#beginning(open);
      if (begun) continue;
      for (;;) {
        const around = open.at(-1);
        if (around === undefined) return;
        this.space();
        const isList = around === "[";
        if (this.#peek() === ",") {
          this.#at++;
          this.space();
          if (!isList) this.#key();
          break;
        }
        if (this.#peek() !== (isList ? "]" : "}")) {
          this.refuse(isList ? "after array element" : "after object key:value pair");
        }
        this.#at++;
        open.pop();
      }
    }
  }

  /** Reads a scalar or empty value and returns false, or opens a list or object and returns true. */
  #beginning(open: ("[" | "{")[]): boolean {
    this.space();
    const first = this.#peek();
    if (first === "[" || first === "{") {
      this.#at++;
      this.space();
      if (this.#peek() === (first === "[" ? "]" : "}")) {
        this.#at++;
        return false;
      }
      open.push(first);
      if (first === "{") this.#key();
      return true;
    }
    if (first === '"') this.#string();
    else if (first === "-" || isDigit(first)) this.#number();
    else if (LITERALS[first]) this.#literal(LITERALS[first]);
    else this.refuse("looking for beginning of value");
    return false;
  }

  #key(): void {
    if (this.#peek() !== '"') this.refuse("looking for beginning of object key string");
    this.#string();
    this.space();
    if (this.#peek() !== ":") this.refuse("after object key");
    this.#at++;
  }

  #string(): void {
    for (this.#at++; this.#peek() !== '"'; this.#at++) {
      const byte = this.#bytes[this.#at];
      if (byte === undefined || byte < 0x20) this.refuse("in string literal");
      if (this.#peek() === "\\") this.#escape();
    }
    this.#at++;
  }

  #escape(): void {
    this.#at++;
    if (this.#peek() !== "u") {
      if (this.isAtEnd || !ESCAPED.includes(this.#peek())) this.refuse("in string escape code");
      return;
    }
    for (let digits = 0; digits < 4; digits++) {
      this.#at++;
      if (!/^[0-9a-fA-F]$/.test(this.#peek())) this.refuse("in \\u hexadecimal character escape");
    }
  }

  #literal(word: string): void {
    for (const letter of word) {
      if (this.#peek() !== letter) this.refuse(`in literal ${word} (expecting ${quoteCharacter(letter)})`);
      this.#at++;
    }
  }

  #number(): void {
    if (this.#peek() === "-") {
      this.#at++;
      if (!isDigit(this.#peek())) this.refuse("in numeric literal");
    }
    if (this.#peek() === "0") this.#at++;
    else this.#digits();
    if (this.#peek() === ".") {
      this.#at++;
      if (!isDigit(this.#peek())) this.refuse("after decimal point in numeric literal");
      this.#digits();
    }
    if (this.#peek() !== "e" && this.#peek() !== "E") return;
    this.#at++;
    if (this.#peek() === "+" || this.#peek() === "-") this.#at++;
    if (!isDigit(this.#peek())) this.refuse("in exponent of numeric literal");
    this.#digits();
  }

  #digits(): void {
    while (isDigit(this.#peek())) this.#at++;
  }
}

function isDigit(character: string): boolean {
  return character >= "0" && character <= "9" && character.length === 1;
}

/** Quotes a character as Go's syntax errors do. */
function quoteCharacter(character: string): string {
  if (character === "'") return "'\\''";
  if (character === '"') return "'\"'";
  const inGo: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t", "\\": "\\\\" };
  const code = character.charCodeAt(0);
  const isControl = code < 0x20 || (code >= 0x7f && code < 0xa0);
  return `'${inGo[character] ?? (isControl ? `\\x${code.toString(16).padStart(2, "0")}` : character)}'`;
}
