/** Go's `encoding/json`: its output, and the values and errors of its parser. */
import { isStackOverflow } from "../overflow.ts";
import { UserError } from "../user_error.ts";
import { formatFloatJson } from "./format_float.ts";
import { formatTime, RFC3339_NANO } from "./layout.ts";
import { compareText } from "./text.ts";
import { GoTime } from "./time.ts";
import { GoDuration, GoFunction, GoInt, GoList, GoMap, GoObject, isPlainMap, typeName, type Value } from "./value.ts";
import { GoZone } from "./zone.ts";

/** The error for a value that JSON does not support, or for invalid JSON, with Go's message. */
export class JsonError extends UserError {
  override name = "JsonError";
}

/** Options for writing JSON: `indent` adds line breaks; `escapeHtml` (default true) escapes `<`, `>` and `&`. */
export interface MarshalOptions {
  readonly indent?: string;
  readonly escapeHtml?: boolean;
}

/**
 * `json.Marshal`: keys sorted by byte, nil slices `null`, bytes in base64.
 * @throws {JsonError} for a value that JSON does not support.
 */
export function marshalJson(value: Value | undefined, options: MarshalOptions = {}): string {
  return write(value ?? null, options, "");
}

function write(value: Value, options: MarshalOptions, margin: string): string {
  switch (typeof value) {
    case "string":
      return quoteJson(value, options.escapeHtml);
    case "bigint":
    case "boolean":
      return String(value);
    case "number":
      if (!Number.isFinite(value)) {
        throw new JsonError(`json: unsupported value: ${Number.isNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf"}`);
      }
      return formatFloatJson(value);
  }
  if (value === null || value === undefined) return "null";
  if (Array.isArray(value)) return writeList(value, options, margin);
  if (value instanceof GoInt) return String(value.value);
  if (value instanceof GoDuration) return String(value.nanoseconds);
  if (value instanceof GoTime) return quoteJson(timeText(value));
  if (value instanceof GoList) return value.isNil ? "null" : writeList(value.items, options, margin);
  if (value instanceof Uint8Array) return `"${encodeBase64(value)}"`;
  if (value instanceof GoZone) return "{}";
  if (value instanceof GoObject) {
    return value.fields.size > 0 ? writeMap([...value.fields], options, margin) : quoteJson(value.text);
  }
  if (value instanceof GoFunction) throw new JsonError(`json: unsupported type: ${value.type.text}`);
  if (value instanceof GoMap) {
    if (value.type.key?.kind !== "string") throw new JsonError(`json: unsupported type: ${value.type.text}`);
    return writeMap([...value.entries()] as [string, Value][], options, margin);
  }
  if (isPlainMap(value as Value)) return writeMap(Object.entries(value) as [string, Value][], options, margin);
  throw new JsonError(`json: unsupported type: ${typeName(value as Value)}`);
}

function writeList(items: readonly Value[], options: MarshalOptions, margin: string): string {
  if (items.length === 0) return "[]";
  if (options.indent === undefined) return `[${items.map((item) => write(item, options, "")).join(",")}]`;
  const inner = margin + options.indent;
  return `[\n${items.map((item) => inner + write(item, options, inner)).join(",\n")}\n${margin}]`;
}

function writeMap(entries: [string, Value][], options: MarshalOptions, margin: string): string {
  if (entries.length === 0) return "{}";
  const sorted = entries.sort(([a], [b]) => compareText(a, b));
  const key = (name: string) => quoteJson(name, options.escapeHtml);
  if (options.indent === undefined) {
    return `{${sorted.map(([name, item]) => `${key(name)}:${write(item, options, "")}`).join(",")}}`;
  }
  const inner = margin + options.indent;
  const lines = sorted.map(([name, item]) => `${inner}${key(name)}: ${write(item, options, inner)}`);
  return `{\n${lines.join(",\n")}\n${margin}}`;
}

function timeText(time: GoTime): string {
  const { year } = time.civil();
  if (year < 0 || year > 9999) {
    throw new JsonError("json: error calling MarshalJSON for type time.Time: year outside of range [0,9999]");
  }
  return formatTime(time, RFC3339_NANO);
}

const SHORT_ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  "\\": "\\\\",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
};
// deno-lint-ignore no-control-regex
const HTML_SPECIAL = /["\\\x00-\x1f<>&\u2028\u2029\ud800-\udfff]/;
// deno-lint-ignore no-control-regex
const HTML_EACH = /["\\\x00-\x1f<>&\u2028\u2029]|[\ud800-\udbff][\udc00-\udfff]|[\ud800-\udfff]/g;

/**
 * Returns a JSON string as Go writes it: `<`, `>` and `&` escaped unless disabled, U+2028 and U+2029 always escaped.
 */
export function quoteJson(text: string, escapeHtml = true): string {
  if (!HTML_SPECIAL.test(text)) return `"${text}"`;
  const escaped = text.replace(HTML_EACH, (hit) => {
    if (hit.length === 2) return hit;
    if (SHORT_ESCAPES[hit] !== undefined) return SHORT_ESCAPES[hit];
    if (!escapeHtml && (hit === "<" || hit === ">" || hit === "&")) return hit;
    if (hit >= "\ud800" && hit <= "\udfff") return "\\ufffd";
    return "\\u" + hit.charCodeAt(0).toString(16).padStart(4, "0");
  });
  return `"${escaped}"`;
}

const MAY_DIFFER = /\\u[dD][89a-fA-F]|[0-9.][eE]\+?[0-9]{3}|[0-9]{300}/;

/**
 * `json.Unmarshal` into `interface{}`: every number a float, lists arrays, objects plain.
 * @throws {JsonError}
 */
export function unmarshalJson(written: string): Value {
  const text = written.toWellFormed();
  let value: Value;
  try {
    value = JSON.parse(text) as Value;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new JsonError(explain(text), { cause: error });
  }
  const mayDiffer = MAY_DIFFER.test(text);
  // V8 sometimes confuses an escaped key with one it has seen before: `"\""` with `"\\"`. See the fuzz test.
  if (mayDiffer || text.includes("\\")) value = parseAll(text);
  return mayDiffer ? replaceSurrogates(value) : value;
}

function parseAll(text: string): Value {
  try {
    return new Reader(text).value();
  } catch (error) {
    if (isStackOverflow(error)) throw new JsonError("exceeded max depth", { cause: error });
    throw error;
  }
}

/** Parses a text that is known to be valid JSON. */
class Reader {
  #at = 0;

  constructor(private readonly text: string) {}

  value(): Value {
    switch (this.#peek()) {
      case "{":
        return this.#members();
      case "[":
        return this.#elements();
      case '"':
        return this.#string();
      default:
        return this.#scalar();
    }
  }

  /** A number outside the range of float64 is an error even if a later value of the same key replaces it. */
  #scalar(): Value {
    const written = this.#take(SCALAR);
    const value = JSON.parse(written) as Value;
    if (value !== Infinity && value !== -Infinity) return value;
    throw new JsonError(`json: cannot unmarshal number ${written} into Go value of type float64`);
  }

  #members(): Value {
    const entries: [string, Value][] = [];
    this.#at++;
    while (this.#peek() !== "}") {
      const key = this.#string();
      this.#skip(":");
      entries.push([key, this.value()]);
      this.#skip(",");
    }
    this.#at++;
    return Object.fromEntries(entries);
  }

  #elements(): Value {
    const items: Value[] = [];
    this.#at++;
    while (this.#peek() !== "]") {
      items.push(this.value());
      this.#skip(",");
    }
    this.#at++;
    return items;
  }

  #string(): string {
    this.#peek();
    return String(JSON.parse(this.#take(STRING)));
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const taken = pattern.exec(this.text)![0];
    this.#at += taken.length;
    return taken;
  }

  /** Returns the next character after white space; empty at the end. */
  #peek(): string {
    this.#take(SPACE);
    return this.text.charAt(this.#at);
  }

  #skip(character: string): void {
    if (this.#peek() === character) this.#at++;
  }
}

const SPACE = /[ \t\r\n]*/y;
const SCALAR = /[-+.\w]+/y;
const STRING = /"[^"\\]*(?:\\.[^"\\]*)*"/y;

/** Replaces unpaired surrogates, which JSON.parse accepts and Go replaces. */
function replaceSurrogates(value: Value): Value {
  if (typeof value === "string") return value.toWellFormed();
  if (Array.isArray(value)) return value.map(replaceSurrogates);
  if (!isPlainMap(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key.toWellFormed(), replaceSurrogates(item)]));
}

/** Returns Go's message for invalid JSON, which names the first invalid character. */
function explain(text: string): string {
  return new Scanner(text).explain();
}

class Scanner {
  private at = 0;

  constructor(private readonly text: string) {}

  explain(): string {
    try {
      this.value("looking for beginning of value");
      this.space();
      if (this.at < this.text.length) this.unexpected("after top-level value");
    } catch (error) {
      if (error instanceof JsonError) return error.message;
      throw error;
    }
    return "invalid JSON";
  }

  private unexpected(context: string): never {
    const code = this.text.codePointAt(this.at);
    if (code === undefined) throw new JsonError("unexpected end of JSON input");
    const character = String.fromCodePoint(code);
    const shown = character === "'" ? `'\\''` : character === '"' ? `'"'` : `'${character.replace(/\n/, "\\n")}'`;
    throw new JsonError(`invalid character ${shown} ${context}`);
  }

  private space(): void {
    while (/[ \t\r\n]/.test(this.text[this.at] ?? "")) this.at++;
  }

  private value(context: string): void {
    this.space();
    const character = this.text[this.at];
    if (character === "{") this.members();
    else if (character === "[") this.elements();
    else if (character === '"') this.string();
    else if (character !== undefined && /[-0-9]/.test(character)) this.number();
    else if (character === "t") this.literal("true");
    else if (character === "f") this.literal("false");
    else if (character === "n") this.literal("null");
    else this.unexpected(context);
  }

  private members(): void {
    this.at++;
    this.space();
    if (this.text[this.at] === "}") return void this.at++;
    for (;;) {
      this.space();
      if (this.text[this.at] !== '"') this.unexpected("looking for beginning of object key string");
      this.string();
      this.space();
      if (this.text[this.at] !== ":") this.unexpected("after object key");
      this.at++;
      this.value("looking for beginning of value");
      this.space();
      const next = this.text[this.at];
      if (next !== "," && next !== "}") this.unexpected("after object key:value pair");
      this.at++;
      if (next === "}") return;
    }
  }

  private elements(): void {
    this.at++;
    this.space();
    if (this.text[this.at] === "]") return void this.at++;
    for (;;) {
      this.value("looking for beginning of value");
      this.space();
      const next = this.text[this.at];
      if (next !== "," && next !== "]") this.unexpected("after array element");
      this.at++;
      if (next === "]") return;
    }
  }

  private string(): void {
    this.at++;
    for (;;) {
      const character = this.text[this.at];
      if (character === '"') return void this.at++;
      if (character === undefined || character < " ") this.unexpected("in string literal");
      this.at++;
      if (character !== "\\") continue;
      if (!/["\\/bfnrtu]/.test(this.text[this.at] ?? "")) this.unexpected("in string escape code");
      const unicode = this.text[this.at++] === "u";
      for (let i = 0; unicode && i < 4; i++, this.at++) {
        if (!/[0-9a-fA-F]/.test(this.text[this.at] ?? "")) this.unexpected("in \\u hexadecimal character escape");
      }
    }
  }

  private number(): void {
    if (this.text[this.at] === "-") this.at++;
    if (!/[0-9]/.test(this.text[this.at] ?? "")) this.unexpected("in numeric literal");
    if (this.text[this.at] === "0") this.at++;
    else this.digits();
    if (this.text[this.at] === ".") {
      this.at++;
      if (!/[0-9]/.test(this.text[this.at] ?? "")) this.unexpected("after decimal point in numeric literal");
      this.digits();
    }
    if (/[eE]/.test(this.text[this.at] ?? "")) {
      this.at++;
      if (/[+-]/.test(this.text[this.at] ?? "")) this.at++;
      if (!/[0-9]/.test(this.text[this.at] ?? "")) this.unexpected("in exponent of numeric literal");
      this.digits();
    }
  }

  private digits(): void {
    while (/[0-9]/.test(this.text[this.at] ?? "")) this.at++;
  }

  private literal(word: string): void {
    for (let i = 0; i < word.length; i++, this.at++) {
      if (this.text[this.at] !== word[i]) this.unexpected(`in literal ${word} (expecting '${word[i]}')`);
    }
  }
}

/** Standard base64 with padding. */
export function encodeBase64(bytes: Uint8Array): string {
  let binary = "";
  for (let i = 0; i < bytes.length; i += 0x8000) {
    binary += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  }
  return btoa(binary);
}
