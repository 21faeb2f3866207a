/** The kubelet and the executors of a simulation: pods are bound, run, report and end at virtual times. */
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import type { Pod, Template } from "@tiphys/model/api";
import { ANNOTATION, ENV, LABEL, OFFLOADED } from "@tiphys/base/constants";
import {
  classifyError,
  CONFIGMAPS,
  keyOf,
  type KubeClient,
  type KubeObject,
  PODS,
  WORKFLOW_TASK_RESULTS,
  WORKFLOW_TASK_SETS,
} from "@tiphys/kube";
import { Informer } from "@tiphys/kube/informers";
import { type ReportContent, reportText } from "@tiphys/model/report_seal";
import { envOf, firstEnd, type PodEnd, STOPPED } from "../../simulate/pod_end.ts";
import { reportOf, withEndedStatus, withRunningStatus } from "../../simulate/pod_status.ts";
import type { ApiServer } from "../../local/api/mod.ts";
import { timeText } from "@tiphys/model/status";
import { collectGarbage, isCollector } from "./collect_garbage.ts";
import { isAgent, SimulatedAgent } from "./do_tasks.ts";
import type { PodPlay } from "./pod_play.ts";
import type { Chance } from "./chance.ts";
import type { Fault } from "./faults.ts";
import { type VirtualHost, WORLD } from "./host.ts";

/** The host, server and random numbers of a kubelet, and its callbacks. */
export interface KubeletOptions {
  readonly host: VirtualHost;
  readonly api: ApiServer;
  readonly chance: Chance;
  /** The behavior of a node's pod, the first time, the second time… */
  readonly play: (nodeName: string, time: number) => PodPlay;
  /** Called when an artifact was deleted. */
  readonly onDeleted: (key: string) => void;
  /** Called when main of a pod starts. */
  readonly onStart: (pod: Pod) => void;
  /** Called when the pod with a UID no longer runs, or is being deleted. */
  readonly onEnd: (uid: string) => void;
  /** The fault of a pod: `.step 2` is the second pod of a node. */
  readonly faultOf: (pod: string) => Fault | undefined;
  /** Whether every pod knows the keys of the others. */
  readonly areKeysKnown: boolean;
}

/** A pod that the kubelet has admitted. */
interface AdmittedPod {
  /** Its node and its number among the node's pods: the input of random decisions. */
  readonly key: string;
  readonly time: number;
  readonly fault: Fault | undefined;
}

/** A single machine that admits every pod. */
export class Kubelet {
  readonly #options: KubeletOptions;
  readonly #client: KubeClient;
  readonly #pods: Informer<Pod>;
  readonly #taskSets: Informer<KubeObject>;
  /** Running agents, by the UID of their pod. */
  readonly #agents = new Map<string, { readonly key: string; readonly agent: SimulatedAgent }>();
  readonly #seen = new Set<string>();
  readonly #times = new Map<string, number>();
  /** Functions that end a running pod from outside, by its UID. */
  readonly #running = new Map<string, (exitCode: number) => void>();
  readonly #stop = new AbortController();
  #addresses = 0;

  constructor(options: KubeletOptions) {
    this.#options = options;
    this.#client = options.api.client();
    this.#pods = new Informer<Pod>(this.#client, PODS);
    this.#taskSets = new Informer<KubeObject>(this.#client, WORKFLOW_TASK_SETS);
    options.api.useKubelet({
      logs: () => ReadableStream.from([]),
      exec: (namespace, name) => {
        const pod = this.#pods.get(`${namespace}/${name}`);
        const end = pod && this.#running.get(pod.metadata.uid ?? "");
        options.host.runAs(WORLD, () => options.host.after(200, WORLD, () => end?.(143)));
        return Promise.resolve({ stdout: "", stderr: "", exitCode: 0 });
      },
    });
  }

  async start(): Promise<void> {
    this.#taskSets.onChange((type, set) => {
      const seen = type === "deleted" ? undefined : set;
      for (const { key, agent } of [...this.#agents.values()]) if (key === keyOf(set)) agent.see(seen);
    });
    await this.#taskSets.start(this.#stop.signal);
    this.#pods.onChange((type, pod) => {
      if (type !== "deleted") this.#see(pod);
    });
    await this.#pods.start(this.#stop.signal);
  }

  close(): void {
    this.#stop.abort();
  }

  #see(pod: Pod): void {
    const { uid = "", deletionTimestamp } = pod.metadata;
    if (deletionTimestamp) return this.#remove(pod);
    if (this.#seen.has(uid)) return;
    this.#seen.add(uid);
    const nodeName = nameOf(pod);
    const time = (this.#times.get(nodeName) ?? 0) + 1;
    this.#times.set(nodeName, time);
    const key = `${nodeName} ${time}`;
    const fault = this.#options.faultOf(key);
    const admitted = { key, time, fault };
    const bound = this.#wait(key, "bound", 50, 1500);
    this.#later(bound, pod, () => this.#bind(pod));
    let started = bound + this.#wait(key, "started", 200, 4000);
    if (fault?.kind === "slowImage") {
      this.#later(started, pod, (now) => this.#setStatus(now, waiting(now), admitted));
      started += fault.value!;
    }
    this.#later(started, pod, (now) => this.#run(now, admitted));
    if (fault?.kind === "podDeleted") this.#later(fault.value!, pod, () => this.#deleteAsUser(pod));
  }

  #deleteAsUser({ metadata: { namespace, name, uid } }: Pod): Promise<unknown> {
    return this.#client.delete(PODS, namespace, name!, { uid });
  }

  #wait(key: string, subject: string, minimum: number, maximum: number): number {
    return this.#options.chance.integerBetween(minimum, maximum, key, subject);
  }

  /** Runs an action on a pod later, if it still exists and is not being deleted. */
  #later(millis: number, { metadata }: Pod, act: (pod: Pod) => unknown): void {
    this.#options.host.after(millis, WORLD, () => {
      const now = this.#pods.get(keyOf({ metadata }));
      if (now?.metadata.uid === metadata.uid && !now!.metadata.deletionTimestamp) this.#try(act(now!));
    });
  }

  /** Ignores refusals for an object that is gone or has changed. */
  #try(work: unknown): void {
    Promise.resolve(work).catch((error) => {
      if (!["notFound", "conflict", "alreadyExists"].includes(classifyError(error))) throw error;
    });
  }

  #bind({ metadata }: Pod): Promise<unknown> {
    return this.#client.patch(PODS, metadata.namespace, metadata.name!, { spec: { nodeName: "machine" } });
  }

  async #run(pod: Pod, admitted: AdmittedPod): Promise<void> {
    const { host, onStart, play } = this.#options;
    const { key, time, fault } = admitted;
    const { uid = "" } = pod.metadata;
    const nodeName = nameOf(pod);
    const template = await this.#templateOf(pod);
    const running = withRunningStatus(pod, timeText(new Date()), `10.0.0.${++this.#addresses & 255}`);
    if (isCollector(pod)) this.#try(collectGarbage(this.#client, pod, this.#options.onDeleted));
    else if (!isAgent(pod)) onStart(pod);
    const own = play(nodeName, time);
    const seconds = isAgent(pod) ? Infinity : own.seconds ?? this.#wait(key, "main", 1, 15);
    const first = firstEnd(running, new Date(), {
      at: Date.now() + seconds * 1000,
      end: endOf(own, pod, template, nodeName),
    });
    let isOver = false;
    const once = (act: () => Promise<void>) => {
      if (isOver) return;
      isOver = true;
      this.#running.delete(uid);
      this.#options.onEnd(uid);
      this.#agents.get(uid)?.agent.stop();
      this.#agents.delete(uid);
      this.#try(act());
    };
    const end = (podEnd: PodEnd) => once(() => this.#end(running, admitted, template, podEnd));
    this.#running.set(uid, (exitCode) => end({ main: { exitCode } }));
    await this.#setStatus(running, running.status, admitted);
    if (hasAuxAnnotation(pod)) await this.#report(pod, undefined);
    if (isAgent(pod) && !isOver) this.#startAgent(pod, () => end({ main: { exitCode: 0 } }));
    if (first.at !== Infinity) host.after(first.at - Date.now(), WORLD, () => end(first.end));
    const later = (act: () => void) => host.after(fault!.value!, WORLD, act);
    switch (fault?.kind) {
      case "evicted":
        return void later(() => end({ ...STOPPED, byKubelet: EVICTED }));
      case "executorKilled":
        // Its containers are restarted.
        if (isAgent(pod)) {
          return void later(() => isOver || this.#startAgent(pod, () => end({ main: { exitCode: 0 } })));
        }
        return void later(() => once(() => this.#endUnreported(running, admitted, template)));
      case "machineLost":
        return void later(() => once(() => this.#loseMachine(running, admitted)));
      case "forged":
        // A pod that deletes artifacts writes no report, nor does an agent.
        return void later(() => isOver || isCollector(pod) || isAgent(pod) || this.#try(this.#forge(pod, template)));
    }
  }

  /** Starts the agent of a pod, and ends an earlier one in the same pod. */
  #startAgent(pod: Pod, onOver: () => void): void {
    const { host, play } = this.#options;
    const { uid = "", namespace } = pod.metadata;
    this.#agents.get(uid)?.agent.stop();
    const agent = new SimulatedAgent({
      clock: { now: () => Date.now(), after: (millis, act) => host.after(millis, WORLD, act) },
      client: this.#client,
      pod,
      play: (nodeName) => play(nodeName, 1),
      usualSeconds: (nodeName) => this.#wait(nodeName, "request", 1, 15),
      onOver,
    });
    const key = `${namespace}/${envOf(pod, ENV.workflowName)}`;
    this.#agents.set(uid, { key, agent });
    const set = this.#taskSets.get(key);
    if (set) agent.see(set);
  }

  async #end(pod: Pod, admitted: AdmittedPod, template: Template, end: PodEnd): Promise<void> {
    const { host } = this.#options;
    const { key, fault } = admitted;
    const ended = () =>
      this.#setStatus(pod, withEndedStatus(pod, template, end, timeText(new Date())).status, admitted);
    const report = () => hasAuxAnnotation(pod) ? this.#report(pod, end) : Promise.resolve();
    const isLate = fault?.kind === "slowStatus";
    if (isLate || this.#options.chance.numberFor(key, "order") < 0.7) {
      await report();
      const wait = isLate ? fault.value! : this.#wait(key, "status", 100, 2500);
      host.after(wait, WORLD, () => this.#try(ended()));
    } else {
      await ended();
      host.after(this.#wait(key, "report", 50, 2000), WORLD, () => this.#try(report()));
    }
  }

  /** Ends a pod whose containers were all killed: nothing is reported. */
  async #endUnreported(pod: Pod, admitted: AdmittedPod, template: Template): Promise<void> {
    const end: PodEnd = { main: { exitCode: 137 }, executor: { exitCode: 137 } };
    await this.#setStatus(pod, withEndedStatus(pod, template, end, timeText(new Date())).status, admitted);
  }

  /** Loses the machine: the pod is silent until the cluster notices, and deletes it by force. */
  #loseMachine(pod: Pod, admitted: AdmittedPod): Promise<void> {
    const { namespace, name, uid } = pod.metadata;
    const status = { ...pod.status, phase: "Failed", message: "PodGC: node no longer exists" };
    this.#options.host.after(this.#wait(admitted.key, "noticed", 40_000, 300_000), WORLD, () => {
      this.#try(
        this.#setStatus(pod, status, admitted).then(() =>
          this.#client.delete(PODS, namespace, name!, { uid, gracePeriodSeconds: 0 })
        ),
      );
    });
    return Promise.resolve();
  }

  /** Lets another pod, which may write reports as every pod may, report success and outputs for this one. */
  async #forge(pod: Pod, template: Template): Promise<void> {
    const end = endOf({}, pod, template, "forged");
    const { phase, outputs, metadata: { labels } } = reportOf(pod, nodeIdOf(pod), end);
    const content = { mainStarted: true, completed: true, phase, outputs };
    const annotations = this.#options.areKeysKnown
      ? sealOf(pod, nodeIdOf(pod), content)
      : { [ANNOTATION.reportSeal]: "forged" };
    await this.#client.patch(WORKFLOW_TASK_RESULTS, pod.metadata.namespace, nodeIdOf(pod), {
      metadata: { labels, annotations },
      phase,
      outputs,
    });
  }

  /** Lets the executor open its report when main starts, and complete it when main has ended. */
  async #report(pod: Pod, end: PodEnd | undefined): Promise<void> {
    const nodeId = nodeIdOf(pod);
    const whole = reportOf(pod, nodeId, end ?? { main: { exitCode: 0 } });
    const { phase, outputs } = end ? whole : { phase: undefined, outputs: undefined };
    const labels = { ...whole.metadata.labels, [LABEL.reportOutputsCompleted]: String(end !== undefined) };
    const annotations = {
      [ANNOTATION.mainStarted]: "true",
      ...sealOf(pod, nodeId, { mainStarted: true, completed: end !== undefined, phase, outputs }),
    };
    const ownerReferences = pod.metadata.ownerReferences?.filter(({ kind }) => kind === "Workflow");
    const { namespace } = pod.metadata;
    try {
      await this.#client.create(WORKFLOW_TASK_RESULTS, namespace, {
        ...whole,
        phase,
        outputs,
        metadata: { ...whole.metadata, labels, annotations, ownerReferences },
      });
    } catch (error) {
      if (classifyError(error) !== "alreadyExists") throw error;
      const metadata = { labels, annotations };
      const change = end
        ? { metadata, phase, outputs: outputs && { ...EMPTY_OUTPUTS, ...outputs } }
        : { metadata, phase: null, progress: null };
      await this.#client.patch(WORKFLOW_TASK_RESULTS, namespace, nodeId, change);
    }
  }

  /** Handles the deletion of a pod: its containers end within its grace period, then it is removed. */
  #remove(pod: Pod): void {
    const { uid = "", name, namespace } = pod.metadata;
    if (this.#seen.has(`${uid} ends`)) return;
    this.#seen.add(`${uid} ends`);
    this.#options.onEnd(uid);
    const { host } = this.#options;
    host.after(this.#wait(uid, "grace", 100, 5000), WORLD, () => {
      const now = this.#pods.get(keyOf(pod));
      if (now?.metadata.uid !== uid) return;
      const wasRunning = this.#running.get(uid);
      wasRunning?.(143);
      host.after(
        wasRunning ? 3000 : 0,
        WORLD,
        () => this.#try(this.#client.delete(PODS, namespace, name!, { uid, gracePeriodSeconds: 0 })),
      );
    });
  }

  async #setStatus(pod: Pod, status: unknown, { fault }: AdmittedPod): Promise<void> {
    const { namespace, name, uid } = pod.metadata;
    const set = (status: unknown) =>
      this.#client.patch(PODS, namespace, name!, { metadata: { uid }, status }, "merge", { subresource: "status" });
    await set(status);
    // A field that nothing reads: the same status is written again, in another version of the pod.
    if (fault?.kind === "saidTwice") await set({ ...status as object, nominatedNodeName: "machine" });
  }

  async #templateOf(pod: Pod): Promise<Template> {
    const text = envOf(pod, ENV.template);
    if (text !== OFFLOADED) return JSON.parse(text ?? "{}");
    const offloaded = await this.#client.get<{ data?: Record<string, string> }>(
      CONFIGMAPS,
      pod.metadata.namespace,
      pod.metadata.name!,
    );
    return JSON.parse(offloaded.data?.[ENV.template] ?? "{}");
  }
}

/** The name of the node of a pod, or the pod's own name. */
function nameOf({ metadata }: Pod): string {
  return metadata.annotations?.[ANNOTATION.nodeName] ?? metadata.name ?? "";
}

function nodeIdOf(pod: Pod): string {
  return pod.metadata.annotations?.[ANNOTATION.nodeId] ?? "";
}

/** The fields that an executor sends with its outputs, to erase earlier reports. */
const EMPTY_OUTPUTS = { parameters: null, result: null, exitCode: null, artifacts: null } as const;

const EVICTED = { reason: "Evicted", message: "The node was low on resource: memory." } as const;

/** The status of a pod whose image is not available yet. */
function waiting(pod: Pod): unknown {
  const state = { waiting: { reason: "ImagePullBackOff", message: "Back-off pulling image" } };
  const containerStatuses = pod.spec.containers.map(({ name }) => ({ name, ready: false, restartCount: 0, state }));
  return { phase: "Pending", containerStatuses };
}

/** The seal of a report, made with the pod's own key, as executors make it. */
function sealOf(pod: Pod, nodeId: string, reported: ReportContent): Record<string, string> {
  const key = envOf(pod, ENV.reportKey);
  if (key === undefined) return {};
  const encoder = new TextEncoder();
  const text = reportText({ podUid: pod.metadata.uid ?? "", nodeId }, reported);
  const seal = hmac(sha256, encoder.encode(key), encoder.encode(text));
  return { [ANNOTATION.reportSeal]: seal.toBase64({ alphabet: "base64url", omitPadding: true }) };
}

function hasAuxAnnotation(pod: Pod): boolean {
  return pod.spec.containers.some(({ name }) => name === "supervisor" || name === "wait");
}

function endOf(play: PodPlay, pod: Pod, template: Template, nodeName: string): PodEnd {
  const { exitCode = 0, message, containers } = play;
  const declared = template.outputs?.parameters ?? [];
  const parameters = declared.filter(({ valueFrom }) => valueFrom?.path).map((parameter) => ({
    ...parameter,
    value: play.parameters?.[parameter.name] ?? `${parameter.name} of ${nodeName}`,
  }));
  const includesOutput = envOf(pod, ENV.includeScriptOutput) === "true";
  // The artifacts are in their store before their pod reports them.
  const artifacts = (template.outputs?.artifacts ?? []).map(({ path: _, ...artifact }) => artifact);
  const outputs = {
    ...(parameters.length ? { parameters } : {}),
    ...(artifacts.length ? { artifacts } : {}),
    ...(includesOutput ? { result: play.result ?? `result of ${nodeName}` } : {}),
  };
  const members = template.containerSet?.containers.map(({ name }) =>
    [name, { exitCode: containers?.[name] ?? exitCode }] as const
  );
  return {
    main: { exitCode, message },
    ...(members ? { members: Object.fromEntries(members) } : {}),
    ...(Object.keys(outputs).length && exitCode === 0 ? { outputs } : {}),
  };
}
