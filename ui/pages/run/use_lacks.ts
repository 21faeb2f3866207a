/** The rights that somebody lacks for what can be done to a run, asked of the server when its page is opened. */
import { type ReadonlySignal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Refusal } from "../../api/refusal.ts";
import type { Lacks } from "../../api/source.ts";
import { useApp } from "../../app.ts";

const NONE: Lacks = {};

/** What is lacking for a run; nothing until it is known, and before a server that does not tell: it refuses by itself. */
export function useLacks(namespace: string, name: string): ReadonlySignal<Lacks> {
  const { source, session } = useApp();
  const lacks = useSignal(NONE);
  useEffect(() => {
    lacks.value = NONE;
    // Who comes by a ticket has all rights.
    if (session.login === "ticket") return;
    const left = new AbortController();
    source.lacks(namespace, name, left.signal).then((found) => {
      if (!left.signal.aborted) lacks.value = found;
    }, (error) => {
      if (!left.signal.aborted && !(error instanceof Refusal)) throw error;
    });
    return () => left.abort();
  }, [namespace, name]);
  return lacks;
}
