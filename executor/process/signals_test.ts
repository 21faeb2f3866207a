import { assertEquals } from "@std/assert";
import { fakeClock } from "../../lib/base/clock/testing/fake_clock.ts";
import { waitForFile } from "@tiphys/base/watch";
import { receiveSignals, sendSignal } from "./signals.ts";
import { PLAIN_FILES } from "../pod/shared_files.ts";
import { containerFolder } from "../world.ts";
import { testWorld } from "../testing/world.ts";

Deno.test("receiveSignals: the last of several signals in quick succession is received", async () => {
  await using world = await testWorld();
  PLAIN_FILES.makeFolder(containerFolder(world, "main"));
  for (let turn = 0; turn < 50; turn++) {
    const stop = new AbortController();
    const received: Deno.Signal[] = [];
    const listening = receiveSignals(world, "main", (signal) => {
      received.push(signal);
      if (signal === "SIGKILL") stop.abort();
    }, stop.signal);
    sendSignal(world, "main", 15);
    sendSignal(world, "main", 9);
    await listening;
    assertEquals(received.at(-1), "SIGKILL");
  }
});

Deno.test("receiveSignals: an invalid file is removed, and the next signal is received", async () => {
  await using world = await testWorld();
  PLAIN_FILES.makeFolder(containerFolder(world, "main"));
  await Deno.writeTextFile(`${containerFolder(world, "main")}/signal`, "many");
  const stop = new AbortController();
  const received: Deno.Signal[] = [];
  const listening = receiveSignals(world, "main", (signal) => {
    received.push(signal);
    stop.abort();
  }, stop.signal);
  const file = `${containerFolder(world, "main")}/signal`;
  await waitForFile(file, () => Deno.stat(file).then(() => undefined, () => true));
  sendSignal(world, "main", 15);
  await listening;
  assertEquals(received, ["SIGTERM"]);
});

Deno.test("receiveSignals: works without inotify and logs nothing about it", async () => {
  const clock = fakeClock();
  await using world = await testWorld({ clock });
  PLAIN_FILES.makeFolder(containerFolder(world, "main"));
  const { watchFs } = Deno;
  Deno.watchFs = () => {
    throw new Error("Too many open files");
  };
  try {
    const stop = new AbortController();
    const received: Deno.Signal[] = [];
    const logged: string[] = [];
    const timer = clock.nextTimer();
    const listening = receiveSignals({ ...world, log: (line) => void logged.push(line) }, "main", (signal) => {
      received.push(signal);
      stop.abort();
    }, stop.signal);
    await timer;
    sendSignal(world, "main", 15);
    clock.advance(2000);
    await listening;
    assertEquals([received, logged], [["SIGTERM"], []]);
  } finally {
    Deno.watchFs = watchFs;
  }
});
