/**
 * Regular expressions with RE2's syntax, semantics and linear time. Time grows with the length of the text times the
 * size of the compiled pattern, and finding all matches may read the rest of the text for each match: reading is
 * charged.
 */
import { MatcherInput, RE2JS } from "re2js";
import { Budget, currentBudget, withBudget } from "./budget.ts";
import { fail } from "./failure.ts";
import { EvaluationMeter, metered, withMeter } from "./meter.ts";
import { translatePattern } from "./regex_dialect.ts";
import { patternSize } from "./regex_size.ts";

export { MeterError } from "./meter.ts";
export { patternSize } from "./regex_size.ts";

/** A compiled pattern. */
export class Regex {
  /** Maximum nanoseconds for each character that is read. */
  private readonly price: number;

  constructor(readonly re2: RE2JS) {
    const nodes = re2.programSize();
    this.price = READ_COST + nodes * READ_NODE_COST + Math.max(0, nodes - NARROW_NODES) * WIDE_NODE_COST;
  }

  /** Returns the pattern as written. */
  pattern(): string {
    return this.re2.pattern();
  }

  /** Whether a text contains a match. */
  matches(text: string): boolean {
    return this.matcher(text).find(0);
  }

  /**
   * Whether a text contains a match, outside of an expression.
   * @param now a monotonic clock in milliseconds.
   * @throws {MeterError} when the search takes longer than `millis`.
   */
  matchesWithin(millis: number, text: string, now: () => number): boolean {
    const meter = new EvaluationMeter({ now, all: millis, single: millis });
    return withMeter(meter, () => metered(() => withBudget(new Budget(Infinity), () => this.matches(text))));
  }

  /** Returns a matcher for a text. Reading is charged to the current run. */
  matcher(text: string): ReturnType<RE2JS["matcher"]> {
    if (text.length > CHARGED_AT_ONCE) {
      // deno-lint-ignore tiphys/no-double-cast -- it implements the methods of a text that the matcher calls
      return this.re2.matcher(MatcherInput.utf16(new ChargedText(text, this.price) as unknown as string));
    }
    charge(text.length * this.price * 4);
    return this.re2.matcher(text);
  }
}

const compiled = new Map<string, Regex>();
/**
 * Capacity of the cache of compiled patterns: the number of patterns, of nodes in all of them, and of work with them.
 */
const MAX_CACHED_PATTERNS = 500;
const MAX_CACHED_NODES = 500_000;
/**
 * The maximum work with the cached patterns: matching stores states in a compiled pattern, a few bytes per nanosecond.
 */
const MAX_CACHED_WORK = 100_000_000;
let cachedNodes = 0;
let cachedWork = 0;

/** Maximum number of characters of a pattern. */
const MAX_PATTERN_LENGTH = 10_000;
/** Maximum number of nodes of a pattern after its repetitions are expanded. */
const MAX_PATTERN_NODES = 100_000;

/**
 * Nanoseconds to compile a node of a pattern; to read a character, for each node; and to read a character of any
 * pattern.
 */
const COMPILE_NODE_COST = 5_000;
const READ_NODE_COST = 7;
const READ_COST = 60;
/**
 * The number of nodes of a narrow pattern; and the additional nanoseconds to read a character, for each further node.
 * The matcher computes the set of possible nodes again for most characters if a wide pattern has too many such sets.
 */
const NARROW_NODES = 20;
const WIDE_NODE_COST = 50;
/** Texts and patterns up to this length are charged at once. */
const CHARGED_AT_ONCE = 100;

/** Compiles a pattern. Fails with Go's message. Compiled patterns are cached. */
export function compileRegex(pattern: string): Regex {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  if (pattern.length > MAX_PATTERN_LENGTH) {
    fail(`error parsing regexp: a pattern of more than ${MAX_PATTERN_LENGTH} characters`);
  }
  const size = patternSize(pattern);
  if (size > MAX_PATTERN_NODES) {
    fail(`error parsing regexp: expression too large: it has ${size} parts, ${MAX_PATTERN_NODES} are allowed`);
  }
  currentBudget().charge(size * COMPILE_NODE_COST);
  let re2: RE2JS;
  try {
    re2 = RE2JS.compile(translatePattern(pattern));
  } catch (error) {
    return fail((error as Error).message);
  }
  const regex = new Regex(re2);
  cachedNodes += size;
  if (compiled.size >= MAX_CACHED_PATTERNS || cachedNodes > MAX_CACHED_NODES || cachedWork > MAX_CACHED_WORK) {
    compiled.clear();
    [cachedNodes, cachedWork] = [size, 0];
  }
  compiled.set(pattern, regex);
  return regex;
}

/** Charges for reading. */
function charge(nanoseconds: number): void {
  cachedWork += nanoseconds;
  currentBudget().charge(nanoseconds);
}

/** Number of characters that are read between two charges. */
const CHARGE_INTERVAL = 1_000;

/** A text that charges for each character that is read. */
class ChargedText extends String {
  private reads = 0;

  constructor(text: string, private readonly price: number) {
    super(text);
  }

  override charCodeAt(index: number): number {
    if (++this.reads >= CHARGE_INTERVAL) this.chargePending();
    return super.charCodeAt(index);
  }

  override indexOf(part: string, from = 0): number {
    const index = super.indexOf(part, from);
    // The host's search is fast, but may compare every position with a part of the searched text.
    charge(((index < 0 ? this.length : index) - from) * (2 + part.length * 0.35));
    return index;
  }

  private chargePending(): void {
    charge(this.reads * this.price);
    this.reads = 0;
  }
}
