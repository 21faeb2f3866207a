import { assertEquals } from "@std/assert";
import { PATH } from "../../lib/constants.ts";
import { untilFile } from "../../lib/watch/mod.ts";
import { emissary } from "./emissary.ts";
import { sendSignal } from "./signals.ts";
import type { PodTemplate } from "../pod/template.ts";
import { at, type Terminal, type TerminalSize } from "../world.ts";
import { type TestWorld, testWorld } from "../testing/world.ts";

const LOGGED: PodTemplate = { container: {}, archiveLocation: { archiveLogs: true } };

interface TestTerminal extends Terminal {
  /** The values that `setRaw` was called with, in order. */
  readonly modes: boolean[];
  /** Types a line. */
  type(line: string): void;
  resize(size: TerminalSize): void;
}

/** A container's terminal at which the test sits. */
function testTerminal(): TestTerminal {
  const modes: boolean[] = [];
  let size = { columns: 80, rows: 24 };
  const typed = new TransformStream<Uint8Array, Uint8Array>();
  const writer = typed.writable.getWriter();
  const reader = typed.readable.getReader();
  return {
    modes,
    type: (line) => void writer.write(new TextEncoder().encode(`${line}\n`)),
    resize: (next) => size = next,
    async read(bytes) {
      const { value } = await reader.read();
      if (!value) return null;
      bytes.set(value);
      return value.length;
    },
    setRaw: (raw) => void modes.push(raw),
    size: () => size,
  };
}

function shell(world: TestWorld, script: string): Promise<number> {
  return emissary(world, ["--", "sh", "-c", script]);
}

function kept(world: TestWorld, stream: "stdout" | "combined"): Promise<string | undefined> {
  return world.read(`${PATH.containers}/main/${stream}`);
}

async function untilWritten(world: TestWorld, path: string): Promise<void> {
  await untilFile(at(world, path), async () => await world.read(path) || undefined);
}

Deno.test("emissary() gives a command whose output is kept a terminal for all three streams, and keeps what it prints once", async () => {
  await using world = await testWorld({ template: LOGGED, terminal: testTerminal() });
  assertEquals(await shell(world, "test -t 0 && test -t 1 && test -t 2 && echo out && echo error >&2; exit 3"), 3);
  assertEquals([await kept(world, "stdout"), await kept(world, "combined")], ["out\nerror\n", "out\nerror\n"]);
});

Deno.test("emissary() of a container without a terminal gives its command none", async () => {
  await using world = await testWorld({ template: LOGGED });
  assertEquals(await shell(world, "test -t 1"), 1);
});

Deno.test("emissary() makes the command's terminal as large as the container's, also when that changes", async () => {
  const terminal = testTerminal();
  await using world = await testWorld({ template: LOGGED, terminal });
  const running = shell(
    world,
    `trap "stty size; exit 0" WINCH; stty size; echo up > ${world.root}/up; while :; do sleep 0.02; done`,
  );
  await untilWritten(world, "/up");
  terminal.resize({ columns: 132, rows: 50 });
  sendSignal(world, "main", 28);
  assertEquals(await running, 0);
  assertEquals(await kept(world, "stdout"), "24 80\n50 132\n");
});

Deno.test("emissary() hands on what is typed at the container's terminal, unseen while the command runs", async () => {
  const terminal = testTerminal();
  await using world = await testWorld({ template: LOGGED, terminal });
  const running = shell(world, `stty -echo; echo up > ${world.root}/up; echo ready; read word; echo said $word`);
  await untilWritten(world, "/up");
  terminal.type("hello");
  assertEquals(await running, 0);
  assertEquals(await kept(world, "stdout"), "ready\nsaid hello\n");
  assertEquals(terminal.modes, [true, false]);
});

for (const [signal, code] of [["9", 137], ["15", 143], ["11", 139]] as const) {
  Deno.test(`emissary() tells the end of a command on a terminal by signal ${signal} as ${code}`, async () => {
    await using world = await testWorld({ template: LOGGED, terminal: testTerminal() });
    assertEquals(await shell(world, `kill -${signal} $$`), code);
  });
}

Deno.test("emissary() passes signals on to everything that its command started on a terminal", async () => {
  await using world = await testWorld({ template: LOGGED, terminal: testTerminal() });
  const running = shell(world, `sleep 60 & echo up > ${world.root}/up; wait`);
  await untilWritten(world, "/up");
  sendSignal(world, "main", 15);
  assertEquals(await running, 143);
});

Deno.test("emissary() does not wait for processes that the command left behind on its terminal", async () => {
  await using world = await testWorld({ template: LOGGED, terminal: testTerminal() });
  assertEquals(await shell(world, "trap '' HUP; sleep 60 & echo prompt"), 0);
  assertEquals(await kept(world, "stdout"), "prompt\n");
});

Deno.test("emissary() loses nothing of an output larger than a terminal holds", async () => {
  await using world = await testWorld({ template: LOGGED, terminal: testTerminal() });
  assertEquals(await shell(world, "seq 100000"), 0);
  assertEquals((await kept(world, "stdout"))?.length, 588_895);
});

Deno.test("emissary() says why a file is no program also where there is a terminal", async () => {
  await using world = await testWorld({ template: LOGGED, terminal: testTerminal() });
  await world.write("/broken", "no program");
  assertEquals(await emissary(world, ["--", at(world, "/broken")]), 64);
  const { stage, cause } = (await world.termination())!;
  assertEquals([stage, cause.startsWith(`failed to start "${at(world, "/broken")}"`)], ["command", true]);
});

Deno.test("emissary() lends a command a terminal where its container should have one and has none, also when nothing is kept", async () => {
  const lent: Terminal = {
    isLent: true,
    read: () => Promise.resolve(null),
    setRaw() {},
    size: () => ({ columns: 80, rows: 24 }),
  };
  await using world = await testWorld({ template: { container: {} }, terminal: lent });
  assertEquals(await shell(world, `test -t 0 && test -t 1 && stty size > ${world.root}/size && echo out`), 0);
  assertEquals(await world.read("/size"), "24 80\n");
  assertEquals(await kept(world, "stdout"), undefined);
});

Deno.test("emissary() lets the command go on when the container's terminal breaks", async () => {
  const broken: Terminal = { ...testTerminal(), read: () => Promise.reject(new Error("Input/output error")) };
  await using world = await testWorld({ template: LOGGED, terminal: broken });
  const go = `${world.root}/go`;
  const running = shell(
    world,
    `echo up > ${world.root}/up; while [ ! -e ${go} ]; do sleep 0.02; done; echo done; exit 3`,
  );
  await untilWritten(world, "/up");
  await Deno.writeTextFile(go, "");
  assertEquals(await running, 3);
  assertEquals(await kept(world, "stdout"), "done\n");
});
