import { assertEquals, assertRejects, assertStrictEquals } from "@std/assert";
import { fakeClock } from "../clock/testing/fake_clock.ts";
import { toldOf, type WorkDone } from "./work_done.ts";

const work = { name: "persist_updates", workflow: { metadata: { uid: "u" } } } as const;

Deno.test("toldOf() tells how long work took", async () => {
  const clock = fakeClock();
  const began = clock.now();
  const told: WorkDone[] = [];
  const act = () => {
    clock.advance(5);
    return Promise.resolve("done");
  };
  assertEquals(await toldOf((done) => told.push(done), work, clock, act), "done");
  assertEquals(told, [{ ...work, began, ended: began + 5 }]);
});

Deno.test("toldOf() hands on the error itself, to the caller and to who is told", async () => {
  const error = new TypeError("no");
  const told: WorkDone[] = [];
  const failing = toldOf((done) => told.push(done), work, fakeClock(), () => Promise.reject(error));
  assertStrictEquals(await assertRejects(() => failing), error);
  assertStrictEquals(told[0]?.error, error);
});
