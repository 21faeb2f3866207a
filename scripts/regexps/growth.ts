/**
 * The worst-case growth of a regular expression's time with the text. A backtracking engine tries every way through the
 * expression before it fails, so the number of ways for one text counts. A state from which a text leads back to it in
 * two ways doubles them with each iteration. Two states with loops over the same text, which also leads from the first
 * to the second, have as many ways as the text has characters, for each start.
 */
import { type Automaton, automatonOf } from "./automaton.ts";

/**
 * The growth of the time with the length of the text: linear, quadratic or more, or doubled by each further piece of
 * it.
 */
export type Growth = "linear" | "polynomial" | "exponential";

/**
 * The worst-case growth of the time of a search for an expression: never underestimated, sometimes overestimated. The
 * engine never backtracks into a part that may end a match anywhere. @throws {UnreadableRegExp} for an expression that
 * cannot be analyzed
 */
export function growthOf(expression: RegExp): Growth {
  const automaton = automatonOf(expression);
  // A match that may end at a state does so before other ways from there are tried.
  const open = withoutTrailing(automaton);
  const loops = loopsOf(open.next);
  for (const [state, loop] of loops) if (isExponential(open, state, loop)) return "exponential";
  // Each of many matches may have searched further than its end.
  const searched = /[gy]/.test(expression.flags) ? automaton : open;
  for (const [first, stays] of loopsOf(searched.next)) {
    const reached = reachableFrom(searched.next, first);
    for (const [second, turns] of loops) {
      if (first === second || !reached.has(second)) continue;
      if (isPolynomial(automaton, { first, stays, reached, second, turns })) return "polynomial";
    }
  }
  return "linear";
}

/** The automaton without the transitions to states at which a match may end. */
function withoutTrailing({ takes, next, mayEnd }: Automaton): Automaton {
  const left = next.map((ways) => new Map([...ways].filter(([state]) => !mayEnd.has(state))));
  return { takes, next: left, mayEnd };
}

/** The states that are on a loop, each with all states of its loops. */
function loopsOf(next: Automaton["next"]): Map<number, ReadonlySet<number>> {
  const reach = next.map((_, state) => reachableFrom(next, state));
  const loops = new Map<number, ReadonlySet<number>>();
  reach.forEach((reached, state) => {
    if (reached.has(state)) loops.set(state, new Set([...reached].filter((other) => reach[other]?.has(state))));
  });
  return loops;
}

/** The states that can follow a state, each with the number of ways to it. */
function pathCounts(next: Automaton["next"], state: number): ReadonlyMap<number, number> {
  return next[state] ?? NO_WAYS;
}

const NO_WAYS: ReadonlyMap<number, number> = new Map();

function reachableFrom(next: Automaton["next"], from: number): Set<number> {
  const reached = new Set<number>();
  const queue = [from];
  for (const state of queue) {
    for (const to of pathCounts(next, state).keys()) {
      if (reached.has(to)) continue;
      reached.add(to);
      queue.push(to);
    }
  }
  return reached;
}

/** Whether a text leads from the state back to it in two ways. */
function isExponential({ takes, next }: Automaton, home: number, loop: ReadonlySet<number>): boolean {
  // Pairs of walks that consume the same text. `apart` is true once their paths have differed.
  const seen = new Set<string>();
  const queue: [number, number, boolean][] = [[home, home, false]];
  for (const [one, other, apart] of queue) {
    for (const [toOne, ways] of pathCounts(next, one)) {
      if (!loop.has(toOne)) continue;
      for (const toOther of pathCounts(next, other).keys()) {
        if (!loop.has(toOther) || ((takes[toOne] ?? 0n) & (takes[toOther] ?? 0n)) === 0n) continue;
        const isApart = apart || toOne !== toOther || (one === other && ways > 1);
        if (isApart && toOne === home && toOther === home) return true;
        const key = `${toOne} ${toOther} ${isApart}`;
        if (seen.has(key)) continue;
        seen.add(key);
        queue.push([toOne, toOther, isApart]);
      }
    }
  }
  return false;
}

/** Two states, the loops that they are on, and the states that are reachable from the first. */
interface Pair {
  readonly first: number;
  readonly stays: ReadonlySet<number>;
  readonly reached: ReadonlySet<number>;
  readonly second: number;
  readonly turns: ReadonlySet<number>;
}

/**
 * Whether the same text leads from the first state back to it, from there to the second, and from the second back to
 * that.
 */
function isPolynomial(
  { takes, next }: Automaton,
  { first, stays, reached, second, turns }: Pair,
): boolean {
  const seen = new Set<string>();
  const queue: [number, number, number][] = [[first, first, second]];
  for (const [a, b, c] of queue) {
    for (const toA of pathCounts(next, a).keys()) {
      if (!stays.has(toA)) continue;
      for (const toB of pathCounts(next, b).keys()) {
        const both = (takes[toA] ?? 0n) & (takes[toB] ?? 0n);
        if (both === 0n || !reached.has(toB)) continue;
        for (const toC of pathCounts(next, c).keys()) {
          if (!turns.has(toC) || (both & (takes[toC] ?? 0n)) === 0n) continue;
          if (toA === first && toB === second && toC === second) return true;
          const key = `${toA} ${toB} ${toC}`;
          if (seen.has(key)) continue;
          seen.add(key);
          queue.push([toA, toB, toC]);
        }
      }
    }
  }
  return false;
}
