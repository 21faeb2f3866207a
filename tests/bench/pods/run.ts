/** A measured run: a pod or a workflow whose command tells the time, and what was seen of it from outside. */
import type { Pod, Workflow } from "@tiphys/model/api";
import { API_VERSION, LABEL } from "@tiphys/base/constants";
import { type KubeClient, PODS, type Resource, WORKFLOWS } from "@tiphys/kube";
import type { StoredArtifact } from "./artifact_store.ts";
import type { Contender } from "./contender.ts";
import { INPUT_PATH, TELL_TIME, tellTimeWith, USER_IMAGE } from "./settings.ts";

/** Milliseconds; from the moment before the object was sent to the API server. */
export interface Sample {
  /** Until a watch showed the pod. */
  readonly podCreated: number;
  /** Until the user's command said the time. */
  readonly firstInstruction: number;
  /** From there until a watch showed the final phase: of the node, for a bare pod its own. */
  readonly endToFinal: number;
}

/** A run whose pod has ended; the rest of the sample comes when the controller is done, too. */
export interface Run {
  readonly sample: Promise<Sample>;
}

const LIMIT_MILLIS = 120_000;
const FINAL = new Set(["Succeeded", "Failed", "Error"]);

/** Runs the command in a pod of nobody's. */
export async function runBarePod(client: KubeClient, namespace: string): Promise<Run> {
  const limit = AbortSignal.timeout(LIMIT_MILLIS);
  const name = uniqueName();
  const began = Date.now();
  await client.create(PODS, namespace, {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name },
    spec: { restartPolicy: "Never", containers: [{ name: "main", image: USER_IMAGE, command: TELL_TIME }] },
  });
  const podCreated = Date.now() - began;
  const pod = await firstSeen<Pod>(client, PODS, namespace, `metadata.name=${name}`, hasEnded, limit);
  const said = await timeSaid(client, namespace, name);
  await client.delete(PODS, namespace, name, { gracePeriodSeconds: 0 });
  return { sample: Promise.resolve({ podCreated, firstInstruction: said - began, endToFinal: pod.at - said }) };
}

/** Runs the command as a workflow of one template; resolves when its pod has ended, so that the next run finds the machine idle. */
export async function runWorkflow(client: KubeClient, contender: Contender, input?: StoredArtifact): Promise<Run> {
  const { namespace } = contender;
  const limit = AbortSignal.timeout(LIMIT_MILLIS);
  const began = Date.now();
  const name = await createWorkflow(client, contender, input ? tellTimeWith(input.bytes) : TELL_TIME, input);
  const podsOf = `${LABEL.workflow}=${name}`;
  const created = firstSeen<Pod>(client, PODS, namespace, undefined, () => true, limit, podsOf);
  const ended = firstSeen<Pod>(client, PODS, namespace, undefined, hasEnded, limit, podsOf);
  const final = firstSeen<Workflow>(client, WORKFLOWS, namespace, `metadata.name=${name}`, nodeIsFinal, limit);
  final.catch(() => {});
  const pod = (await ended).object.metadata.name!;
  const said = await timeSaid(client, namespace, pod);
  const podCreated = (await created).at - began;
  return {
    sample: final.then(({ at, object }) => {
      checkSucceeded(object, contender);
      return { podCreated, firstInstruction: said - began, endToFinal: at - said };
    }),
  };
}

/** Creates a workflow of one container for a contender, with an artifact as its input or none; returns its name. */
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

/** @throws {Error} when the pod of a workflow did not succeed: how long that took is no measurement. */
function checkSucceeded({ metadata, status }: Workflow, { name }: Contender): void {
  const pod = Object.values(status?.nodes ?? {}).find(({ type }) => type === "Pod");
  if (pod?.phase === "Succeeded") return;
  throw new Error(`The pod of ${metadata.name} of ${name} is ${pod?.phase}: ${pod?.message ?? "no message"}`);
}

/** Watches until something holds of an object; says what was seen and when. */
async function firstSeen<T>(
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
  throw new Error(`Waited ${LIMIT_MILLIS / 1000} s in vain for ${resource.plural} ${fieldSelector ?? labelSelector}`);
}

/** The time that main said, as milliseconds since 1970; executors may say other things around it. */
async function timeSaid(client: KubeClient, namespace: string, pod: string): Promise<number> {
  const log = await new Response(client.logs(namespace, pod, { container: "main" })).text();
  const said = /^(\d{10})\.(\d{9})$/m.exec(log);
  if (!said) throw new Error(`Expected a time in the log of ${pod}, got ${JSON.stringify(log)}`);
  return Number(said[1]) * 1000 + Number(said[2]) / 1e6;
}
