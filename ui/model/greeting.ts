/**
 * Selects the greeting to show: a welcome on the first visit, a feedback question after two weeks, or a notice of a new
 * release. Pure.
 */
import type { Greeting } from "../api/source.ts";

/** The state of greetings, stored in the browser. */
export interface GreetingState {
  /** Whether the welcome was dismissed. */
  readonly isKnown: boolean;
  /** The earliest time of the next feedback question, in milliseconds since the epoch; 0 before the first visit. */
  readonly askFrom: number;
  /** The release of the last visit, `0.1`; empty before the first visit. */
  readonly release: string;
}

/** The time before the first question and between questions. */
export const ASK_EVERY_MILLIS = 14 * 86_400_000;

/** Returns the greeting to show. The first release that a user sees is not announced. */
export function greetingOf(
  candidates: readonly Greeting[],
  { isKnown, askFrom, release }: GreetingState,
  { version, now }: { readonly version: string; readonly now: number },
): Greeting | undefined {
  const isDue: Readonly<Record<Greeting, boolean>> = {
    firstTimeUser: !isKnown,
    feedback: askFrom > 0 && now >= askFrom,
    newVersion: release !== "" && version !== "" && releaseOf(version) !== release,
  };
  return candidates.find((candidate) => isDue[candidate]);
}

/** Returns the state after a visit. */
export function stateAfterVisit(
  greeted: GreetingState,
  { version, now }: { readonly version: string; readonly now: number },
): GreetingState {
  return {
    ...greeted,
    askFrom: greeted.askFrom || now + ASK_EVERY_MILLIS,
    release: greeted.release || releaseOf(version),
  };
}

/** Returns the state after a greeting was dismissed. */
export function read(
  greeted: GreetingState,
  greeting: Greeting,
  { version, now }: { readonly version: string; readonly now: number },
): GreetingState {
  switch (greeting) {
    case "firstTimeUser":
      return { ...greeted, isKnown: true };
    case "feedback":
      return { ...greeted, askFrom: now + ASK_EVERY_MILLIS };
    case "newVersion":
      return { ...greeted, release: releaseOf(version) };
  }
}

/** Returns the release of a version: `0.1` for `v0.1.3`. A version in another format is its own release. */
export function releaseOf(version: string): string {
  return /^v?(\d+\.\d+)(?:\.|$)/.exec(version)?.[1] ?? version;
}

/** Serializes the state for the browser's storage. */
export function serializeGreeting({ isKnown, askFrom, release }: GreetingState): string {
  return new URLSearchParams({ known: isKnown ? "yes" : "", ask: String(askFrom), release }).toString();
}

/** Parses the text of `serializeGreeting()`. */
export function readGreeted(text: string | null): GreetingState {
  const kept = new URLSearchParams(text ?? "");
  const askFrom = Number(kept.get("ask"));
  return {
    isKnown: kept.get("known") === "yes",
    askFrom: Number.isFinite(askFrom) ? askFrom : 0,
    release: kept.get("release") ?? "",
  };
}
