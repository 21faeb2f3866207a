import { assertEquals, assertRejects, assertStrictEquals } from "@std/assert";
import { fakeClock } from "../clock/testing/fake_clock.ts";
import { withWorkSpan, type WorkSpan } from "./work_span.ts";

const work = { name: "persist_updates", workflow: { metadata: { uid: "u" } } } as const;

Deno.test("withWorkSpan: reports the duration of work", async () => {
  const clock = fakeClock();
  const began = clock.now();
  const told: WorkSpan[] = [];
  const act = () => {
    clock.advance(5);
    return Promise.resolve("done");
  };
  assertEquals(await withWorkSpan((done) => told.push(done), work, clock, act), "done");
  assertEquals(told, [{ ...work, began, ended: began + 5 }]);
});

Deno.test("withWorkSpan: passes the error to the caller and to the receiver", async () => {
  const error = new TypeError("no");
  const told: WorkSpan[] = [];
  const failing = withWorkSpan((done) => told.push(done), work, fakeClock(), () => Promise.reject(error));
  assertStrictEquals(await assertRejects(() => failing), error);
  assertStrictEquals(told[0]?.error, error);
});
