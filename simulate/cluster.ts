/** A cluster of a few maps: what the engine observes, what its actions do, and pods that end as they are told. */
import type { Pod, Template, WorkflowTaskResult } from "../lib/api/mod.ts";
import { ANNOTATION, ENV, LABEL, OFFLOADED } from "../lib/constants.ts";
import { type Action, ChangeLog, LoggedMap, type Observed } from "../controller/engine/mod.ts";
import type { Scene } from "./documents.ts";
import { envOf, firstEnd, type PodEnd, STOPPED } from "./pod_end.ts";
import { asEnded, asRunning, reportOf } from "./pod_status.ts";
import { type Timeline, timeText } from "./timeline.ts";

/** A pod that has just started: how it would end, and after how long. Infinity for one that does not. */
export type PodPlay = (nodeId: string, pod: Pod, template: Template) => Promise<{ end: PodEnd; seconds: number }>;

/** A warning or a piece of news that the engine announced. */
export type SimulatedEvent = Pick<Extract<Action, { kind: "event" }>, "type" | "reason" | "message">;

/** One for a simulation. */
export class Cluster {
  readonly observed: Observed;
  readonly events: SimulatedEvent[] = [];
  readonly #changes = new ChangeLog();
  readonly #pods = new LoggedMap<Pod>(this.#changes);
  readonly #templates = new Map<string, Template>();
  readonly #taskResults = new LoggedMap<WorkflowTaskResult>(this.#changes);
  readonly #claims = new Map<string, "present" | "gone">();
  readonly #timeline: Timeline;
  readonly #play: PodPlay;
  #podsMade = 0;

  constructor(scene: Scene, timeline: Timeline, play: PodPlay) {
    this.#timeline = timeline;
    this.#play = play;
    this.observed = {
      pods: this.#pods,
      taskResults: this.#taskResults,
      changes: this.#changes,
      claims: this.#claims,
      refusals: new Map(),
      workflowTemplate: (name) => scene.workflowTemplates.get(name),
      clusterWorkflowTemplate: (name) => scene.clusterWorkflowTemplates.get(name),
      configMap: (name) => scene.configMaps.get(name),
      serviceAccount: () => undefined,
    };
  }

  /** Does what the engine decided. True when there is something new to observe. */
  async act(action: Action): Promise<boolean> {
    switch (action.kind) {
      case "createPod":
        await this.#start(action);
        return true;
      case "terminateContainers":
        return this.#stop(action.podName);
      case "deletePod":
        return this.#delete(action.podName);
      case "finishPod":
        return action.remove ? this.#delete(action.podName) : this.#label(action.podName);
      case "createClaim":
        this.#claims.set(action.claim.metadata!.name!, "present");
        return true;
      case "deleteClaim":
        this.#claims.set(action.name, "gone");
        return true;
      case "deleteTaskResults":
        this.#taskResults.clear();
        return false;
      case "event":
        this.events.push({ type: action.type, reason: action.reason, message: action.message });
        return false;
      case "releasePod":
      case "deleteWorkflow":
        return false;
    }
  }

  async #start({ nodeId, pod: asked, configMap }: Extract<Action, { kind: "createPod" }>): Promise<void> {
    const number = ++this.#podsMade;
    const made = { ...asked, metadata: { ...asked.metadata, uid: `pod-${number}` } };
    const template = templateIn(asked, configMap?.data?.[ENV.template]);
    const { now } = this.#timeline;
    const running = asRunning(made, timeText(now), `10.0.${number >> 8}.${number & 255}`);
    this.#pods.set(nodeId, running);
    this.#templates.set(nodeId, template);
    const { end, seconds } = await this.#play(nodeId, running, template);
    const first = firstEnd(running, now, { at: now.getTime() + seconds * 1000, end });
    this.#timeline.plan(first.at, () => {
      if (this.#pods.get(nodeId)?.metadata.uid === made.metadata.uid) this.#end(nodeId, first.end);
    });
  }

  /** The pod's end is seen, and what its executor reports of it. One that has ended stays as it is. */
  #end(nodeId: string, end: PodEnd): boolean {
    const pod = this.#pods.get(nodeId);
    const template = this.#templates.get(nodeId);
    if (pod?.status?.phase !== "Running" || !template) return false;
    this.#taskResults.set(nodeId, reportOf(pod, nodeId, end));
    this.#pods.set(nodeId, asEnded(pod, template, end, timeText(this.#timeline.now)));
    return true;
  }

  #stop(podName: string): boolean {
    const nodeId = this.#nodeOf(podName);
    return nodeId !== undefined && this.#end(nodeId, STOPPED);
  }

  #delete(podName: string): boolean {
    const nodeId = this.#nodeOf(podName);
    return nodeId !== undefined && this.#pods.delete(nodeId);
  }

  #label(podName: string): boolean {
    const nodeId = this.#nodeOf(podName);
    const pod = nodeId && this.#pods.get(nodeId);
    if (!pod) return false;
    const labels = { ...pod.metadata.labels, [LABEL.completed]: "true" };
    this.#pods.set(nodeId, { ...pod, metadata: { ...pod.metadata, labels } });
    // It says only that the engine has seen the end: nothing follows from it.
    return false;
  }

  #nodeOf(podName: string): string | undefined {
    for (const { metadata } of this.#pods.values()) {
      if (metadata.name === podName) return metadata.annotations?.[ANNOTATION.nodeId];
    }
    return undefined;
  }
}

/** The template that a pod carries, or that lies beside it where it is too long for that. */
function templateIn(pod: Pod, offloaded: string | undefined): Template {
  const text = envOf(pod, ENV.template);
  return JSON.parse((text === OFFLOADED ? offloaded : text) ?? "{}") as Template;
}
