/** Reads a `when` before its tags have values. */
import { TemplateError } from "../../template/error.ts";
import { MeterError } from "../../template/expr/meter.ts";
import { findTags, isClosed } from "../../template/tags.ts";
import type { Fault } from "./fault.ts";

/** Texts that a tag may become: a `when` is refused only when it can be read with none of them. */
const STAND_INS = ["a", "1", "'a'", "true", "1==1", "(1,2)"];

/** The faults that a `when` has whatever its tags become; `evaluate` reads one, and throws a `TemplateError`. */
export function judgeWhen(when: string, evaluate: (text: string) => unknown): Fault[] {
  if (!isClosed(when)) return [];
  const { texts, tags } = findTags(when);
  if (tags.length === 0) return attempt(when, evaluate);
  // A tag inside a tag is a name that only the values of a run complete.
  if (tags.some((tag) => tag.includes("{{"))) return [];
  // A stand-in takes as much room as its tag, so that places stay what they are.
  const attempts = STAND_INS.map((standIn) => attempt(fill(texts, tags, standIn), evaluate));
  const [first = []] = attempts;
  return attempts.some((faults) => faults.length === 0) ? [] : first;
}

function fill(texts: readonly string[], tags: readonly string[], standIn: string): string {
  return texts.reduce((text, next, index) =>
    text + standIn.padEnd((tags[index - 1] ?? "").length + "{{}}".length) + next
  );
}

function attempt(when: string, evaluate: (text: string) => unknown): Fault[] {
  try {
    evaluate(when);
    return [];
  } catch (error) {
    if (!(error instanceof TemplateError) || error instanceof MeterError) throw error;
    const { reason, place, cause } = error;
    const message = cause instanceof Error ? cause.message.trimEnd() : reason;
    const hint = place?.hint === undefined ? "" : `; ${place.hint}`;
    return [{ severity: "error", offset: place?.offset ?? 0, message: `${message}${hint}` }];
  }
}
