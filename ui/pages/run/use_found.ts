/** The parts in which a text is found: at once where they are few, and with rests in between where they are many. */
import { useLayoutEffect, useMemo, useState } from "preact/hooks";
import { rested } from "../../api/rest.ts";
import { drained } from "../../model/drained.ts";
import { findParts } from "../../model/graph/find.ts";
import type { Part } from "../../model/graph/part.ts";
import { unsettled } from "../../settled.ts";

/** The keys of parts, in the order of the graph. */
export interface Found {
  readonly keys: readonly string[];
  readonly set: ReadonlySet<string>;
}

const NONE: Found = { keys: [], set: new Set() };

/** The most parts that are looked through while a letter is typed. */
const MOST_AT_ONCE = 1_000;

/** What is found; of a large graph what was found last, until that is known. */
export function useFound(whole: Part, text: string): Found {
  const isNothing = text.trim() === "";
  const isLarge = whole.size > MOST_AT_ONCE;
  const small = useMemo(() => isLarge || isNothing ? undefined : foundOf(drained(findParts(whole, text))), [
    whole,
    text,
    isLarge,
  ]);
  const [made, setMade] = useState(NONE);
  useLayoutEffect(() => {
    if (!isLarge || isNothing) return setMade(NONE);
    let isWanted = true;
    const waiting = unsettled();
    void rested(unlessLeft(findParts(whole, text), () => !isWanted)).then((keys) => {
      if (isWanted && keys) setMade(foundOf(keys));
      waiting[Symbol.dispose]();
    });
    return () => {
      isWanted = false;
      waiting[Symbol.dispose]();
    };
  }, [whole, text, isLarge]);
  return isNothing ? NONE : small ?? made;
}

function foundOf(set: ReadonlySet<string>): Found {
  return { keys: [...set], set };
}

/** Work that ends without a value as soon as nobody wants it. */
function* unlessLeft<T>(work: Generator<undefined, T>, isLeft: () => boolean): Generator<undefined, T | undefined> {
  while (!isLeft()) {
    const { done, value } = work.next();
    if (done) return value;
    yield;
  }
}
