/**
 * Regular expressions with RE2's syntax, semantics and linear time. Time grows with the length of the text times the
 * size of the compiled pattern, and finding all matches may read the rest of the text for each match: reading is
 * charged.
 */
import { MatcherInput, RE2JS } from "re2js";
import { budgetAtWork } from "./budget.ts";
import { fail } from "./failure.ts";
import { translatePattern } from "./regex_dialect.ts";
import { patternSize } from "./regex_size.ts";

/** A compiled pattern. */
export class Regex {
  /** Maximum nanoseconds for each character that is read. */
  private readonly price: number;

  constructor(readonly re2: RE2JS) {
    this.price = READ + re2.programSize() * READ_NODE;
  }

  /** Returns the pattern as written. */
  pattern(): string {
    return this.re2.pattern();
  }

  /** Whether a text contains a match. */
  matches(text: string): boolean {
    return this.matcher(text).find(0);
  }

  /** Returns a matcher for a text. Reading is charged to the current run. */
  matcher(text: string): ReturnType<RE2JS["matcher"]> {
    if (text.length > SHORT) {
      // deno-lint-ignore tiphys/no-double-cast -- it implements the methods of a text that the matcher calls
      return this.re2.matcher(MatcherInput.utf16(new PaidText(text, this.price) as unknown as string));
    }
    pay(text.length * this.price * 4);
    return this.re2.matcher(text);
  }
}

const compiled = new Map<string, Regex>();
/**
 * Capacity of the cache of compiled patterns: the number of patterns, of nodes in all of them, and of work with them.
 */
const KEPT = 500;
const KEPT_SIZE = 500_000;
/** Matching stores states in a pattern, some bytes for each nanosecond. */
const KEPT_WORK = 100_000_000;
let keptSize = 0;
let keptWork = 0;

/** Maximum number of characters of a pattern. */
const LONGEST_PATTERN = 10_000;
/** Maximum number of nodes of a pattern after its repetitions are expanded. */
const LARGEST_PATTERN = 100_000;

/** Nanoseconds to compile a node of a pattern, and to read a character: per node, and in any case. */
const COMPILE_NODE = 5_000;
const READ_NODE = 7;
const READ = 60;
/** Texts and patterns up to this length are charged at once. */
const SHORT = 100;

/** Compiles a pattern. Fails with Go's message. CompiledNode patterns are cached. */
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
    re2 = RE2JS.compile(translatePattern(pattern));
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

/** Charges for reading. */
function pay(nanoseconds: number): void {
  keptWork += nanoseconds;
  budgetAtWork().spend(nanoseconds);
}

/** Number of characters that are read between two charges. */
const STRIDE = 1_000;

/** A text that charges for each character that is read. */
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
    // The host's search is fast, but may compare every position with a part of the searched text.
    pay(((at < 0 ? this.length : at) - from) * (2 + part.length * 0.35));
    return at;
  }

  private settle(): void {
    pay(this.reads * this.price);
    this.reads = 0;
  }
}
