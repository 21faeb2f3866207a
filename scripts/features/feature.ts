/** A feature of Argo Workflows, how Tiphys compares, and the tests that prove it. */
import type { TestReference } from "../case_coverage.ts";

/**
 * `same`: behaves as in Argo. `better`: does more, and nothing that works in Argo breaks. `different`: works in another
 * way, which a migration has to know. `absent`: does not exist.
 */
export type Verdict = "same" | "better" | "different" | "absent";

/** The id of a case in the tables `scripts/*_cases`, or a test. */
export type Proof = string | TestReference;

/** One row of the compatibility table. */
export interface Feature {
  readonly verdict: Verdict;
  /** The behavior here, in a sentence or less. */
  readonly note: string;
  readonly proofs: readonly Proof[];
}

/** The features of one area, by name. */
export type Features = Readonly<Record<string, Feature>>;

export function same(note: string, ...proofs: readonly Proof[]): Feature {
  return { verdict: "same", note, proofs };
}

export function better(note: string, ...proofs: readonly Proof[]): Feature {
  return { verdict: "better", note, proofs };
}

export function different(note: string, ...proofs: readonly Proof[]): Feature {
  return { verdict: "different", note, proofs };
}

/** A feature without a test: the note has the reason. */
export function absent(note: string): Feature {
  return { verdict: "absent", note, proofs: [] };
}
