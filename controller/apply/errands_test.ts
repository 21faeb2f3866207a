import { assertEquals } from "@std/assert";
import { Errands } from "./errands.ts";

Deno.test("Errands goes once on what is asked for twice, and again when that is done", async () => {
  const errands = new Errands();
  const finish: (() => void)[] = [];
  const errand = () => new Promise<void>((resolve) => finish.push(resolve));
  errands.go("label a", errand);
  errands.go("label a", errand);
  errands.go("label b", errand);
  assertEquals(finish.length, 2);
  for (const done of finish) done();
  await errands.idle();
  errands.go("label a", errand);
  assertEquals(finish.length, 3);
});

Deno.test("Errands may be asked for the same again as soon as it tells what came of it", async () => {
  const errands = new Errands();
  let times = 0;
  const again = () => {
    if (++times < 3) errands.go("create a", () => Promise.resolve(), again);
  };
  errands.go("create a", () => Promise.resolve(), again);
  await errands.idle();
  assertEquals(times, 3);
});
