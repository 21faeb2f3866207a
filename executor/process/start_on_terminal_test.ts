import { assertEquals } from "@std/assert";
import { PATH } from "@tiphys/base/constants";
import { waitForFile } from "@tiphys/base/watch";
import { emissary } from "../command/emissary.ts";
import { sendSignal } from "./signals.ts";
import { startOnTerminal } from "./start_on_terminal.ts";
import type { PodTemplate } from "../pod/template.ts";
import { at, type Terminal, type TerminalSize } from "../world.ts";
import { type TestWorld, testWorld } from "../testing/world.ts";

const LOGGED: PodTemplate = { container: {}, archiveLocation: { archiveLogs: true } };

interface TestTerminal extends Terminal {
  /** The arguments of the calls of `setRaw`, in order. */
  readonly modes: boolean[];
  /** Types a line. */
  type(line: string): void;
  resize(size: TerminalSize): void;
}

/** A container's terminal that the test controls. */
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

function storedOutput(world: TestWorld, stream: "stdout" | "combined"): Promise<string | undefined> {
  return world.read(`${PATH.containers}/main/${stream}`);
}

async function untilWritten(world: TestWorld, path: string): Promise<void> {
  await waitForFile(at(world, path), async () => await world.read(path) || undefined);
}

Deno.test("emissary on a terminal: a captured command has a terminal for all three streams, and its output is captured once", async () => {
  await using world = await testWorld({ template: LOGGED, terminal: testTerminal() });
  assertEquals(await shell(world, "test -t 0 && test -t 1 && test -t 2 && echo out && echo error >&2; exit 3"), 3);
  assertEquals([await storedOutput(world, "stdout"), await storedOutput(world, "combined")], [
    "out\nerror\n",
    "out\nerror\n",
  ]);
});

Deno.test("emissary on a terminal: the command has no terminal if the container has no terminal", async () => {
  await using world = await testWorld({ template: LOGGED });
  assertEquals(await shell(world, "test -t 1"), 1);
});

Deno.test("emissary on a terminal: the command's terminal has the size of the container's, also after a resize", async () => {
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
  assertEquals(await storedOutput(world, "stdout"), "24 80\n50 132\n");
});

Deno.test("emissary on a terminal: input is passed to the command, and the container's terminal does not echo it", async () => {
  const terminal = testTerminal();
  await using world = await testWorld({ template: LOGGED, terminal });
  const running = shell(world, `stty -echo; echo up > ${world.root}/up; echo ready; read word; echo said $word`);
  await untilWritten(world, "/up");
  terminal.type("hello");
  assertEquals(await running, 0);
  assertEquals(await storedOutput(world, "stdout"), "ready\nsaid hello\n");
  assertEquals(terminal.modes, [true, false]);
});

for (const [signal, code] of [["9", 137], ["15", 143], ["11", 139]] as const) {
  Deno.test(`emissary on a terminal: a command that is ended by signal ${signal} has exit code ${code}`, async () => {
    await using world = await testWorld({ template: LOGGED, terminal: testTerminal() });
    assertEquals(await shell(world, `kill -${signal} $$`), code);
  });
}

Deno.test("emissary on a terminal: forwards signals to all processes of its command", async () => {
  await using world = await testWorld({ template: LOGGED, terminal: testTerminal() });
  const running = shell(world, `sleep 60 & echo up > ${world.root}/up; wait`);
  await untilWritten(world, "/up");
  sendSignal(world, "main", 15);
  assertEquals(await running, 143);
});

Deno.test("emissary on a terminal: does not wait for leftover processes", async () => {
  await using world = await testWorld({ template: LOGGED, terminal: testTerminal() });
  assertEquals(await shell(world, "trap '' HUP; sleep 60 & echo prompt"), 0);
  assertEquals(await storedOutput(world, "stdout"), "prompt\n");
});

Deno.test("emissary on a terminal: captures an output larger than the terminal's buffer completely", async () => {
  await using world = await testWorld({ template: LOGGED, terminal: testTerminal() });
  assertEquals(await shell(world, "seq 100000"), 0);
  assertEquals((await storedOutput(world, "stdout"))?.length, 588_895);
});

Deno.test("startOnTerminal: output that is available when it is ended is read to its end", async () => {
  // More than one read returns, and less than the kernel buffers, so that the command can exit before it is read.
  const { exit, stdout, endOutput } = await startOnTerminal(testTerminal(), ["seq", "1500"]);
  await exit;
  endOutput?.();
  assertEquals((await new Response(stdout).text()).length, 6_393);
});

Deno.test("emissary on a terminal: reports why a file cannot be executed", async () => {
  await using world = await testWorld({ template: LOGGED, terminal: testTerminal() });
  await world.write("/broken", "no program");
  assertEquals(await emissary(world, ["--", at(world, "/broken")]), 64);
  const { stage, cause } = (await world.termination())!;
  assertEquals([stage, cause.startsWith(`failed to start "${at(world, "/broken")}"`)], ["command", true]);
});

Deno.test("emissary on a terminal: provides a terminal if the container lacks its own, even without capture", async () => {
  const lent: Terminal = {
    isLent: true,
    read: () => Promise.resolve(null),
    setRaw() {},
    size: () => ({ columns: 80, rows: 24 }),
  };
  await using world = await testWorld({ template: { container: {} }, terminal: lent });
  assertEquals(await shell(world, `test -t 0 && test -t 1 && stty size > ${world.root}/size && echo out`), 0);
  assertEquals(await world.read("/size"), "24 80\n");
  assertEquals(await storedOutput(world, "stdout"), undefined);
});

Deno.test("emissary on a terminal: the command continues if the container's terminal fails", async () => {
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
  assertEquals(await storedOutput(world, "stdout"), "done\n");
});
