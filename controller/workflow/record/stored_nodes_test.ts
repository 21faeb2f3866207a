import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import type { NodeStatus, Workflow } from "@tiphys/model/api";
import { hydrate } from "@tiphys/model/nodes";
import type { Change } from "@tiphys/engine";
import { NodeTable } from "../../../lib/engine/nodes/node_table.ts";
import { StatusTooLargeError, storedAs, StoredNodes } from "./stored_nodes.ts";

function workflow(count: number): Workflow {
  const node = (id: string): NodeStatus => ({ id, name: `some name of ${id}`, type: "Pod", phase: "Running" });
  const ids = Array.from({ length: count }, (_, index) => `w-${index}`);
  return { metadata: { name: "w" }, spec: {}, status: { nodes: Object.fromEntries(ids.map((id) => [id, node(id)])) } };
}

/** The change that results in the nodes of `head`, of which those with these IDs are new. */
function changeTo(head: Workflow, ...ids: string[]): Change {
  const nodes = { ...head.status?.nodes };
  for (const id of ids) delete nodes[id];
  const table = new NodeTable("w", nodes);
  for (const id of ids) table.set(head.status!.nodes![id]!);
  return { head: { ...head, status: { ...head.status, nodes } }, nodes: table.snapshot() };
}

function patchOf({ status }: Workflow, id: string): Record<string, unknown> {
  return { metadata: { resourceVersion: "1" }, status: { progress: "0/1", nodes: { [id]: status!.nodes![id] } } };
}

Deno.test("StoredNodes: does not change a patch with few nodes", async () => {
  const few = workflow(3);
  const patch = patchOf(few, "w-0");
  assertEquals(await new StoredNodes(false, 1000).pack(patch, changeTo(few, "w-0")), patch);
});

Deno.test("StoredNodes: compresses all nodes when they exceed the limit, and removes the plain ones", async () => {
  const many = workflow(100);
  const packed = await new StoredNodes(false, 5000).pack(patchOf(many, "w-0"), changeTo(many, "w-0"));
  const { nodes, compressedNodes, progress } = packed.status as Record<string, string | null>;
  assertEquals([nodes, progress], [null, "0/1"]);
  const read = await hydrate({ ...many, status: { compressedNodes: compressedNodes! } });
  assertEquals(read.status?.nodes, many.status?.nodes);
});

Deno.test("StoredNodes: keeps nodes compressed that were read compressed, and compresses only if nodes changed", async () => {
  const few = workflow(3);
  const stored = new StoredNodes(true, 100_000);
  const packed = await stored.pack(patchOf(few, "w-0"), changeTo(few, "w-0"));
  assertEquals((packed.status as Record<string, unknown>).nodes, null);
  const label = { metadata: { labels: { a: "b" } } };
  assertEquals(await stored.pack(label, changeTo(few)), label);
});

Deno.test("StoredNodes: the error about a status that is too large contains its size", async () => {
  const many = workflow(100);
  const error = await assertRejects(
    () => new StoredNodes(false, 100).pack(patchOf(many, "w-0"), changeTo(many, "w-0")),
    StatusTooLargeError,
  );
  assertMatch(
    error.message,
    /^workflow is longer than maximum allowed size\. compressed size \d+ > maxSize 100: .*100 nodes/,
  );
});

Deno.test("StoredNodes: compresses few nodes as well if the spec is large", async () => {
  const few = workflow(3);
  const large = { ...few, spec: { arguments: { parameters: [{ name: "p", value: "x".repeat(900) }] } } };
  const packed = await new StoredNodes(false, 1000).pack(patchOf(large, "w-0"), changeTo(large, "w-0"));
  assertEquals((packed.status as Record<string, unknown>).nodes, null);
});

Deno.test("StoredNodes: uses the configured format and size (LC-17)", async () => {
  const many = workflow(100);
  const pack = (config: Parameters<typeof storedAs>[1]) =>
    storedAs(many, config).pack(patchOf(many, "w-0"), changeTo(many, "w-0"));
  const { status } = await pack({ maxNodesBytes: 5000, compression: { format: "zstd" } });
  const { compressedNodes } = status as { compressedNodes: string };
  assertEquals(Uint8Array.fromBase64(compressedNodes).subarray(0, 4), Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd));
  assertEquals((await hydrate({ ...many, status: { compressedNodes } })).status?.nodes, many.status?.nodes);
  assertEquals((await pack({})).status, patchOf(many, "w-0").status);
});
