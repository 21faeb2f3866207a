/** Measures one run: a pod or workflow whose command prints the time, as seen from outside. */
import type { Pod, Workflow } from "@tiphys/model/api";
import { API_VERSION, LABEL } from "@tiphys/base/constants";
import { type KubeClient, PODS, type Resource, WORKFLOWS } from "@tiphys/kube";
import type { StoredArtifact } from "./artifact_store.ts";
import type { Contender } from "./contender.ts";
import { INPUT_PATH, PRINT_TIME, printTimeWith, USER_IMAGE } from "./settings.ts";

/** A sample, in milliseconds. The first two times start before the object is sent to the API server. */
export interface Sample {
  /** Time until a watch reports the pod. */
  readonly podCreated: number;
  /** Time until the user's command prints the time. */
  readonly firstInstruction: number;
  /** Time from that instant until a watch reports the final phase of the node, or of the bare pod. */
  readonly endToFinal: number;
}

/** A run whose pod has ended. The sample is complete when the controller is done. */
export interface Run {
  readonly sample: Promise<Sample>;
}

const LIMIT_MILLIS = 120_000;
const FINAL = new Set(["Succeeded", "Failed", "Error"]);

/** Runs the command in a bare pod. */
export async function runBarePod(client: KubeClient, namespace: string): Promise<Run> {
  const limit = AbortSignal.timeout(LIMIT_MILLIS);
  const name = uniqueName();
  const began = Date.now();
  await client.create(PODS, namespace, {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name },
    spec: { restartPolicy: "Never", containers: [{ name: "main", image: USER_IMAGE, command: PRINT_TIME }] },
  });
  const podCreated = Date.now() - began;
  const pod = await awaitFirst<Pod>(client, PODS, namespace, `metadata.name=${name}`, hasEnded, limit);
  const printed = await readPrintedTime(client, namespace, name);
  await client.delete(PODS, namespace, name, { gracePeriodSeconds: 0 });
  return { sample: Promise.resolve({ podCreated, firstInstruction: printed - began, endToFinal: pod.at - printed }) };
}

/**
 * Runs the command as a workflow of one template. Resolves when its pod has ended, so that the next run starts on an
 * idle machine.
 */
export async function runWorkflow(client: KubeClient, contender: Contender, input?: StoredArtifact): Promise<Run> {
  const { namespace } = contender;
  const limit = AbortSignal.timeout(LIMIT_MILLIS);
  const began = Date.now();
  const name = await createWorkflow(client, contender, input ? printTimeWith(input.bytes) : PRINT_TIME, input);
  const podsOf = `${LABEL.workflow}=${name}`;
  const created = awaitFirst<Pod>(client, PODS, namespace, undefined, () => true, limit, podsOf);
  const ended = awaitFirst<Pod>(client, PODS, namespace, undefined, hasEnded, limit, podsOf);
  const final = awaitFirst<Workflow>(client, WORKFLOWS, namespace, `metadata.name=${name}`, nodeIsFinal, limit);
  final.catch(() => {});
  const pod = (await ended).object.metadata.name!;
  const printed = await readPrintedTime(client, namespace, pod);
  const podCreated = (await created).at - began;
  return {
    sample: final.then(({ at, object }) => {
      checkSucceeded(object, contender);
      return { podCreated, firstInstruction: printed - began, endToFinal: at - printed };
    }),
  };
}

/** Creates a workflow of one container for a contender, with an optional input artifact. Returns its name. */
export async function createWorkflow(
  client: KubeClient,
  contender: Contender,
  command: string[],
  input?: StoredArtifact,
): Promise<string> {
  const name = uniqueName();
  const inputs = { artifacts: input ? [{ name: "input", path: INPUT_PATH, archive: { none: {} }, s3: input.s3 }] : [] };
  await client.create(WORKFLOWS, contender.namespace, {
    apiVersion: API_VERSION,
    kind: "Workflow",
    metadata: { name, labels: contender.labels },
    spec: { entrypoint: "main", templates: [{ name: "main", inputs, container: { image: USER_IMAGE, command } }] },
  });
  return name;
}

function uniqueName(): string {
  return `run-${crypto.randomUUID().slice(0, 8)}`;
}

function hasEnded(pod: Pod): boolean {
  return FINAL.has(pod.status?.phase ?? "");
}

function nodeIsFinal({ status }: Workflow): boolean {
  return Object.values(status?.nodes ?? {}).some(({ type, phase }) => type === "Pod" && FINAL.has(phase ?? ""));
}

/** @throws {Error} when the pod of a workflow did not succeed: its times are meaningless. */
function checkSucceeded({ metadata, status }: Workflow, { name }: Contender): void {
  const pod = Object.values(status?.nodes ?? {}).find(({ type }) => type === "Pod");
  if (pod?.phase === "Succeeded") return;
  throw new Error(`The pod of ${metadata.name} of ${name} is ${pod?.phase}: ${pod?.message ?? "no message"}`);
}

/** Watches until a condition on an object is met. Returns the result and the time. */
async function awaitFirst<T>(
  client: KubeClient,
  resource: Resource,
  namespace: string,
  fieldSelector: string | undefined,
  holds: (object: T) => boolean,
  signal: AbortSignal,
  labelSelector?: string,
): Promise<{ object: T; at: number }> {
  for await (const { type, object } of client.watch<T>(resource, namespace, { fieldSelector, labelSelector }, signal)) {
    if ((type === "ADDED" || type === "MODIFIED") && holds(object)) return { object, at: Date.now() };
  }
  throw new Error(
    `Timed out after ${LIMIT_MILLIS / 1000} s: no matching ${resource.plural} ${fieldSelector ?? labelSelector}`,
  );
}

/** The time that main printed, in milliseconds since the epoch. Executors may log other lines. */
async function readPrintedTime(client: KubeClient, namespace: string, pod: string): Promise<number> {
  const log = await new Response(client.logs(namespace, pod, { container: "main" })).text();
  const printed = /^(\d{10})\.(\d{9})$/m.exec(log);
  if (!printed) throw new Error(`Expected a time in the log of ${pod}, got ${JSON.stringify(log)}`);
  return Number(printed[1]) * 1000 + Number(printed[2]) / 1e6;
}
