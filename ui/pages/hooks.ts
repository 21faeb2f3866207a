/** Hooks by which pages keep answers and live views as long as they are shown. */
import { useLayoutEffect } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { asRefusal, type Refusal } from "../api/refusal.ts";
import { unsettled } from "../settled.ts";

/** The answer to a question: not there yet, there, or refused. */
export type Answer<T> =
  | { readonly kind: "waiting" }
  | { readonly kind: "here"; readonly value: T }
  | { readonly kind: "refused"; readonly refusal: Refusal };

const WAITING = { kind: "waiting" } as const;

/** An answer, and the way to ask again. */
export interface Asked<T> {
  readonly answer: { readonly value: Answer<T> };
  again(): void;
  /** Takes a newer answer, which came with something else that was asked. */
  answered(value: T): void;
}

/**
 * Asks when the page is shown, and anew when a key changes; then nothing is known until the answer comes. Where the same
 * is asked again, what was answered before stays until then.
 */
export function useAnswer<T>(ask: (signal: AbortSignal) => Promise<T>, keys: readonly unknown[]): Asked<T> {
  const key = JSON.stringify(keys);
  const held = useSignal<{ readonly key: string; readonly answer: Answer<T> }>({ key, answer: WAITING });
  const round = useSignal(0);
  const answered = (value: T) => held.value = { key, answer: { kind: "here", value } };
  useLayoutEffect(() => {
    const left = new AbortController();
    const waiting = unsettled();
    ask(left.signal).then(
      (value) => {
        if (!left.signal.aborted) answered(value);
      },
      (error) => {
        if (left.signal.aborted) return;
        held.value = { key, answer: { kind: "refused", refusal: asRefusal(error) } };
      },
    ).finally(() => waiting[Symbol.dispose]());
    return () => left.abort();
  }, [key, round.value]);
  return {
    answer: { value: held.value.key === key ? held.value.answer : WAITING },
    again: () => round.value++,
    answered,
  };
}

/** Runs something as long as the page is shown and its keys are the same. */
export function useWhileShown(run: (signal: AbortSignal) => void, keys: readonly unknown[]): void {
  useLayoutEffect(() => {
    const left = new AbortController();
    run(left.signal);
    return () => left.abort();
  }, [...keys]);
}
