import { assertEquals, assertStringIncludes } from "@std/assert";
import { ENV, PATH } from "@tiphys/base/constants";
import { parseMarker } from "@tiphys/base/watch";
import { startProgram } from "./testing/process.ts";
import { runProgram } from "./program.ts";
import { type TestWorld, testWorld } from "./testing/world.ts";

/** Runs the program in a separate process. `before` is code that runs there first. */
async function runApart(world: TestWorld, args: string[], before = ""): Promise<number> {
  const template = { container: {}, inputs: { artifacts: [{ name: "a", path: "/a", s3: { key: "a" } }] } };
  const env = { [ENV.template]: JSON.stringify(template) };
  const process = await startProgram(world, args, { container: "supervisor", env, before });
  return (await process.status).code;
}

Deno.test("program: a supervisor that crashes before its first marker writes FAILED with the reason (IL-80)", async () => {
  await using world = await testWorld();
  const before = `Object.defineProperty(world, "env", { get() { throw new Error("bad environment") } });`;
  assertEquals(await runApart(world, ["supervisor"], before), 64);
  const marker = parseMarker(await world.read(PATH.status) ?? "");
  assertEquals(marker, { kind: "FAILED", message: "bad environment" });
  assertEquals((await world.termination())?.cause, "bad environment");
});

Deno.test("program: a supervisor with an unhandled rejection writes FAILED (IL-80)", async () => {
  await using world = await testWorld();
  const before = `world.driverFor = () => {
      void Promise.reject(new Error("nobody awaits me"));
      return new Promise(() => {});
    };`;
  assertEquals(await runApart(world, ["supervisor"], before), 64);
  assertEquals(parseMarker(await world.read(PATH.status) ?? "").kind, "FAILED");
  assertEquals((await world.termination())?.cause, "nobody awaits me");
});

Deno.test("program: a supervisor that crashes after READY keeps the marker", async () => {
  await using world = await testWorld();
  await world.write(PATH.status, "READY");
  const before = `Object.defineProperty(world, "env", { get() { throw new Error("late") } });`;
  assertEquals(await runApart(world, ["supervisor"], before), 64);
  assertEquals(await world.read(PATH.status), "READY");
});

Deno.test("program: `ready` exits with 1 before READY and with 0 after", async () => {
  await using world = await testWorld();
  assertEquals(await runProgram(world, ["ready"]), 1);
  for (const [text, code] of [["RUNNING", 1], ["FAILED\nwhy", 1], ["READY", 0]] as const) {
    await world.write(PATH.status, text);
    assertEquals(await runProgram(world, ["ready"]), code);
  }
});

Deno.test("program: an unknown command exits with the executor's error code", async () => {
  await using world = await testWorld();
  assertEquals(await runApart(world, ["dance"]), 64);
});

Deno.test("program: a command that throws writes the reason as the termination message", async () => {
  await using world = await testWorld();
  assertEquals(await runProgram(world, ["kill", "many", "1"]), 64);
  assertStringIncludes((await world.termination())?.cause ?? "", "Expected a signal number");
});
