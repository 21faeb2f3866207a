/** Compares the tree of `get`, which scripts parse, between our CLI and Argo's. */
import { assertEquals } from "@std/assert";
import type { NodeStatus, NodeType, Workflow } from "@tiphys/model/api";
import { nodeID } from "@tiphys/model/status/names";
import { WORKFLOWS } from "@tiphys/kube";
import { needs } from "../../lib/base/testing/needs.ts";
import { createApiServer } from "../../local/api/mod.ts";
import { ARGO_PROGRAM, kubeconfigOf } from "./argo_server.ts";

type Fields = Partial<NodeStatus> & { readonly type: NodeType };

const second = (seconds: number) => new Date(Date.UTC(2026, 0, 1) + seconds * 1000).toISOString().replace(".000", "");

/** A workflow with nodes that start in the given order. Each node takes as many seconds as its index. */
function workflowOf(name: string, fields: Readonly<Record<string, Fields>>): Workflow {
  const exit = `${name}.onExit`;
  // Argo's CLI finds the exit handler by its ID.
  const idOf = (node: string) => node === exit ? nodeID(name, exit) : node;
  const nodes = Object.entries(fields).map(([key, node], index) => [idOf(key), {
    id: idOf(key),
    name: key,
    displayName: key.slice(key.lastIndexOf(".") + 1),
    templateName: `of-${node.type.toLowerCase()}`,
    phase: "Succeeded",
    startedAt: second(index),
    finishedAt: second(2 * index + 1),
    ...(key === name ? {} : { boundaryID: name }),
    ...node,
    ...(node.boundaryID === exit ? { boundaryID: idOf(exit) } : {}),
  }]);
  return {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Workflow",
    metadata: {
      name,
      labels: { "workflows.argoproj.io/phase": "Succeeded", "workflows.argoproj.io/completed": "true" },
    },
    spec: { entrypoint: "main", templates: [{ name: "main", suspend: {} }] },
    status: { phase: "Succeeded", startedAt: second(0), finishedAt: second(99), nodes: Object.fromEntries(nodes) },
  } as Workflow;
}

const TWELVE = Array.from({ length: 12 }, (_, index) => `loop.l(${index}:x)`);
const ROOT = { boundaryID: undefined } as unknown as Partial<NodeStatus>;

const ALL: Readonly<Record<string, Readonly<Record<string, Fields>>>> = {
  pod: { pod: { type: "Pod", message: "a message", hostNodeName: "node-1", resourcesDuration: { cpu: 2, memory: 1 } } },
  groups: {
    groups: { type: "Steps" },
    "groups.0": { type: "StepGroup", children: ["groups.a"] },
    "groups.a": { type: "Pod", phase: "Failed", message: "exit code 1" },
    "groups.1": { type: "StepGroup", children: ["groups.b", "groups.c", "groups.d"] },
    "groups.b": { type: "Pod", outputs: { artifacts: [{ name: "one" }, { name: "two" }] } },
    "groups.c": { type: "Skipped", phase: "Skipped", message: "when 'false' evaluated false" },
    "groups.d": { type: "Suspend" },
  },
  nested: {
    nested: { type: "DAG" },
    "nested.in": { type: "DAG" },
    "nested.in.a": { type: "Pod", boundaryID: "nested.in" },
    "nested.in.b": { type: "Pod", boundaryID: "nested.in" },
    "nested.o": { type: "Skipped", phase: "Omitted", message: "omitted: depends condition not met" },
    "nested.z": { type: "Pod", phase: "Error", templateRef: { name: "other", template: "t" } },
  },
  retries: {
    retries: { type: "DAG" },
    "retries.once": { type: "Retry", children: ["retries.once(0)"] },
    "retries.once(0)": { type: "Pod" },
    "retries.often": { type: "Retry", children: ["retries.often(0)", "retries.often(1)", "retries.often(2)"] },
    "retries.often(0)": { type: "Pod", phase: "Failed" },
    "retries.often(1)": { type: "Pod", phase: "Failed" },
    "retries.often(2)": { type: "Pod" },
  },
  loop: {
    loop: { type: "Steps" },
    "loop.0": { type: "StepGroup", children: TWELVE },
    ...Object.fromEntries(TWELVE.map((id) => [id, { type: "Pod" as const }])),
  },
  handled: {
    handled: { type: "DAG" },
    "handled.d": { type: "Pod", daemoned: true },
    "handled.h": { type: "HTTP" },
    "handled.p": { type: "Plugin" },
    "handled.hooks.running": { type: "Pod", ...ROOT },
    "handled.onExit": { type: "Steps", ...ROOT },
    "handled.onExit.0": { type: "StepGroup", boundaryID: "handled.onExit", children: ["handled.onExit.a"] },
    "handled.onExit.a": { type: "Pod", boundaryID: "handled.onExit" },
  },
  contained: {
    contained: { type: "DAG" },
    "contained.set": { type: "Pod", children: ["contained.set.a"] },
    "contained.set.a": { type: "Container", boundaryID: "contained.set" },
  },
};

const FORMS = [[], ["-o", "wide"], ["-o", "short"], ["--no-utf8"], ["--status", "Failed"]] as const;

/**
 * The rows of a tree as cells by column title. Durations are only compared for pods: Argo's CLI prints none for other
 * nodes, ours for all.
 */
function rowsOf(output: string): readonly Readonly<Record<string, string>>[] {
  const lines = output.split("\n");
  const [title = "", ...rows] = lines.slice(lines.findIndex((line) => line.startsWith("STEP")));
  const columns = [...title.matchAll(/\S+/g)].map(({ 0: name, index }) => ({ name, index }));
  return rows.filter((row) => row.trim() !== "").map((row) => {
    const cells = columns.map(({ name, index }, i) =>
      [name, row.slice(index, columns[i + 1]?.index).trimEnd()] as const
    );
    const cell = Object.fromEntries(cells);
    return cell.PODNAME ? cell : { ...cell, DURATION: "" };
  });
}

/**
 * A row without branch characters: if a filter hides later rows, Argo's CLI draws the last visible one as if others
 * followed.
 */
function withoutBranch(row: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return { ...row, STEP: row.STEP?.replace(/^[ │├└─┬]+/, "") ?? "" };
}

Deno.test({
  ...needs(
    "ARGO_CLI, Argo's program",
    ARGO_PROGRAM !== undefined,
    "get: prints the same tree as Argo's CLI, with groups, DAGs, retries, loops, omitted nodes and exit handlers, in every format",
  ),
  async fn() {
    const api = createApiServer({ storePath: ":memory:" });
    const served = await api.serve(0, { tls: true });
    const folder = await Deno.makeTempDir();
    try {
      await Deno.writeTextFile(`${folder}/kubeconfig`, kubeconfigOf(served));
      for (const [name, nodes] of Object.entries(ALL)) {
        await api.client().create(WORKFLOWS, "default", workflowOf(name, nodes));
      }
      const outputOf = async (program: string, ...args: readonly string[]) => {
        const { stdout, stderr } = await new Deno.Command(program, {
          args: [...args],
          env: { KUBECONFIG: `${folder}/kubeconfig`, HOME: folder, PATH: "/usr/bin:/bin", DENO_DIR, NO_COLOR: "1" },
          clearEnv: true,
        }).output();
        return new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
      };
      for (const form of FORMS) {
        for (const name of Object.keys(ALL)) {
          const get = ["get", name, "-n", "default", ...form];
          const argo = rowsOf(await outputOf(ARGO_PROGRAM ?? "", ...get, "--no-color"));
          const ours = rowsOf(await outputOf(Deno.execPath(), "run", "-A", "--no-check", MAIN, ...get));
          if (form[0] === "--status") assertEquals(ours.map(withoutBranch), argo.map(withoutBranch), get.join(" "));
          else assertEquals(ours, argo, get.join(" "));
          if (form.length === 0) assertEquals(argo.length > 0, true, name);
        }
      }
    } finally {
      await served.close();
      api.close();
      await Deno.remove(folder, { recursive: true });
    }
  },
});

const MAIN = new URL("../../cli/main.ts", import.meta.url).pathname;
const DENO_DIR = Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno`;
