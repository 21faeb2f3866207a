/** Checks all golden vectors, kind by kind. README.md describes how they were recorded. */
import { assert, assertEquals } from "@std/assert";
import { CRON } from "./cron.ts";
import { DAG } from "./dag.ts";
import { EXPRESSIONS } from "./expressions.ts";
import { LOOPS } from "./loops.ts";
import { NAMES } from "./names.ts";
import { NOTATIONS } from "./notations.ts";
import { readVectors } from "./read_vectors.ts";
import { SCOPES } from "./scopes.ts";
import { SELECTORS } from "./selectors.ts";
import { TAGS } from "./tags.ts";
import { VALIDATION } from "./validation.ts";
import type { Check, Vector } from "./vector.ts";
import { WHEN } from "./when.ts";

const CHECKS: Readonly<Record<string, Check>> = {
  ...NOTATIONS,
  ...EXPRESSIONS,
  ...TAGS,
  ...WHEN,
  ...CRON,
  ...DAG,
  ...LOOPS,
  ...SCOPES,
  ...NAMES,
  ...SELECTORS,
  ...VALIDATION,
};

/** Returns how our answer to a vector differs; undefined if it does not. */
function fault(check: Check, vector: Vector): string | undefined {
  try {
    check(vector);
  } catch (error) {
    return `${vector.id}: ${error instanceof Error ? error.message.replace(/\s+/g, " ").trim() : error}`;
  }
}

for (const [kind, all] of readVectors()) {
  Deno.test(`vectors: all ${all.length} of kind ${kind} pass`, () => {
    const check = CHECKS[kind];
    assert(check, `No checker for the kind ${kind}`);
    const faults = all.map((vector) => fault(check, vector)).filter((problem) => problem !== undefined);
    assertEquals(faults.join("\n"), "", `${faults.length} of ${all.length} differ`);
  });
}
