import { assertEquals } from "@std/assert";
import { type Launch, launcher } from "./launcher.ts";
import { type RunnableProcessor, runnableProcessors } from "./testing/runnable_processors.ts";

const processors = await runnableProcessors();

/** Registers a test for each processor that this machine can run or emulate. */
function test(name: string, fn: (processor: RunnableProcessor) => Promise<void>): void {
  for (const processor of processors) {
    Deno.test({ name: `launcher() for ${processor.arch}: ${name}`, fn: () => fn(processor) });
  }
}

/** Builds a launcher and runs it. */
async function run({ arch, command }: RunnableProcessor, launch: Launch, options: Deno.CommandOptions = {}) {
  const file = await Deno.makeTempFile();
  await Deno.writeFile(file, launcher(launch, arch));
  await Deno.chmod(file, 0o755);
  const [program, ...args] = [...command, file, ...options.args ?? []];
  const { code, stdout } = await new Deno.Command(program!, { ...options, args }).output();
  await Deno.remove(file);
  return { code, stdout: new TextDecoder().decode(stdout) };
}

test("appends its arguments to the fixed ones, whatever they contain", async (processor) => {
  // Prints each argument on a line.
  const script = 'for word in "$0" "$@"; do echo "$word"; done';
  const launch = { program: "/bin/sh", args: ["sh", "-c", script, "zero"], variables: ["V=ours"] };
  const args = ["one", "", "two  words", "$HOME"];
  assertEquals((await run(processor, launch, { args })).stdout, ["zero", ...args, ""].join("\n"));
  assertEquals((await run(processor, launch)).stdout, "zero\n");
});

test("appends its variables to the environment, where existing ones take precedence", async (processor) => {
  const launch = { program: "/bin/cat", args: ["cat", "/proc/self/environ"], variables: ["V=ours", "W=too"] };
  const env = { A: "a", V: "theirs", Z: "z" };
  const variables = (await run(processor, launch, { env, clearEnv: true })).stdout.split("\0").slice(0, -1);
  assertEquals(variables.slice(-2), ["V=ours", "W=too"]);
  assertEquals(variables.slice(0, -2).toSorted(), ["A=a", "V=theirs", "Z=z"]);
});

test("exits with 127 if the program is missing", async (processor) => {
  const launch = { program: "/no/such/program", args: ["x"], variables: ["V=1"] };
  assertEquals((await run(processor, launch)).code, 127);
});
