/** Parses regular expressions into trees with the parts that affect their cost. */

/** A part of a regular expression. */
export type Part =
  /** One character of a set; `source` is the set as written. */
  | { readonly kind: "set"; readonly source: string }
  | { readonly kind: "sequence"; readonly parts: readonly Part[] }
  | { readonly kind: "choice"; readonly parts: readonly Part[] }
  | { readonly kind: "repeat"; readonly part: Part; readonly min: number; readonly max: number }
  /** `^`, `$`, and word boundaries, which consume no character. */
  | { readonly kind: "start" | "end" | "border" }
  /** A lookahead, positive or negative, which consumes no character. */
  | { readonly kind: "look"; readonly part: Part };

/** The error for a pattern that cannot be analyzed. */
export class UnreadableRegExp extends Error {}

/**
 * Parses a pattern that the engine accepts with these flags. @throws {UnreadableRegExp} for backreferences and endless
 * lookbehinds
 */
export function readRegExp({ source, flags }: RegExp): Part {
  const reader = new Reader(source, flags.includes("v"));
  const part = reader.choice();
  if (!reader.isAtEnd) throw new UnreadableRegExp(`cannot be read from offset ${reader.at}`);
  return part;
}

const QUANTIFIER = /(?:[*+?]|\{(\d+)(?:(,)(\d*))?\})\??/y;
const ESCAPE = /\\(?:[pP]\{[^}]*\}|u\{[0-9a-fA-F]+\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|c[A-Za-z]|[^])/uy;

class Reader {
  at = 0;
  constructor(private readonly pattern: string, private readonly hasNestedClasses: boolean) {}

  get isAtEnd(): boolean {
    return this.at >= this.pattern.length;
  }

  choice(): Part {
    const first = this.sequence();
    const parts = [first];
    while (this.take("|")) parts.push(this.sequence());
    return parts.length === 1 ? first : { kind: "choice", parts };
  }

  private sequence(): Part {
    const parts: Part[] = [];
    while (!this.isAtEnd && !this.isNext("|") && !this.isNext(")")) parts.push(this.quantified(this.atom()));
    const [first, ...others] = parts;
    return first !== undefined && others.length === 0 ? first : { kind: "sequence", parts };
  }

  private quantified(part: Part): Part {
    const match = this.match(QUANTIFIER);
    if (match === undefined) return part;
    const [text, least, comma = "", most] = match;
    if (text.startsWith("*")) return { kind: "repeat", part, min: 0, max: Infinity };
    if (text.startsWith("+")) return { kind: "repeat", part, min: 1, max: Infinity };
    if (text.startsWith("?")) return { kind: "repeat", part, min: 0, max: 1 };
    const min = Number(least);
    return { kind: "repeat", part, min, max: comma === "" ? min : most === "" ? Infinity : Number(most) };
  }

  private atom(): Part {
    if (this.take("^")) return { kind: "start" };
    if (this.take("$")) return { kind: "end" };
    if (this.take("\\b") || this.take("\\B")) return { kind: "border" };
    if (this.isNext("(")) return this.group();
    if (this.isNext("[")) return { kind: "set", source: this.characterClass() };
    if (this.isNext("\\")) {
      const [source] = this.match(ESCAPE) ?? [""];
      if (/^\\(?:[1-9]|k)/.test(source)) throw new UnreadableRegExp("refers back to a group");
      return { kind: "set", source };
    }
    const source = String.fromCodePoint(this.pattern.codePointAt(this.at)!);
    this.at += source.length;
    return { kind: "set", source };
  }

  private group(): Part {
    const isLook = this.take("(?=") || this.take("(?!");
    const isBehind = !isLook && (this.take("(?<=") || this.take("(?<!"));
    if (!isLook && !isBehind && !this.take("(?:")) {
      this.take("(");
      this.match(/\?<[\w$]+>/y);
    }
    const part = this.choice();
    if (!this.take(")")) throw new UnreadableRegExp(`misses a parenthesis at offset ${this.at}`);
    if (isBehind && isEndless(part)) throw new UnreadableRegExp("looks behind without end");
    return isLook || isBehind ? { kind: "look", part } : part;
  }

  /** A class; with the flag `v`, classes can be nested. */
  private characterClass(): string {
    const from = this.at;
    let depth = 0;
    do {
      if (this.isAtEnd) throw new UnreadableRegExp(`misses a bracket at offset ${from}`);
      if (this.match(ESCAPE)) continue;
      if (this.isNext("[") && (depth === 0 || this.hasNestedClasses)) depth++;
      else if (this.isNext("]")) depth--;
      this.at++;
    } while (depth > 0);
    return this.pattern.slice(from, this.at);
  }

  private isNext(text: string): boolean {
    return this.pattern.startsWith(text, this.at);
  }

  private take(text: string): boolean {
    if (!this.isNext(text)) return false;
    this.at += text.length;
    return true;
  }

  private match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.pattern) ?? undefined;
    if (match) this.at += match[0].length;
    return match;
  }
}

function isEndless(part: Part): boolean {
  switch (part.kind) {
    case "repeat":
      return part.max === Infinity || isEndless(part.part);
    case "sequence":
    case "choice":
      return part.parts.some(isEndless);
    case "look":
      return isEndless(part.part);
    default:
      return false;
  }
}
