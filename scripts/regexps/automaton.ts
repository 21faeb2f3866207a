/**
 * A regular expression as an automaton for a backtracking engine: states that consume one character each, and
 * transitions.
 */
import { type Part, readRegExp, UnreadableRegExp } from "./read_regexp.ts";

/** A set of characters: one bit for each character of `Alphabet`. */
export type CharacterSet = bigint;

/** States and transitions. The first two represent the text before a match: any character, and an end of a line. */
export interface Automaton {
  /** The characters that each state consumes. */
  readonly takes: readonly CharacterSet[];
  /** The successors of each state, with the number of transitions to them: 2 stands for two or more. */
  readonly next: readonly ReadonlyMap<number, number>[];
  /** The states at which a match may end, whatever follows. */
  readonly mayEnd: ReadonlySet<number>;
}

/** Larger automata are not analyzed. */
const MAX_STATES = 3000;
/** A part of more than one character that is repeated more often than this counts as repeated without a limit. */
const FEW = 3;

/** Builds the automaton of an expression. @throws {UnreadableRegExp} */
export function automatonOf(expression: RegExp): Automaton {
  const alphabet = new Alphabet(expression);
  const builder = new Builder(alphabet);
  const end = builder.point();
  const begin = builder.part(readRegExp(expression), end);
  return builder.automaton(begin, end, expression);
}

/** Representatives of all characters: common patterns distinguish each of them from the others. */
const COMMON = [...Array(128).keys()].map((code) => String.fromCharCode(code)).concat(
  [..."\u0085\u00a0éÉßµ\u0301²α中٣０\u2028\u3000\ufeff", "\ud800", "\udc00"],
);

class Alphabet {
  private readonly characters: readonly string[];
  private readonly flags: string;
  private readonly sets = new Map<string, CharacterSet>();

  constructor({ source, flags }: RegExp) {
    const isUnicode = /[uv]/.test(flags);
    const written = isUnicode ? [...source, "😀"] : source.split("");
    this.characters = [...new Set([...COMMON, ...written])];
    this.flags = flags.replaceAll(/[^iusv]/g, "");
  }

  get all(): CharacterSet {
    return (1n << BigInt(this.characters.length)) - 1n;
  }

  /** The characters of a set, as the regular expression engine matches them. */
  set(source: string): CharacterSet {
    const known = this.sets.get(source);
    if (known !== undefined) return known;
    const pattern = new RegExp(`^${source}$`, this.flags);
    let bits = 0n;
    this.characters.forEach((character, index) => {
      if (pattern.test(character)) bits |= 1n << BigInt(index);
    });
    this.sets.set(source, bits);
    return bits;
  }

  get newLine(): CharacterSet {
    return 1n << BigInt(this.characters.indexOf("\n"));
  }
}

/** A position between characters, with the transitions that consume none. */
interface Point {
  readonly ways: { readonly to: Point; readonly only?: "start" | "end" | "border" }[];
  /** The index of the state that begins here. */
  state?: number;
}

class Builder {
  private readonly takes: CharacterSet[] = [];
  private readonly after: Point[] = [];

  constructor(private readonly alphabet: Alphabet) {
    this.state(alphabet.all & ~alphabet.newLine, { ways: [] });
    this.state(alphabet.newLine, { ways: [] });
  }

  point(...to: Point[]): Point {
    return { ways: to.map((point) => ({ to: point })) };
  }

  /** Adds a part before a position. Returns where the part begins. */
  part(part: Part, to: Point): Point {
    switch (part.kind) {
      case "set":
        return this.state(this.alphabet.set(part.source), to);
      case "sequence":
        return part.parts.reduceRight((point, child) => this.part(child, point), to);
      case "choice":
        return this.point(...part.parts.map((child) => this.part(child, to)));
      case "look":
        return { ways: [{ to, only: "border" }, { to: this.part(part.part, this.point()) }] };
      case "repeat":
        return this.repeat(part, to);
      default:
        return { ways: [{ to, only: part.kind }] };
    }
  }

  private repeat({ part, min, max }: Part & { kind: "repeat" }, to: Point): Point {
    const isLong = part.kind !== "set" && max > FEW;
    let begin: Point;
    if (max === Infinity || isLong) {
      // The end of an iteration is another position than the start of the loop: an iteration without characters would
      // repeat endlessly.
      const again = this.point();
      const turn = this.part(part, again);
      again.ways.push({ to: turn }, { to });
      // Each of the required iterations may be empty.
      if (min > FEW && canMatchEmpty(part)) again.ways.push({ to: turn });
      begin = this.point(turn, to);
    } else {
      begin = this.point(to);
      for (let count = min; count < max; count++) begin = this.point(this.part(part, begin), to);
    }
    for (let count = isLong ? Math.min(min, FEW) : min; count > 0; count--) begin = this.part(part, begin);
    return begin;
  }

  private state(takes: CharacterSet, to: Point): Point {
    if (this.takes.length >= MAX_STATES) throw new UnreadableRegExp(`has more than ${MAX_STATES} states`);
    this.takes.push(takes);
    this.after.push(to);
    return { ways: [], state: this.takes.length - 1 };
  }

  automaton(begin: Point, end: Point, { flags }: RegExp): Automaton {
    const next = this.after.map((point) => this.reached(point).states);
    const mayEnd = new Set(this.after.flatMap((point, state) => {
      if (this.reached(point, end).isEnd) return [state];
      // A state that consumes any character, repeatedly, reaches the end of every text.
      const isTail = this.takes[state] === this.alphabet.all && next[state]?.has(state);
      return isTail && this.reached(point, end, undefined, (only) => only === "end").isEnd ? [state] : [];
    }));
    if (!flags.includes("y")) {
      // A match is searched at each character: after any character and, in multiline mode, after the end of a line.
      const anywhere = this.reached(begin, end, (only) => only === "start");
      next[0] = new Map([[0, 1], [1, 1], ...anywhere.states]);
      next[1] = new Map([[0, 1], [1, 1], ...this.reached(begin, end, () => !flags.includes("m")).states]);
    }
    return { takes: this.takes, next, mayEnd };
  }

  /**
   * The states that are reachable from a position without a character, with the number of ways, and whether the end is
   * reachable.
   */
  private reached(
    from: Point,
    end?: Point,
    isBarred: (only: string) => boolean = () => false,
    isFreeWay: (only: string) => boolean = () => false,
  ): { readonly states: Map<number, number>; readonly isEnd: boolean } {
    const states = new Map<number, number>();
    const visits = new Map<Point, number>();
    const onTheWay = new Set<Point>();
    let isEnd = false;
    const visit = (point: Point, isFree: boolean) => {
      if (point === end && isFree) isEnd = true;
      // Engines leave a loop after an empty iteration. Two ways to a position are as bad as more.
      const seen = visits.get(point) ?? 0;
      if (seen >= 2 || onTheWay.has(point)) return;
      visits.set(point, seen + 1);
      if (point.state !== undefined) states.set(point.state, seen + 1);
      onTheWay.add(point);
      for (const { to, only } of point.ways) {
        if (only === undefined || !isBarred(only)) visit(to, isFree && (only === undefined || isFreeWay(only)));
      }
      onTheWay.delete(point);
    };
    visit(from, true);
    return { states, isEnd };
  }
}

function canMatchEmpty(part: Part): boolean {
  switch (part.kind) {
    case "set":
      return false;
    case "sequence":
      return part.parts.every(canMatchEmpty);
    case "choice":
      return part.parts.some(canMatchEmpty);
    case "repeat":
      return part.min === 0 || canMatchEmpty(part.part);
    default:
      return true;
  }
}
