import { assertEquals, assertRejects } from "@std/assert";
import type { NodeStatus, Workflow } from "../api/mod.ts";
import { LIMITS } from "@tiphys/base/limits";
import { compressNodes } from "./compress.ts";
import { type OffloadedNodes, wholeWorkflow, writableWorkflow } from "./elsewhere.ts";
import { UnreadableNodesError } from "./unpack.ts";

/** Returns a table of nodes, and its rows. */
function table() {
  const rows = new Map<string, string>();
  const elsewhere: OffloadedNodes = {
    load: ({ uid, version }) => Promise.resolve(JSON.parse(rows.get(`${uid} ${version}`) ?? "null") ?? undefined),
    save: ({ uid, version }, json) => Promise.resolve(Boolean(rows.set(`${uid} ${version}`, json))),
  };
  return { rows, elsewhere };
}

function workflow(nodes: Record<string, NodeStatus>): Workflow {
  return { metadata: { name: "w", namespace: "n", uid: "u" }, spec: {}, status: { phase: "Running", nodes } };
}

const pod = (id: string, message: string): NodeStatus => ({ id, name: id, type: "Pod", phase: "Running", message });

/** Returns incompressible text. */
function noise(bytes: number): string {
  const random = new Uint8Array(bytes);
  for (let offset = 0; offset < bytes; offset += 65_536) {
    crypto.getRandomValues(random.subarray(offset, offset + 65_536));
  }
  return random.toBase64();
}

Deno.test("writableWorkflow: offloads nodes that are too large even compressed, and wholeWorkflow restores them", async () => {
  const { rows, elsewhere } = table();
  const large = workflow({ a: pod("a", noise(LIMITS.storedStatusBytes)), b: pod("b", "small") });
  const stored = await writableWorkflow(large, { elsewhere });
  const { nodes, compressedNodes, offloadNodeStatusVersion = "" } = stored.status ?? {};
  assertEquals([nodes, compressedNodes], [undefined, undefined]);
  assertEquals([...rows.keys()], [`u ${offloadNodeStatusVersion}`]);
  assertEquals(await wholeWorkflow(stored, elsewhere), large);
});

Deno.test("writableWorkflow: nodes that fit into an object stay in the workflow", async () => {
  const { rows, elsewhere } = table();
  const small = workflow({ a: pod("a", "m") });
  assertEquals(await writableWorkflow(small, { elsewhere }), small);
  const compressible = workflow({ a: pod("a", "m".repeat(LIMITS.storedStatusBytes)) });
  const stored = await writableWorkflow(compressible, { elsewhere });
  assertEquals(typeof stored.status?.compressedNodes, "string");
  assertEquals(await wholeWorkflow(stored, elsewhere), compressible);
  assertEquals(rows.size, 0);
});

Deno.test("writableWorkflow: nodes of any size stay in the workflow if the database is read-only", async () => {
  const large = workflow({ a: pod("a", noise(LIMITS.storedStatusBytes)) });
  const elsewhere: OffloadedNodes = { ...table().elsewhere, save: () => Promise.resolve(false) };
  const { status } = await writableWorkflow(large, { elsewhere });
  assertEquals([typeof status?.compressedNodes, status?.offloadNodeStatusVersion], ["string", undefined]);
});

for (const format of ["gzip", "zstd", "brotli"] as const) {
  Deno.test(`writableWorkflow: nodes that were read as ${format} are written as ${format}, since another format may be too large`, async () => {
    const nodes = { a: pod("a", "m".repeat(LIMITS.storedStatusBytes)) };
    const compressedNodes = await compressNodes(nodes, { format });
    const stored = { ...workflow({}), status: { phase: "Running" as const, compressedNodes } };
    const written = await writableWorkflow(await wholeWorkflow(stored), { stored });
    assertEquals(written.status?.compressedNodes, compressedNodes);
  });
}

Deno.test("wholeWorkflow: names the alternative without a database, and fails for a missing row", async () => {
  const away = { ...workflow({}), status: { phase: "Running" as const, offloadNodeStatusVersion: "fnv:7" } };
  await assertRejects(() => wholeWorkflow(away), UnreadableNodesError, "--argo-server or ARGO_SERVER");
  await assertRejects(() => wholeWorkflow(away, table().elsewhere), UnreadableNodesError, "fnv:7 are missing");
});
