/** Hooks that keep responses and live views while a page is shown. */
import { useLayoutEffect } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { asRefusal, type Refusal } from "../api/refusal.ts";
import { trackPending } from "../settled.ts";

/** The state of a response: pending, available, or refused. */
export type Answer<T> =
  | { readonly kind: "waiting" }
  | { readonly kind: "here"; readonly value: T }
  | { readonly kind: "refused"; readonly refusal: Refusal };

const WAITING = { kind: "waiting" } as const;

/** A response, and functions to update it. */
export interface AnswerHandle<T> {
  readonly answer: { readonly value: Answer<T> };
  refetch(): void;
  /** Sets a newer value that another request returned. */
  setAnswer(value: T): void;
}

/**
 * Sends a request when the component is shown, and again when a key changes, which resets the value. If the same
 * request is repeated, the previous value stays until the response arrives.
 */
export function useAnswer<T>(ask: (signal: AbortSignal) => Promise<T>, keys: readonly unknown[]): AnswerHandle<T> {
  const key = JSON.stringify(keys);
  const held = useSignal<{ readonly key: string; readonly answer: Answer<T> }>({ key, answer: WAITING });
  const round = useSignal(0);
  const setAnswer = (value: T) => held.value = { key, answer: { kind: "here", value } };
  useLayoutEffect(() => {
    const left = new AbortController();
    const waiting = trackPending();
    ask(left.signal).then(
      (value) => {
        if (!left.signal.aborted) setAnswer(value);
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
    refetch: () => round.value++,
    setAnswer,
  };
}

/** Runs a function while the component is shown with the same keys. */
export function useWhileShown(run: (signal: AbortSignal) => void, keys: readonly unknown[]): void {
  useLayoutEffect(() => {
    const left = new AbortController();
    run(left.signal);
    return () => left.abort();
  }, [...keys]);
}
