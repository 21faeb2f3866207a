/**
 * `deno task bench requests`: measures the CPU time of the control plane for one request, by form of the write: JSON or
 * protobuf, different kinds of patch, with or without field management. Each form is sent many times, in turns, to a
 * new control plane.
 *
 * Docs: docs/performance.md. Requires root and the programs of `deno task cluster build`.
 */
import { parseArgs } from "node:util";
import type { Pod, Workflow } from "@tiphys/model/api";
import { KubeError, PODS, type Transport, WORKFLOWS } from "@tiphys/kube";
import { type Course, courseOf } from "../ceiling.ts";
import { type ControlPlane, NAMESPACE, startControlPlane, stopControlPlane } from "../control_plane.ts";
import { forEachConcurrently } from "../lanes.ts";
import { warmUpWorkflow } from "../loads.ts";
import { spreadOf } from "../statistics.ts";
import { type Form, type FormRequest, formsOf } from "./forms.ts";

const USAGE = `Usage: deno task bench requests [OPTIONS]
  --write NAME   measure only the forms of this write: event, pod, "pod's end" or status; may be repeated
  --count N      number of requests of each form per round (default: 300)
  --rounds N     number of rounds (default: 3)`;

const METADATA = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json";

const OPTIONS = {
  "write": { type: "string", multiple: true, default: [] as string[] },
  "count": { type: "string", default: "300" },
  "rounds": { type: "string", default: "3" },
  "help": { type: "boolean", default: false },
} as const;

async function main(args: string[]): Promise<void> {
  const { values: flags } = parseArgs({ args, options: OPTIONS });
  if (flags.help) return console.log(USAGE);
  const course = courseOf(warmUpWorkflow(NAMESPACE));
  const forms = formsOf(course).filter(({ write }) => flags.write.length === 0 || flags.write.includes(write));
  const count = Number(flags.count);
  const costs = new Map(forms.map((form) => [form, [] as number[]]));
  await using plane = await startControlPlane();
  for (let round = 1; round <= Number(flags.rounds); round++) {
    for (const [index, form] of forms.entries()) {
      const names = Array.from({ length: count }, (_, number) => `r${round}-f${index}-${number}`);
      costs.get(form)!.push(await costOf(plane, form, names, course));
    }
  }
  for (const [{ write, name }, each] of costs) {
    const { median, minimum, maximum } = spreadOf(each)!;
    console.log(`${write}, ${name}: ${median.toFixed(2)} ms (${minimum.toFixed(2)} to ${maximum.toFixed(2)})`);
  }
}

/** CPU time of the control plane for one request, in milliseconds. */
async function costOf(
  { client, cpuSeconds }: ControlPlane,
  form: Form,
  names: readonly string[],
  { workflow, waves }: Course,
): Promise<number> {
  const pod = waves[0]?.[0];
  const places = new Map<string, FormRequest>();
  await forEachConcurrently(names, async (name) => {
    const there = form.needs === "pod"
      ? await client.create<Pod>(PODS, NAMESPACE, { ...pod, metadata: { ...pod?.metadata, name } })
      : form.needs === "workflow"
      ? await client.create<Workflow>(WORKFLOWS, NAMESPACE, { ...workflow, metadata: { name } })
      : undefined;
    places.set(name, form.request({ namespace: NAMESPACE, name, object: there }));
  });
  const before = cpuSeconds();
  await forEachConcurrently(names, (name) => send(client.transport, places.get(name)!));
  return 1000 * (cpuSeconds() - before) / names.length;
}

/** Sends a request. @throws {KubeError} when the server rejects it. */
async function send(transport: Transport, { method, path, type, body, accept = METADATA }: FormRequest): Promise<void> {
  const answer = await transport.fetch(path, { method, body, headers: { "content-type": type, accept } });
  const text = await answer.text();
  if (!answer.ok) throw new KubeError(`${method} ${path}: ${text.slice(0, 500)}`, { status: answer.status });
}

for (const [signal, code] of [["SIGINT", 130], ["SIGTERM", 143]] as const) {
  Deno.addSignalListener(signal, () => void stopControlPlane().finally(() => Deno.exit(code)));
}
await main(Deno.args);
Deno.exit(0);
