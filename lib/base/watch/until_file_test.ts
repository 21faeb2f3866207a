import { assert, assertEquals, assertRejects } from "@std/assert";
import { fakeClock } from "../clock/testing/fake_clock.ts";
import { formatMarker, type Marker, parseMarker, readMarker, waitForFile } from "./mod.ts";
import { writeWhole } from "./testing/write_whole.ts";

async function read(file: string): Promise<string | undefined> {
  try {
    return await Deno.readTextFile(file);
  } catch {
    return undefined;
  }
}

Deno.test("waitForFile: resolves immediately when the file exists (IL-16)", async () => {
  const file = `${await Deno.makeTempDir()}/f`;
  await Deno.writeTextFile(file, "here");
  assertEquals(await waitForFile(file, () => read(file)), "here");
});

Deno.test("waitForFile: detects a new file long before the polling interval", async () => {
  const file = `${await Deno.makeTempDir()}/f`;
  const waiting = waitForFile(file, () => read(file), { pollMillis: 600_000 });
  await writeWhole(file, "now");
  assertEquals(await waiting, "now");
});

Deno.test("waitForFile: polls every two seconds with a warning when changes cannot be watched", async () => {
  const file = `${await Deno.makeTempDir()}/f`;
  const { watchFs } = Deno;
  Deno.watchFs = () => {
    throw new Error("Too many open files");
  };
  try {
    const clock = fakeClock();
    const warnings: string[] = [];
    let looks = 0;
    const look = () => {
      looks++;
      return read(file);
    };
    let waited = clock.nextTimer();
    const waiting = waitForFile(file, look, { clock, warn: (message) => void warnings.push(message) });
    await waited;
    for (let before = 1; before < 5; before++) {
      waited = clock.nextTimer();
      clock.advance(1999);
      await read(file);
      assertEquals(looks, before);
      clock.advance(1);
      await waited;
      assertEquals(looks, before + 1);
    }
    await Deno.writeTextFile(file, "now");
    clock.advance(2000);
    assertEquals(await waiting, "now");
    assertEquals(warnings.length, 1);
  } finally {
    Deno.watchFs = watchFs;
  }
});

Deno.test("waitForFile: rejects when it is aborted (IL-07)", async () => {
  const stop = new AbortController();
  const file = `${await Deno.makeTempDir()}/f`;
  const waiting = waitForFile(file, () => read(file), { signal: stop.signal });
  stop.abort(new Error("cancelled"));
  await assertRejects(() => waiting, Error, "cancelled");
});

/** Writes a marker as the supervisor does. */
const writeMarker = (file: string, marker: Marker) => writeWhole(file, formatMarker(marker));

Deno.test("writeWhole: leaves no temporary file, and readers never see a partial marker (IL-19)", async () => {
  const folder = await Deno.makeTempDir();
  const file = `${folder}/status`;
  await writeMarker(file, { kind: "FAILED", message: "no such bucket" });
  let writing = true;
  const writer = (async () => {
    for (let n = 0; n < 1_000; n++) await writeMarker(file, { kind: "FAILED", message: "no such bucket" });
    writing = false;
  })();
  while (writing) assertEquals((await readMarker(file))?.marker, { kind: "FAILED", message: "no such bucket" });
  await writer;
  assertEquals([...Deno.readDirSync(folder)].map(({ name }) => name), ["status"]);
});

Deno.test("parseMarker: FAILED without a message is a failure, and an unknown word is RUNNING (IL-17)", () => {
  assertEquals(parseMarker("FAILED\n"), { kind: "FAILED", message: "" });
  assertEquals(parseMarker("SOMETHING"), { kind: "RUNNING" });
  assertEquals(parseMarker(""), { kind: "RUNNING" });
});

Deno.test("readMarker: returns undefined without a marker", async () => {
  assert(await readMarker(`${await Deno.makeTempDir()}/status`) === undefined);
});
