import { assertEquals, assertMatch, assertRejects, assertThrows } from "@std/assert";
import { ENV, MAX_PARAMETER_BYTES, MAX_REPORT_BYTES, PATH } from "@tiphys/base/constants";
import { collectOutputs } from "../command/collect.ts";
import { readParameters, readResult } from "./outputs.ts";
import { checkReportSize } from "./report.ts";
import { testWorld } from "../testing/world.ts";

const SCRIPT = { script: {} };
const asked = { env: { [ENV.includeScriptOutput]: "true" } };

Deno.test("readResult: returns the standard output of main without its final newline", async () => {
  await using world = await testWorld(asked);
  await world.write(`${PATH.containers}/main/stdout`, "a\nb\n\n");
  assertEquals(readResult(world, SCRIPT), "a\nb\n");
});

Deno.test("readResult: keeps the last 256 KiB of a long output and logs a warning", async () => {
  await using world = await testWorld(asked);
  await world.write(`${PATH.containers}/main/stdout`, "begin" + "x".repeat(256 * 1024 - 3) + "end");
  const result = readResult(world, SCRIPT);
  assertEquals(result?.length, 256 * 1024);
  assertEquals(result?.slice(-5), "xxend");
  assertMatch(world.logged.join(), /printed 262149 bytes/);
});

Deno.test("readResult: returns undefined when the result is not used, main printed nothing, or no container is named main", async () => {
  await using world = await testWorld(asked);
  assertEquals(readResult(world, SCRIPT), undefined);
  await world.write(`${PATH.containers}/main/stdout`, "text");
  assertEquals(readResult(world.as("supervisor", { [ENV.includeScriptOutput]: "false" }), SCRIPT), undefined);
  assertEquals(readResult(world, { containerSet: { containers: [{ name: "a" }] } }), undefined);
});

const PARAMETER = { outputs: { parameters: [{ name: "p", valueFrom: { path: "/out/p" } }] } };
const VOLUME = {
  container: { volumeMounts: [{ name: "data", mountPath: "/data" }] },
  outputs: { parameters: [{ name: "p", valueFrom: { path: "/data/p" } }] },
};

Deno.test("readParameters: a value above 1 MiB fails, and the error names the parameter, path, size and limit", async () => {
  await using world = await testWorld({ env: { [ENV.initlessPod]: "true" } });
  const problems: string[] = [];
  const value = () => readParameters(world, VOLUME, ({ message }) => problems.push(message))?.[0]?.value;
  await world.write(`${PATH.mainFileSystem}/data/p`, "x".repeat(MAX_PARAMETER_BYTES));
  assertEquals([value()?.length, problems], [MAX_PARAMETER_BYTES, []]);
  await world.write(`${PATH.mainFileSystem}/data/p`, "x".repeat(MAX_PARAMETER_BYTES + 1));
  assertEquals(value(), undefined);
  assertEquals(problems, ['output parameter "p": /data/p has 1048577 bytes, more than the 1048576 that are allowed']);
});

Deno.test("readParameters: a file of a terabyte is never loaded into memory, by the emissary or the supervisor", async () => {
  await using world = await testWorld({ env: { [ENV.initlessPod]: "true" } });
  for (const path of ["/out/p", `${PATH.mainFileSystem}/data/p`]) {
    await world.write(path, "");
    await Deno.truncate(`${world.root}${path}`, 2 ** 40);
  }
  const problems: string[] = [];
  readParameters(world, VOLUME, ({ message }) => problems.push(message));
  assertMatch(problems.join(), /"p": \/data\/p has 1099511627776 bytes/);
  await assertRejects(() => collectOutputs(world, PARAMETER), Error, 'output parameter "p": ');
});

Deno.test("checkReportSize: limits the total size of the outputs, and the error names the largest", () => {
  const value = "x".repeat(MAX_REPORT_BYTES / 2);
  checkReportSize({ parameters: [{ name: "a", value }] });
  assertThrows(
    () => checkReportSize({ result: "small", parameters: [{ name: "a", value }, { name: "b", value: `${value}y` }] }),
    Error,
    'the largest is parameter "b" with 655361 bytes: pass it as an artifact',
  );
});
