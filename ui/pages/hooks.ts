/** Hooks by which pages keep answers and live views as long as they are shown. */
import { useEffect } from "preact/hooks";
import { type Signal, useSignal } from "@preact/signals";
import { Refusal } from "../api/refusal.ts";
import { unsettled } from "../settled.ts";

/** The answer to a question: not there yet, there, or refused. */
export type Answer<T> =
  | { readonly kind: "waiting" }
  | { readonly kind: "here"; readonly value: T }
  | { readonly kind: "refused"; readonly refusal: Refusal };

/** An answer, and the way to ask again. */
export interface Asked<T> {
  readonly answer: Signal<Answer<T>>;
  again(): void;
}

/** Asks when the page is shown, and anew when a key changes. What was answered before stays until then. */
export function useAnswer<T>(ask: (signal: AbortSignal) => Promise<T>, keys: readonly unknown[]): Asked<T> {
  const answer = useSignal<Answer<T>>({ kind: "waiting" });
  const round = useSignal(0);
  useEffect(() => {
    const left = new AbortController();
    const waiting = unsettled();
    ask(left.signal).then(
      (value) => {
        if (!left.signal.aborted) answer.value = { kind: "here", value };
      },
      (error) => {
        if (left.signal.aborted) return;
        if (!(error instanceof Refusal)) throw error;
        answer.value = { kind: "refused", refusal: error };
      },
    ).finally(() => waiting[Symbol.dispose]());
    return () => left.abort();
  }, [...keys, round.value]);
  return { answer, again: () => round.value++ };
}

/** Runs something as long as the page is shown and its keys are the same. */
export function useWhileShown(run: (signal: AbortSignal) => void, keys: readonly unknown[]): void {
  useEffect(() => {
    const left = new AbortController();
    run(left.signal);
    return () => left.abort();
  }, [...keys]);
}
