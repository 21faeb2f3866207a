import { assertEquals, assertStringIncludes } from "@std/assert";
import type { Workflow } from "@tiphys/model/api";
import { handlerTransport, KubeClient } from "@tiphys/kube";
import { watchWorkflows } from "./list.ts";

function workflow(name: string, resourceVersion: string, status: Record<string, unknown> = {}): Workflow {
  return { metadata: { name, namespace: "n", resourceVersion }, spec: {}, status: { phase: "Running", ...status } };
}

/** A cluster that returns a list page by page, and then a watch with these changes. `asked` records the requests. */
function cluster(pages: readonly (readonly Workflow[])[], changes: readonly Workflow[]) {
  const asked: Record<string, string>[] = [];
  const client = new KubeClient(handlerTransport((request) => {
    const query = Object.fromEntries(new URL(request.url).searchParams);
    asked.push(query);
    if (query.watch) {
      const events = changes.map((object) => JSON.stringify({ type: "MODIFIED", object }) + "\n");
      return Promise.resolve(new Response(events.join("")));
    }
    const start = Number(query.continue ?? 0);
    const next = start + 1 < pages.length ? { continue: String(start + 1) } : {};
    return Promise.resolve(Response.json({ metadata: { resourceVersion: "7", ...next }, items: pages[start] }));
  }));
  return { client, asked };
}

const never = new AbortController().signal;

Deno.test("watchWorkflows() lists page by page on demand, and watches from the version of the list", async () => {
  const { client, asked } = cluster([[workflow("a", "1")], [workflow("b", "2")]], [workflow("a", "8")]);
  const seen: string[] = [];
  for await (const { type, object } of watchWorkflows({ client }, "n", {}, never)) {
    seen.push(`${asked.length} ${type} ${object.metadata.name}`);
  }
  assertEquals(seen, ["1 ADDED a", "2 ADDED b", "3 MODIFIED a"]);
  assertEquals(asked.map(({ limit, continue: from, resourceVersion }) => [limit, from, resourceVersion]), [
    ["500", undefined, undefined],
    ["500", "1", undefined],
    [undefined, undefined, "7"],
  ]);
});

Deno.test("watchWorkflows() yields a workflow with unavailable nodes with a message, and continues", async () => {
  const damaged = workflow("damaged", "1", { compressedNodes: "junk" });
  const offloaded = workflow("offloaded", "2", { offloadNodeStatusVersion: "fnv:1" });
  const { client } = cluster([[damaged, offloaded, workflow("c", "3")]], [{
    ...damaged,
    metadata: { ...damaged.metadata, resourceVersion: "8" },
  }, workflow("d", "9")]);
  const changes = await Array.fromAsync(watchWorkflows({ client }, "n", {}, never));
  const names = changes.map(({ type, object }) => `${type} ${object.metadata.name} ${object.status?.phase}`);
  assertEquals(names, [
    "ADDED damaged Running",
    "ADDED offloaded Running",
    "ADDED c Running",
    "MODIFIED damaged Running",
    "MODIFIED d Running",
  ]);
  const messages = changes.map(({ object }) => object.status?.message ?? "");
  for (const index of [0, 3]) assertStringIncludes(messages[index]!, "status.compressedNodes cannot be unpacked");
  assertStringIncludes(messages[1]!, 'The nodes of workflow "offloaded" are kept in a database');
  assertEquals([messages[2], messages[4]], ["", ""]);
});
