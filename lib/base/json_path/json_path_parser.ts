/** Parses templates of `kubectl get -o jsonpath=…`: text, paths in braces, and ranges. */

/** The error of a template that cannot be parsed or evaluated. */
export class JsonPathError extends Error {
  override readonly name = "JsonPathError";
}

/** One step of a path, which maps the current values to the next ones. */
export type Step =
  | { readonly kind: "literal"; readonly value: string | number | boolean }
  | { readonly kind: "field"; readonly name: string }
  | { readonly kind: "wildcard" | "recursive" }
  | { readonly kind: "union"; readonly paths: readonly (readonly Step[])[] }
  | Slice
  | {
    readonly kind: "filter";
    readonly left: readonly Step[];
    readonly operator: string;
    readonly right: readonly Step[];
  };

/** `[from:to:step]`; with `isIndex`, the single item at `from`. */
interface Slice {
  readonly kind: "slice";
  readonly from?: number;
  readonly to?: number;
  readonly step?: number;
  readonly isIndex: boolean;
}

/** A part of a template. */
export type Part =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "path"; readonly steps: readonly Step[] }
  | { readonly kind: "range"; readonly steps: readonly Step[]; readonly body: readonly Part[] };

/**
 * Parses a template.
 * @throws {JsonPathError}
 */
export function parseTemplate(template: string): Part[] {
  const reader = new Reader(template);
  const parts = readParts(reader, false);
  if (!reader.atEnd) throw new JsonPathError("not in range, nothing to end");
  return parts;
}

/** Reads parts up to the end of the text or, in a range, up to its `{end}`. */
function readParts(reader: Reader, inRange: boolean): Part[] {
  const parts: Part[] = [];
  while (!reader.atEnd) {
    const text = reader.upTo("{");
    if (text !== "") parts.push({ kind: "text", text });
    if (reader.atEnd) break;
    const { word, steps } = readAction(reader);
    if (word === "end") {
      if (inRange) return parts;
      throw new JsonPathError("not in range, nothing to end");
    }
    if (word === "range") parts.push({ kind: "range", steps, body: readParts(reader, true) });
    else parts.push({ kind: "path", steps });
  }
  if (inRange) throw new JsonPathError("Expected {end} after {range}");
  return parts;
}

/** Reads an expression in braces; `word` is `range` or `end` if it begins with that. */
function readAction(reader: Reader): { word?: "range" | "end"; steps: Step[] } {
  reader.skip(1);
  const rest = /^\s*(range|end)(?=[ }])/.exec(reader.remainder);
  if (rest) reader.skip(rest[0].length);
  return { word: rest?.[1] as "range" | "end" | undefined, steps: readSteps(reader) };
}

/** Reads steps up to and including the closing brace. */
function readSteps(reader: Reader): Step[] {
  const steps: Step[] = [];
  for (;;) {
    const next = reader.remainder[0];
    if (next === undefined || next === "\n" || next === "\r") throw new JsonPathError("unclosed action");
    if (next === "}") {
      reader.skip(1);
      return steps;
    }
    if (next === " " || next === "@" || next === "$") reader.skip(1);
    else steps.push(...readStep(reader, steps.at(-1)));
  }
}

function readStep(reader: Reader, before: Step | undefined): Step[] {
  const { remainder } = reader;
  if (remainder.startsWith("[?(")) return [readFilter(reader)];
  if (remainder.startsWith("..")) {
    if (before?.kind === "recursive") throw new JsonPathError("invalid multiple recursive descent");
    reader.skip(2);
    return [{ kind: "recursive" }, ...(/^[\p{L}\p{Nd}_]/u.test(reader.remainder) ? [readField(reader)] : [])];
  }
  if (remainder[0] === "[") return readSubscript(reader);
  if (remainder[0] === '"' || remainder[0] === "'") {
    return [{ kind: "literal", value: readQuoted(reader, remainder[0]) }];
  }
  if (remainder[0] === ".") {
    reader.skip(1);
    return [readField(reader)];
  }
  const number = reader.match(/^[+-]?[\d.]+/);
  if (number !== undefined) {
    if (Number.isNaN(Number(number))) throw new JsonPathError(`cannot parse number ${number}`);
    return [{ kind: "literal", value: Number(number) }];
  }
  const word = reader.match(/^[\p{L}\p{Nd}_][^ \t\r\n.,[\]$@{}]*/u);
  if (word === "true" || word === "false") return [{ kind: "literal", value: word === "true" }];
  throw new JsonPathError(
    word === undefined ? `unrecognized character in action: ${remainder[0]}` : `unrecognized identifier ${word}`,
  );
}

/** Reads a field name up to a character that cannot be part of one; a backslash escapes any character. */
function readField(reader: Reader): Step {
  const name = reader.match(/^(?:\\[^]|[^ \t\r\n.,[\]$@{}\\])*/)!;
  return name === "*" ? { kind: "wildcard" } : { kind: "field", name: name.replaceAll("\\", "") };
}

function readSubscript(reader: Reader): Step[] {
  const text = reader.match(/^\[[^\]\n]*\]/);
  if (text === undefined) throw new JsonPathError("unterminated array");
  return subscript(text.slice(1, -1));
}

function subscript(text: string): Step[] {
  if (text === "*") return [{ kind: "slice", isIndex: false }];
  const choices = text.split(",");
  if (choices.length > 1) return [{ kind: "union", paths: choices.map((choice) => subscript(choice.trim())) }];
  const key = /^'([^']*)'$/.exec(text);
  // A quoted key is parsed as a path: dots in it are separators unless escaped with a backslash.
  if (key) return readSteps(new Reader(`.${key[1]}}`));
  const bounds = /^(-?\d*)(:-?\d*)?(:-?\d*)?$/.exec(text);
  if (!bounds) throw new JsonPathError(`invalid array index ${text}`);
  const [from, to, step] = bounds.slice(1).map((bound) => {
    const digits = bound?.replace(":", "") ?? "";
    if (digits === "-") throw new JsonPathError(`array index ${digits} is not a number`);
    return digits === "" ? undefined : Number(digits);
  });
  const isIndex = bounds[2] === undefined;
  return [{
    kind: "slice",
    isIndex,
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...(step === undefined ? {} : { step }),
  }];
}

function readFilter(reader: Reader): Step {
  reader.skip(3);
  const text = reader.match(/^(?:"(?:[^"\\\n]|\\[^])*"|'(?:[^'\\\n]|\\[^])*'|[^)\n"'])*(?=\))/);
  if (text === undefined) throw new JsonPathError("unterminated filter");
  reader.skip(1);
  if (reader.remainder[0] !== "]") throw new JsonPathError("unclosed array expect ]");
  reader.skip(1);
  const side = (path: string) => readSteps(new Reader(`${path}}`));
  const comparison = /^([^!<>=]+)([!<>=]+)(.+)$/s.exec(text);
  if (!comparison) return { kind: "filter", left: side(text), operator: "exists", right: [] };
  const [, left = "", operator = "", right = ""] = comparison;
  return { kind: "filter", left: side(left), operator, right: side(right) };
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", a: "\x07", b: "\b", f: "\f", v: "\v" };

function readQuoted(reader: Reader, quote: string): string {
  const text = reader.match(quote === '"' ? /^"(?:[^"\\\n]|\\[^])*"/ : /^'(?:[^'\\\n]|\\[^])*'/);
  if (text === undefined) throw new JsonPathError("unterminated quoted string");
  return text.slice(1, -1).replace(
    /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|([^]))/g,
    (_, byte, unit, letter) => letter ? ESCAPES[letter] ?? letter : String.fromCharCode(parseInt(byte ?? unit, 16)),
  );
}

class Reader {
  #at = 0;

  constructor(private readonly text: string) {}

  get remainder(): string {
    return this.text.slice(this.#at);
  }

  get atEnd(): boolean {
    return this.#at >= this.text.length;
  }

  skip(length: number): void {
    this.#at += length;
  }

  upTo(mark: string): string {
    const found = this.text.indexOf(mark, this.#at);
    const end = found < 0 ? this.text.length : found;
    const taken = this.text.slice(this.#at, end);
    this.#at = end;
    return taken;
  }

  /** Reads the text that matches the pattern at the current position; undefined without a match. */
  match(pattern: RegExp): string | undefined {
    const [found] = pattern.exec(this.remainder) ?? [];
    this.#at += found?.length ?? 0;
    return found;
  }
}
