/** The greeting that is due: a word to who is here for the first time, a question after two weeks, a new release. Pure. */
import type { Greeting } from "../api/source.ts";

/** Facts that a browser keeps about greetings. */
export interface Greeted {
  /** Whether the word to newcomers was read. */
  readonly isKnown: boolean;
  /** The time from which the question may be asked, in milliseconds since 1970; 0 before the first visit. */
  readonly askFrom: number;
  /** The release that was seen last, `0.1`; empty before the first visit. */
  readonly release: string;
}

/** The time between two questions, and before the first. */
export const ASK_EVERY_MILLIS = 14 * 86_400_000;

/** The greeting that is due; nobody is told of a release who saw none before. */
export function greetingOf(
  wanted: readonly Greeting[],
  { isKnown, askFrom, release }: Greeted,
  { version, now }: { readonly version: string; readonly now: number },
): Greeting | undefined {
  const isDue: Readonly<Record<Greeting, boolean>> = {
    firstTimeUser: !isKnown,
    feedback: askFrom > 0 && now >= askFrom,
    newVersion: release !== "" && version !== "" && releaseOf(version) !== release,
  };
  return wanted.find((one) => isDue[one]);
}

/** The facts once somebody was here. */
export function visited(
  greeted: Greeted,
  { version, now }: { readonly version: string; readonly now: number },
): Greeted {
  return {
    ...greeted,
    askFrom: greeted.askFrom || now + ASK_EVERY_MILLIS,
    release: greeted.release || releaseOf(version),
  };
}

/** The facts once a greeting was read. */
export function read(
  greeted: Greeted,
  greeting: Greeting,
  { version, now }: { readonly version: string; readonly now: number },
): Greeted {
  switch (greeting) {
    case "firstTimeUser":
      return { ...greeted, isKnown: true };
    case "feedback":
      return { ...greeted, askFrom: now + ASK_EVERY_MILLIS };
    case "newVersion":
      return { ...greeted, release: releaseOf(version) };
  }
}

/** `0.1` of `v0.1.3`; a version of another form is a release of its own. */
export function releaseOf(version: string): string {
  return /^v?(\d+\.\d+)(?:\.|$)/.exec(version)?.[1] ?? version;
}

/** The facts as a browser keeps them. */
export function greetedText({ isKnown, askFrom, release }: Greeted): string {
  return new URLSearchParams({ known: isKnown ? "yes" : "", ask: String(askFrom), release }).toString();
}

/** Reads that. */
export function readGreeted(text: string | null): Greeted {
  const kept = new URLSearchParams(text ?? "");
  const askFrom = Number(kept.get("ask"));
  return {
    isKnown: kept.get("known") === "yes",
    askFrom: Number.isFinite(askFrom) ? askFrom : 0,
    release: kept.get("release") ?? "",
  };
}
