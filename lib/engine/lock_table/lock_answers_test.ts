import { assertEquals } from "@std/assert";
import fc from "fast-check";
import type { LockAnswer, LockRef } from "./claim.ts";
import { LockAnswers } from "./lock_answers.ts";

const A: LockRef = { type: "mutex", key: "n/Mutex/a" };
const B: LockRef = { type: "semaphore", key: "n/ConfigMap/b/b" };

const waiting = (...locks: readonly LockRef[]): LockAnswer => ({
  kind: "waiting",
  locks,
  refused: "",
  isFull: true,
  message: "",
});
const held = (...locks: readonly LockRef[]): LockAnswer => ({ kind: "held", locks });

/** Recomputes the aggregates from all answers. */
function recomputedAggregates(answers: LockAnswers) {
  const holding = [...answers].flatMap(([id, answer]) => answer.kind === "held" ? [[id, answer.locks] as const] : []);
  const lost = [...answers].flatMap(([id, answer]) => answer.kind === "lost" ? [[id, answer.message] as const] : []);
  const locks = [...answers.values()].flatMap((answer) => answer.kind === "waiting" ? answer.locks : []);
  const counts = [A, B].map((ref) => [ref.key, locks.filter(({ key }) => key === ref.key).length] as const);
  return { held: new Map(holding), lost: new Map(lost), waited: counts.filter(([, count]) => count > 0) };
}

Deno.test("LockAnswers: the aggregates match all answers after any sequence of changes", () => {
  const some = fc.oneof(
    fc.constantFrom<LockAnswer>(waiting(A), waiting(A, B), held(A), held(B), { kind: "undecided" }),
    fc.constant<LockAnswer>({ kind: "lost", message: "gone" }),
    fc.constantFrom("delete", "clear"),
  );
  fc.assert(fc.property(fc.array(fc.tuple(fc.constantFrom("", "x", "y"), some), { maxLength: 30 }), (steps) => {
    const answers = new LockAnswers();
    for (const [id, step] of steps) {
      if (step === "delete") answers.delete(id);
      else if (step === "clear") answers.clear();
      else answers.set(id, step as LockAnswer);
      const { held, lost, waited } = recomputedAggregates(answers);
      assertEquals([[...answers.held], answers.lost], [[...held], lost]);
      const counts = [A, B].map(({ type, key }) =>
        [key, answers.waitedFor.get(`${type} ${key}`)?.claims ?? 0] as const
      );
      assertEquals(counts.filter(([, count]) => count > 0), waited);
    }
  }));
});
