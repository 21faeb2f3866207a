/**
 * A check that the executor never reads a whole file or response without a limit, because containers can write endless
 * files.
 */
import { assertEquals } from "@std/assert";

/** Calls that read without a limit, each with the reason why that is safe. */
const ALLOWED = [
  "executor/process/command_line.ts Deno.readTextFile", // the ConfigMap of the pod
  "executor/process/give_back_memory.ts Deno.readTextFileSync", // /proc
  "executor/pod/pod_client.ts Deno.readTextFile", // the service account
  "executor/agent/agent.ts Deno.readTextFileSync", // the ConfigMap of the namespace's authorities
  "executor/agent/http_request.ts .text()", // bounded by the reader before
  "executor/after_main/report.ts Deno.readTextFileSync", // /proc
  "lib/artifacts/transfer/half_loaded.ts Deno.readTextFileSync", // /proc
  "lib/artifacts/pages.ts .text()", // bounded by the reader before
  "lib/stores/token_answer.ts .text()", // of a response, which lib/base/net bounds
];

const WHOLE =
  /\bDeno\.read(?:Text)?File(?:Sync)?\b|\.(?:arrayBuffer|bytes|blob|text)\(\)|\breadAll\b|Array\.fromAsync/g;

/** Drivers read responses of servers, which lib/base/net bounds, and credentials that the kubelet has mounted. */
const DRIVER = /\/lib\/stores\/[a-z0-9]+\//;

async function* sources(folder: string): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    if (isDirectory && name !== "testing") yield* sources(`${folder}/${name}`);
    else if (name.endsWith(".ts") && !name.endsWith("_test.ts")) yield `${folder}/${name}`;
  }
}

Deno.test("executor: reads no file or response without a limit unless containers cannot write it", async () => {
  const root = new URL("..", import.meta.url).pathname;
  const found = new Set<string>();
  for (
    const folder of ["executor", "lib/artifacts", "lib/stores", "lib/base/confined", "lib/base/clock", "lib/base/watch"]
  ) {
    for await (const file of sources(`${root}${folder}`)) {
      if (DRIVER.test(file)) continue;
      const text = await Deno.readTextFile(file);
      for (const [call] of text.matchAll(WHOLE)) found.add(`${file.slice(root.length)} ${call}`);
    }
  }
  assertEquals([...found].sort(), ALLOWED.toSorted());
});
