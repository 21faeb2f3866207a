/**
 * The golden vectors of the template language, all kinds: what the peer's own libraries answered, question by question.
 * `VECTORS` names the folder, `../shared/conformance/expr` is the default; without a folder the tests are skipped.
 * The last test prints how many vectors of each kind passed.
 */
import { assert, assertEquals } from "@std/assert";
import { CRON } from "./cron.ts";
import { DAG } from "./dag.ts";
import { EXPRESSIONS } from "./expressions.ts";
import { LOOPS } from "./loops.ts";
import { NAMES } from "./names.ts";
import { NOTATIONS } from "./notations.ts";
import { FOLDER, readVectors } from "./read_vectors.ts";
import { SCOPES } from "./scopes.ts";
import { SELECTORS } from "./selectors.ts";
import { TAGS } from "./tags.ts";
import { VALIDATION } from "./validation.ts";
import type { Check, Vector } from "./vector.ts";
import { WHEN } from "./when.ts";
import { needs } from "../../lib/base/testing/needs.ts";

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

const vectors = readVectors();
const faultsByKind = new Map<string, string[]>();

/** The faults of our answers to the vectors of a kind, computed once. */
function faultsOf(kind: string, all: readonly Vector[]): string[] {
  const known = faultsByKind.get(kind);
  if (known) return known;
  const check = CHECKS[kind];
  const faults = check === undefined
    ? [`No checker knows the kind ${kind}`]
    : all.map((vector) => fault(check, vector)).filter((found) => found !== undefined);
  faultsByKind.set(kind, faults);
  return faults;
}

/** The fault of our answer to a vector; undefined if the answer is right. */
function fault(check: Check, vector: Vector): string | undefined {
  try {
    check(vector);
  } catch (error) {
    return `${vector.id}: ${error instanceof Error ? error.message.replace(/\s+/g, " ").trim() : error}`;
  }
}

for (const [kind, all] of vectors ?? []) {
  Deno.test(`all ${all.length} golden vectors of kind ${kind} pass`, () => {
    const faults = faultsOf(kind, all);
    assertEquals(faults.join("\n"), "", `${faults.length} of ${all.length} differ`);
  });
}

Deno.test({
  ...needs(`the folder ${FOLDER} (see VECTORS)`, vectors !== undefined, "every golden vector passes, kind by kind"),
  fn() {
    const counts = [...vectors!].map(([kind, all]) => ({ kind, failed: faultsOf(kind, all).length, all: all.length }));
    const total = counts.reduce((total, count) => total + count.all, 0);
    const failed = counts.reduce((total, count) => total + count.failed, 0);
    for (const { kind, failed, all } of counts) console.log(`${String(all - failed).padStart(6)} of ${all} ${kind}`);
    console.log(`${total - failed} of ${total} vectors of ${counts.length} kinds`);
    assertEquals(failed, 0);
    assert(total > 0, `The folder ${FOLDER} holds no vectors`);
  },
});
