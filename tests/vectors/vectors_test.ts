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
import { needs } from "../../lib/testing/needs.ts";

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
const passed = new Map<string, number>();

/** The fault of our answer to a vector; undefined if there is none. */
function fault(check: Check, vector: Vector): string | undefined {
  try {
    check(vector);
  } catch (error) {
    return `${vector.id}: ${error instanceof Error ? error.message.replace(/\s+/g, " ").trim() : error}`;
  }
}

for (const [kind, all] of vectors ?? []) {
  Deno.test(`all ${all.length} golden vectors of kind ${kind} pass`, () => {
    const check = CHECKS[kind];
    if (check === undefined) throw new Error(`No checker knows the kind ${kind}`);
    const faults = all.map((vector) => fault(check, vector)).filter((found) => found !== undefined);
    passed.set(kind, all.length - faults.length);
    assertEquals(faults.join("\n"), "", `${faults.length} of ${all.length} differ`);
  });
}

Deno.test({
  ...needs(`the folder ${FOLDER} (see VECTORS)`, vectors !== undefined, "every golden vector passes, kind by kind"),
  fn() {
    const counts = [...vectors!].map(([kind, all]) => ({ kind, passed: passed.get(kind) ?? 0, all: all.length }));
    console.log(counts.map((count) => `${String(count.passed).padStart(6)} of ${count.all} ${count.kind}`).join("\n"));
    const sum = counts.reduce((total, count) => total + count.passed, 0);
    const total = counts.reduce((total, count) => total + count.all, 0);
    console.log(`${sum} of ${total} vectors of ${counts.length} kinds`);
    assertEquals(sum, total);
    assert(total > 0, `The folder ${FOLDER} holds no vectors`);
  },
});
