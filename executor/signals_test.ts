import { assertEquals } from "@std/assert";
import { untilFile } from "../lib/watch/mod.ts";
import { receiveSignals, sendSignal } from "./signals.ts";
import { containerFolder, makeSharedFolder } from "./world.ts";
import { testWorld } from "./world_for_tests.ts";

Deno.test("the last signal is always received, however soon it follows another", async () => {
  await using world = await testWorld();
  await makeSharedFolder(containerFolder(world, "main"));
  for (let turn = 0; turn < 50; turn++) {
    const stop = new AbortController();
    const received: Deno.Signal[] = [];
    const listening = receiveSignals(world, "main", (signal) => {
      received.push(signal);
      if (signal === "SIGKILL") stop.abort();
    }, stop.signal);
    await sendSignal(world, "main", 15);
    await sendSignal(world, "main", 9);
    await listening;
    assertEquals(received.at(-1), "SIGKILL");
  }
});

Deno.test("what is not the number of a signal is thrown away, and the next signal heard", async () => {
  await using world = await testWorld();
  await makeSharedFolder(containerFolder(world, "main"));
  await Deno.writeTextFile(`${containerFolder(world, "main")}/signal`, "many");
  const stop = new AbortController();
  const received: Deno.Signal[] = [];
  const listening = receiveSignals(world, "main", (signal) => {
    received.push(signal);
    stop.abort();
  }, stop.signal);
  const file = `${containerFolder(world, "main")}/signal`;
  await untilFile(file, () => Deno.stat(file).then(() => undefined, () => true));
  await sendSignal(world, "main", 15);
  await listening;
  assertEquals(received, ["SIGTERM"]);
});
