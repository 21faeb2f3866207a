/**
 * Regular expressions with RE2's syntax, meaning and linear time. Time grows with the text times the size of the compiled
 * pattern, and searching for all hits may read the rest of the text for each of them: what is read is charged for.
 */
import { MatcherInput, RE2JS } from "re2js";
import { budgetAtWork } from "./budget.ts";
import { fail } from "./failure.ts";
import { inOurDialect } from "./regex_dialect.ts";
import { patternSize } from "./regex_size.ts";

/** A compiled pattern. */
export class Regex {
  /** Nanoseconds that each character read costs at most. */
  private readonly price: number;

  constructor(readonly re2: RE2JS) {
    this.price = READ + re2.programSize() * READ_NODE;
  }

  /** As it was written. */
  pattern(): string {
    return this.re2.pattern();
  }

  /** Whether it is found anywhere in a text. */
  matches(text: string): boolean {
    return this.matcher(text).find(0);
  }

  /** Looks for it in a text. What it reads is charged to the run at work. */
  matcher(text: string): ReturnType<RE2JS["matcher"]> {
    if (text.length > SHORT) {
      // deno-lint-ignore tiphys/no-double-cast -- it answers what the matcher asks of a text
      return this.re2.matcher(MatcherInput.utf16(new PaidText(text, this.price) as unknown as string));
    }
    pay(text.length * this.price * 4);
    return this.re2.matcher(text);
  }
}

const compiled = new Map<string, Regex>();
/** Compiled patterns that are kept, how many nodes they may have together, and for how much matching. */
const KEPT = 500;
const KEPT_SIZE = 500_000;
/** States of matching are kept with a pattern, some bytes for each nanosecond of it. */
const KEPT_WORK = 100_000_000;
let keptSize = 0;
let keptWork = 0;

/** Characters of a pattern. */
const LONGEST_PATTERN = 10_000;
/** Nodes that a pattern may have once its repetitions are written out. */
const LARGEST_PATTERN = 100_000;

/** Nanoseconds to compile a node of a pattern, and to read a character: for each node, and in any case. */
const COMPILE_NODE = 5_000;
const READ_NODE = 7;
const READ = 60;
/** Texts and patterns that cannot take long are charged as a whole. */
const SHORT = 100;

/** Compiles a pattern, or fails with Go's message. Compiled patterns are kept for a while. */
export function compileRegex(pattern: string): Regex {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  if (pattern.length > LONGEST_PATTERN) {
    fail(`error parsing regexp: a pattern of more than ${LONGEST_PATTERN} characters`);
  }
  const size = patternSize(pattern);
  if (size > LARGEST_PATTERN) {
    fail(`error parsing regexp: expression too large: it has ${size} parts, ${LARGEST_PATTERN} are allowed`);
  }
  budgetAtWork().spend(size * COMPILE_NODE);
  let re2: RE2JS;
  try {
    re2 = RE2JS.compile(inOurDialect(pattern));
  } catch (error) {
    return fail((error as Error).message);
  }
  const regex = new Regex(re2);
  keptSize += size;
  if (compiled.size >= KEPT || keptSize > KEPT_SIZE || keptWork > KEPT_WORK) {
    compiled.clear();
    [keptSize, keptWork] = [size, 0];
  }
  compiled.set(pattern, regex);
  return regex;
}

/** Charges for some reading. */
function pay(nanoseconds: number): void {
  keptWork += nanoseconds;
  budgetAtWork().spend(nanoseconds);
}

/** Characters that are read between two charges. */
const STRIDE = 1_000;

/** A text of which each character that is read is charged for. */
class PaidText extends String {
  private reads = 0;

  constructor(text: string, private readonly price: number) {
    super(text);
  }

  override charCodeAt(index: number): number {
    if (++this.reads >= STRIDE) this.settle();
    return super.charCodeAt(index);
  }

  override indexOf(part: string, from = 0): number {
    const at = super.indexOf(part, from);
    // The host's own search is quick, but may compare every place with a part of what it looks for.
    pay(((at < 0 ? this.length : at) - from) * (2 + part.length * 0.35));
    return at;
  }

  private settle(): void {
    pay(this.reads * this.price);
    this.reads = 0;
  }
}
