/** Files that containers write may have no end: nothing of them is read whole without a limit. */
import { assertEquals } from "@std/assert";

/** Files that are read whole, each because it is not a container's to write. */
const ALLOWED = [
  "executor/command/command_line.ts Deno.readTextFile", // the ConfigMap of the pod
  "executor/command/give_back_memory.ts Deno.readTextFileSync", // /proc
  "executor/pod/pod_client.ts Deno.readTextFile", // the service account
  "executor/agent/agent.ts Deno.readTextFileSync", // the ConfigMap of the namespace's authorities
  "executor/agent/http_request.ts .text()", // of what was read up to its limit
  "executor/after_main/report.ts Deno.readTextFileSync", // /proc
  "lib/artifact/transfer/half_loaded.ts Deno.readTextFileSync", // /proc
  "lib/artifact/pages.ts .text()", // of what was read up to its limit
  "lib/artifact/token_answer.ts .text()", // of an answer, which lib/net bounds
];

const WHOLE =
  /\bDeno\.read(?:Text)?File(?:Sync)?\b|\.(?:arrayBuffer|bytes|blob|text)\(\)|\breadAll\b|Array\.fromAsync/g;

/** A driver reads the answers of servers, which lib/net bounds, and credentials that the kubelet has mounted. */
const DRIVER = /\/lib\/artifact\/(?!formats\/|transfer\/)[a-z0-9]+\//;

async function* sources(folder: string): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    if (isDirectory && name !== "testing") yield* sources(`${folder}/${name}`);
    else if (name.endsWith(".ts") && !name.endsWith("_test.ts")) yield `${folder}/${name}`;
  }
}

Deno.test("the executor, archives and confined files read nothing whole but what is the pod's own and small", async () => {
  const root = new URL("..", import.meta.url).pathname;
  const found = new Set<string>();
  for (const folder of ["executor", "lib/artifact", "lib/confined", "lib/clock", "lib/watch"]) {
    for await (const file of sources(`${root}${folder}`)) {
      if (DRIVER.test(file)) continue;
      const text = await Deno.readTextFile(file);
      for (const [call] of text.matchAll(WHOLE)) found.add(`${file.slice(root.length)} ${call}`);
    }
  }
  assertEquals([...found].sort(), ALLOWED.toSorted());
});
