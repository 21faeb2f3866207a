/**
 * `deno task bench neighbors [SECONDS]`: the latency of one caller of the server, alone and next to a caller at a
 * limit, who sends four requests at a time: lints of the largest workflow, large bodies of many values or keys, and the
 * largest YAML applied to the embedded API below. Prints the median and the 99th percentile of each operation, and
 * their ratio to those of a caller alone.
 */
import { parseJson } from "@tiphys/base/bounded_json";
import { fieldsOf } from "@tiphys/base/fields_of";
import { LIMITS } from "@tiphys/base/limits";
import { PODS, SECRETS, WORKFLOWS } from "@tiphys/kube";
import { artifactBench } from "../../../server/testing/artifact_bench.ts";
import { NAMESPACE } from "../../../server/testing/server_bench.ts";
import { JSON_SHAPES } from "../../hostile/costs/json_shapes.ts";
import { WORKFLOW_SHAPES } from "../../hostile/costs/workflow_shapes.ts";
import { percentile } from "../statistics.ts";

const MILLIS = Number(Deno.args[0] ?? 3) * 1000;
/** The largest object that a cluster stores. */
const OBJECT_CHARACTERS = 1_400_000;
const YAML_CHARACTERS = 500_000;
const AT_ONCE = 4;

await using stores = await artifactBench({ "file.txt": "x".repeat(100_000) });
const { server: bench } = stores;
bench.api.useKubelet({
  logs: () => ReadableStream.from([new TextEncoder().encode("line\n".repeat(1000))]),
  exec: () => Promise.reject(new Error("nothing runs")),
});
const workflows = `/api/v1/workflows/${NAMESPACE}`;
const lint = `${workflows}/lint`;
const medium = workflowIn(WORKFLOW_SHAPES.steps!(30_000));
const mediumLint = encoded(JSON.stringify({ workflow: medium }));
const mediumSubmit = encoded(JSON.stringify({ workflow: medium, serverDryRun: true }));
const large = encoded(JSON.stringify({ workflow: workflowIn(WORKFLOW_SHAPES.steps!(OBJECT_CHARACTERS)) }));
const values = encoded(`{"workflow":${JSON_SHAPES["empty objects"]!(LIMITS.bodyBytes / 4)}}`);
const keys = encoded(`{"workflow":${JSON_SHAPES["different keys"]!(LIMITS.bodyBytes / 2)}}`);
const yaml = encoded(
  `kind: ConfigMap\napiVersion: v1\nmetadata: {name: a}\ndata:\n${
    Array.from({ length: YAML_CHARACTERS / 20 }, (_, index) => `  k${index}: "1"\n`).join("")
  }`,
);
const event = encoded(JSON.stringify({ text: "x".repeat(LIMITS.inlineCharacters) }));

// Without this Secret, events without credentials are refused.
await bench.admin.create(SECRETS, NAMESPACE, { metadata: { name: "argo-workflows-webhook-clients" } });
await bench.admin.create(PODS, NAMESPACE, {
  metadata: { name: "p" },
  spec: { nodeName: "n", containers: [{ name: "main", image: "busybox" }] },
});
await bench.admin.request("PATCH", `/api/v1/namespaces/${NAMESPACE}/pods/p/status`, {
  body: { status: { containerStatuses: [{ name: "main", state: { running: {} } }] } },
  contentType: "application/merge-patch+json",
});

/** Sends a request of a client and reads the response. */
async function send(address: string, method: string, path: string, body?: Uint8Array<ArrayBuffer>): Promise<void> {
  const request = new Request(`http://server.test${path}`, { method, body });
  const response = await bench.handler(request, { address });
  await response.arrayBuffer();
  if (address === CALLER && !response.ok) throw new Error(`${method} ${path}: status ${response.status}`);
}

const CALLER = "10.0.0.1";
const NEIGHBOR = "10.0.0.2";

const watched = await bench.handler(
  new Request(`http://server.test/api/v1/workflow-events/${NAMESPACE}?listOptions.fieldSelector=metadata.name%3Dw`),
  { address: CALLER },
);
const events = watched.body!.pipeThrough(new TextDecoderStream()).getReader();
await events.read();
let changes = 0;

const OPERATIONS: Readonly<Record<string, () => Promise<unknown>>> = {
  "list": () => send(CALLER, "GET", workflows),
  "lint": () => send(CALLER, "POST", lint, mediumLint),
  "submit": () => send(CALLER, "POST", `${workflows}?createOptions.dryRun=All`, mediumSubmit),
  "logs": () => send(CALLER, "GET", `${workflows}/w/log?podName=p&logOptions.container=main`),
  "artifact": () => send(CALLER, "GET", `/artifact-files/${NAMESPACE}/workflows/w/w/outputs/file.txt`),
  "archive": () => send(CALLER, "GET", `/api/v1/archived-workflows?namespace=${NAMESPACE}`),
  "event": () => send(CALLER, "POST", `/api/v1/events/${NAMESPACE}/`, event),
  "watch": async () => {
    await bench.admin.patch(WORKFLOWS, NAMESPACE, "w", { metadata: { labels: { changes: `${++changes}` } } });
    await events.read();
  },
};

const NEIGHBORS: Readonly<Record<string, (() => Promise<unknown>) | undefined>> = {
  "alone": undefined,
  "lints of 1.4 MB": () => send(NEIGHBOR, "POST", lint, large),
  "bodies of many values": () => send(NEIGHBOR, "POST", lint, values),
  "bodies of many keys": () => send(NEIGHBOR, "POST", lint, keys),
  "YAML of 0.5 MB": () =>
    bench.api.handler(
      new Request(`http://api/api/v1/namespaces/${NAMESPACE}/configmaps`, {
        method: "POST",
        headers: { "content-type": "application/yaml" },
        body: yaml,
      }),
    ).then((response) => response.body?.cancel()),
};

const alone = new Map<string, readonly number[]>();
for (const [name, request] of Object.entries(NEIGHBORS)) {
  for (const [operation, perform] of Object.entries(OPERATIONS)) {
    const latencies = await latenciesOf(perform, request);
    const [median = 0, p99 = 0] = [50, 99].map((percent) => percentile(latencies, percent) ?? 0);
    const [aloneMedian = median, aloneP99 = p99] = alone.get(operation) ?? [];
    if (!request) alone.set(operation, [median, p99]);
    const ratios = `${(median / aloneMedian).toFixed(1)}, ${(p99 / aloneP99).toFixed(1)} times`;
    const shown = `median ${median.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, ${ratios}`;
    console.log(`${name}: ${operation}: ${shown} (${latencies.length} requests)`);
  }
}
await events.cancel();

/** The latencies of an operation while a neighbor sends its requests. */
async function latenciesOf(perform: () => Promise<unknown>, request?: () => Promise<unknown>): Promise<number[]> {
  await perform();
  const end = performance.now() + MILLIS;
  const neighbor = async () => {
    while (request && performance.now() < end) {
      await request();
      await yieldToOthers();
    }
  };
  const latencies: number[] = [];
  const caller = async () => {
    while (performance.now() < end) {
      const begun = performance.now();
      await perform();
      latencies.push(performance.now() - begun);
      await yieldToOthers();
    }
  };
  await Promise.all([caller(), ...Array.from({ length: AT_ONCE }, neighbor)]);
  return latencies;
}

/** Yields to other tasks, like a network would. */
function yieldToOthers(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

/** Bodies are encoded once: the work of clients is not part of the measurement. */
function encoded(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

/** Parses a workflow, and removes its kind as request bodies do. */
function workflowIn(text: string): object {
  const { metadata, spec } = fieldsOf(parseJson(text));
  return { metadata, spec };
}
