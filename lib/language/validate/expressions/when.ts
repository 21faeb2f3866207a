/** Checks a `when` before its tags have values. */
import { TemplateError } from "../../template/error.ts";
import { MeterError } from "../../template/expr/meter.ts";
import { findTags, isClosed } from "../../template/tags.ts";
import type { Fault } from "./fault.ts";

/** Possible values of a tag: a `when` is invalid only if it cannot be parsed with any of them. */
const SAMPLE_VALUES = ["a", "1", "'a'", "true", "1==1", "(1,2)"];

/**
 * Returns the faults that a `when` has for all values of its tags; `evaluate` parses one and throws a `TemplateError`.
 */
export function whenFaults(when: string, evaluate: (text: string) => unknown): Fault[] {
  if (!isClosed(when)) return [];
  const { texts, tags } = findTags(when);
  if (tags.length === 0) return faultsWithValues(when, evaluate);
  // A nested tag is a name that is only known at run time.
  if (tags.some((tag) => tag.includes("{{"))) return [];
  // A stand-in has the length of its tag, so that offsets remain valid.
  const attempts = SAMPLE_VALUES.map((standIn) => faultsWithValues(fill(texts, tags, standIn), evaluate));
  const [first = []] = attempts;
  return attempts.some((faults) => faults.length === 0) ? [] : first;
}

function fill(texts: readonly string[], tags: readonly string[], standIn: string): string {
  return texts.reduce((text, next, index) =>
    text + standIn.padEnd((tags[index - 1] ?? "").length + "{{}}".length) + next
  );
}

function faultsWithValues(when: string, evaluate: (text: string) => unknown): Fault[] {
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
