/** Statuses that a user wrote into a workflow: compressed nodes, impossible nodes, times, claims. */
import { compressNodes } from "@tiphys/model/nodes";
import {
  ENDS,
  failsWith,
  type Fields,
  HOSTILE,
  type HostileCase,
  SAY,
  STAYS,
  SUCCEEDS,
  times,
  workflow,
} from "../case.ts";

/** A workflow with a status that a user wrote. */
function withStatus(
  name: string,
  status: () => Fields | Promise<Fields>,
  outcome = ENDS,
  more: Fields = {},
): HostileCase {
  return {
    name,
    outcome,
    make: async () => [workflow({ spec: { entrypoint: "say", templates: [SAY], ...more }, status: await status() })],
  };
}

/** Base64 of gzip of parts that are compressed one by one. */
async function gzipParts(part: string, count: number, [open, close] = ["", ""]): Promise<string> {
  const bytes = new TextEncoder().encode(part.repeat(1000));
  let left = count / 1000;
  let isOpen = false;
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      if (!isOpen) controller.enqueue(new TextEncoder().encode(open));
      isOpen = true;
      if (left-- > 0) return controller.enqueue(bytes);
      controller.enqueue(new TextEncoder().encode(close));
      controller.close();
    },
  });
  return (await new Response(stream.pipeThrough(new CompressionStream("gzip"))).bytes()).toBase64();
}

const BOMB = failsWith(/^status\.compressedNodes (unpacks to|cannot|holds)/, "Error");

function node(index: number, more: Fields = {}): Fields {
  const id = `n${index}`;
  return { id, name: id, displayName: id, type: "Pod", phase: "Running", ...more };
}

function nodes(count: number, more: (index: number) => Fields): Fields {
  return Object.fromEntries(times(count, (index) => [`n${index}`, node(index, more(index))]));
}

/** The cases of forged statuses. */
export const STATUSES: readonly HostileCase[] = [
  withStatus(
    "nodes that decompress to 400 MB",
    async () => ({ phase: "Running", compressedNodes: await gzipParts(" ".repeat(1000), 400_000) }),
    BOMB,
  ),
  withStatus(
    "nodes that decompress to empty lists",
    async () => ({ phase: "Running", compressedNodes: await gzipParts("[],", 9_000_000, ['{"a":[', "[]]}"]) }),
    BOMB,
  ),
  withStatus(
    "nodes that decompress to a deep list",
    async () => ({ phase: "Running", compressedNodes: await gzipParts("[", 1_000_000) }),
    BOMB,
  ),
  withStatus(
    "nodes that decompress to a million numbers",
    async () => ({ phase: "Running", compressedNodes: await gzipParts('"a":1,', 1_000_000, ["{", '"b":1}']) }),
    BOMB,
  ),
  withStatus(
    "nodes that decompress to invalid JSON",
    async () => ({ phase: "Running", compressedNodes: await gzipParts("{", 1000) }),
    BOMB,
  ),
  withStatus("nodes that are not gzip", () => ({ phase: "Running", compressedNodes: btoa("nothing") }), BOMB),
  withStatus("nodes that are not Base64", () => ({ phase: "Running", compressedNodes: "%%%" }), BOMB),
  withStatus(
    "nodes that decompress to other types",
    async () => ({ phase: "Running", compressedNodes: await compressNodes({ a: 1, b: { id: [] } } as never) }),
    BOMB,
  ),
  withStatus(
    "nodes that decompress to system errors",
    async () => ({ phase: "Running", compressedNodes: await compressNodes({ "i/o timeout": 1 } as never) }),
    BOMB,
  ),
  withStatus("a finished workflow whose nodes decompress to 400 MB", async () => ({
    phase: "Succeeded",
    finishedAt: "2020-01-01T00:00:00Z",
    compressedNodes: await gzipParts(" ".repeat(1000), 400_000),
  }), SUCCEEDS),
  withStatus(
    "nodes that are each other's children",
    () => ({
      phase: "Running",
      nodes: nodes(
        50,
        (index) => ({ type: "Steps", children: [`n${(index + 1) % 50}`], outboundNodes: [`n${(index + 7) % 50}`] }),
      ),
    }),
    ENDS,
  ),
  withStatus(
    "nodes with a cycle of boundaries",
    () => ({
      phase: "Running",
      nodes: nodes(2000, (index) => ({ type: "DAG", boundaryID: `n${(index + 1) % 2000}` })),
    }),
    ENDS,
  ),
  withStatus("the root as its own child", () => ({
    phase: "Running",
    nodes: {
      [HOSTILE]: {
        id: HOSTILE,
        name: HOSTILE,
        type: "Retry",
        phase: "Running",
        children: [HOSTILE],
        boundaryID: HOSTILE,
      },
    },
  }), STAYS),
  withStatus(
    "a chain of 4,000 nodes",
    () => ({ phase: "Running", nodes: nodes(4000, (index) => ({ type: "StepGroup", children: [`n${index + 1}`] })) }),
    ENDS,
  ),
  withStatus(
    "nodes with names of other nodes",
    () => ({
      phase: "Running",
      nodes: { [HOSTILE]: node(0, { name: HOSTILE, phase: "Succeeded" }), x: node(0, { children: ["y", "z"] }) },
    }),
    STAYS,
  ),
  withStatus("invalid times", () => ({
    phase: "Running",
    startedAt: "yesterday",
    nodes: {
      [HOSTILE]: {
        id: HOSTILE,
        name: HOSTILE,
        type: "Pod",
        phase: "Running",
        startedAt: "never",
        finishedAt: "0000-99-99T99:99:99Z",
      },
    },
  }), STAYS),
  withStatus(
    "a workflow that started in the year 9999",
    () => ({ phase: "Running", startedAt: "9999-12-31T23:59:59Z" }),
    ENDS,
    { activeDeadlineSeconds: 1 },
  ),
  withStatus(
    "claims of other users",
    () => ({
      phase: "Succeeded",
      finishedAt: "2020-01-01T00:00:00Z",
      persistentVolumeClaims: times(
        1000,
        (index) => ({ name: `v${index}`, persistentVolumeClaim: { claimName: `c${index}` } }),
      ),
    }),
    SUCCEEDS,
  ),
  withStatus("nodes kept in a database", () => ({ phase: "Running", offloadNodeStatusVersion: "fnv:1" }), STAYS),
  withStatus(
    "outputs of a megabyte",
    () => ({ phase: "Running", outputs: { parameters: [{ name: "o", value: "x".repeat(1_000_000) }] } }),
    ENDS,
  ),
  withStatus(
    "a thousand conditions",
    () => ({ phase: "Running", conditions: times(1000, () => ({ type: "Completed", status: "True" })) }),
    ENDS,
  ),
];
