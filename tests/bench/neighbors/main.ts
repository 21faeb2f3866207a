/**
 * `deno task bench neighbors [SECONDS]`: the latency of a caller of the server who lists and lints small workflows, alone and
 * next to a caller at a limit: lints of the largest workflow, large bodies of many values, and the largest YAML applied to
 * the embedded API below. Prints the median, the 99th percentile and the longest request of each.
 */
import { parseJson } from "@tiphys/base/bounded_json";
import { fieldsOf } from "@tiphys/base/fields_of";
import { LIMITS } from "@tiphys/base/limits";
import { NAMESPACE, serverBench } from "../../../server/testing/server_bench.ts";
import { JSON_SHAPES } from "../../hostile/costs/json_shapes.ts";
import { WORKFLOW_SHAPES } from "../../hostile/costs/workflow_shapes.ts";
import { percentile } from "../statistics.ts";

const MILLIS = Number(Deno.args[0] ?? 10) * 1000;
/** The largest object that a cluster stores. */
const OBJECT_CHARACTERS = 1_400_000;
const YAML_CHARACTERS = 500_000;

await using bench = await serverBench(["server"]);
const lintPath = `/api/v1/workflows/${NAMESPACE}/lint`;
const small = { workflow: workflowIn(WORKFLOW_SHAPES.steps!(2_000)) };
const large = { workflow: workflowIn(WORKFLOW_SHAPES.steps!(OBJECT_CHARACTERS)) };
const values = `{"workflow":${JSON_SHAPES["empty objects"]!(LIMITS.bodyBytes / 4)}}`;
const keys = `{"workflow":${JSON_SHAPES["different keys"]!(LIMITS.bodyBytes / 2)}}`;
const yaml = `kind: ConfigMap\napiVersion: v1\nmetadata: {name: a}\ndata:\n${
  Array.from({ length: YAML_CHARACTERS / 20 }, (_, index) => `  k${index}: "1"\n`).join("")
}`;

/** Lets others have their turn, as a network between would. */
function turn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

async function finished(response: Promise<Response>): Promise<void> {
  await (await response).body?.cancel();
}

const NEIGHBORS: Readonly<Record<string, (() => Promise<void>) | undefined>> = {
  "alone": undefined,
  "lints of 1.4 MB": () => finished(bench.ask("POST", lintPath, { body: large })),
  "bodies of many values": () => finished(bench.ask("POST", lintPath, { body: values })),
  "bodies of many keys": () => finished(bench.ask("POST", lintPath, { body: keys })),
  "YAML of 0.5 MB": () =>
    finished(bench.api.handler(
      new Request(`http://api/api/v1/namespaces/${NAMESPACE}/configmaps`, {
        method: "POST",
        headers: { "content-type": "application/yaml" },
        body: yaml,
      }),
    )),
};

for (const [name, request] of Object.entries(NEIGHBORS)) {
  const end = performance.now() + MILLIS;
  const neighbor = async () => {
    while (request && performance.now() < end) {
      await request();
      await turn();
    }
  };
  const latencies: number[] = [];
  const caller = async () => {
    while (performance.now() < end) {
      const begun = performance.now();
      await finished(bench.ask("GET", `/api/v1/workflows/${NAMESPACE}`));
      await finished(bench.ask("POST", lintPath, { body: small }));
      latencies.push(performance.now() - begun);
      await turn();
    }
  };
  await Promise.all([caller(), neighbor()]);
  const shown = [50, 99, 100].map((percent) => `${percentile(latencies, percent)?.toFixed(1)} ms`);
  console.log(`${name}: median ${shown[0]}, p99 ${shown[1]}, longest ${shown[2]} (${latencies.length} requests)`);
}

/** The workflow of a text without its kind, as bodies have it. */
function workflowIn(text: string): object {
  const { metadata, spec } = fieldsOf(parseJson(text));
  return { metadata, spec };
}
