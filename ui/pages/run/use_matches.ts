/** Search in the parts of a graph: immediately in a small one, with pauses in a large one. */
import { useLayoutEffect, useMemo, useState } from "preact/hooks";
import { runWithPauses } from "../../api/pauses.ts";
import { runToEnd } from "../../model/run_to_end.ts";
import { findParts } from "../../model/graph/find.ts";
import type { Part } from "../../model/graph/part.ts";
import { trackPending } from "../../settled.ts";

/** The keys of parts, in the order of the graph. */
export interface PartMatches {
  readonly keys: readonly string[];
  readonly set: ReadonlySet<string>;
}

const NONE: PartMatches = { keys: [], set: new Set() };

/** The maximum number of parts that are searched synchronously on a key stroke. */
const MAX_AT_ONCE = 1_000;

/** Returns the matches; for a large graph the previous ones until the search has finished. */
export function useMatches(whole: Part, text: string): PartMatches {
  const isNothing = text.trim() === "";
  const isLarge = whole.size > MAX_AT_ONCE;
  const small = useMemo(() => isLarge || isNothing ? undefined : matchesOf(runToEnd(findParts(whole, text))), [
    whole,
    text,
    isLarge,
  ]);
  const [made, setMade] = useState(NONE);
  useLayoutEffect(() => {
    if (!isLarge || isNothing) return setMade(NONE);
    let isWanted = true;
    const waiting = trackPending();
    void runWithPauses(runUnlessCanceled(findParts(whole, text), () => !isWanted)).then((keys) => {
      if (isWanted && keys) setMade(matchesOf(keys));
      waiting[Symbol.dispose]();
    });
    return () => {
      isWanted = false;
      waiting[Symbol.dispose]();
    };
  }, [whole, text, isLarge]);
  return isNothing ? NONE : small ?? made;
}

function matchesOf(set: ReadonlySet<string>): PartMatches {
  return { keys: [...set], set };
}

/** Runs a generator until it ends or is canceled; returns undefined if canceled. */
function* runUnlessCanceled<T>(
  work: Generator<undefined, T>,
  isLeft: () => boolean,
): Generator<undefined, T | undefined> {
  while (!isLeft()) {
    const { done, value } = work.next();
    if (done) return value;
    yield;
  }
}
