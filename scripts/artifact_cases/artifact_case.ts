/** One case of artifacts. */
import type { CoveredCase } from "../case_coverage.ts";

/** A required property, and the tests of it. */
export interface ArtifactCase extends CoveredCase {
  /** Whether the contract of drivers tests it, for every store. */
  readonly contract?: true;
}
