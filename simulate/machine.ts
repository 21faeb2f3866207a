/**
 * The machine of a simulation: pods start as soon as they are created, report, and end as the test defines, on the
 * simulated clock.
 */
import type { NodeResult, Pod, Template } from "@tiphys/model/api";
import { ENV, OFFLOADED } from "@tiphys/base/constants";
import { timeText } from "@tiphys/model/status";
import type { Cluster, Machine } from "./cluster.ts";
import { envOf, firstEnd, type PodEnd, STOPPED } from "./pod_end.ts";
import { reportOf, withEndedStatus, withRunningStatus } from "./pod_status.ts";
import type { Timeline } from "./timeline.ts";

/** Returns how a started pod ends, and after how many seconds. Infinity means that it does not end by itself. */
export type PodPlay = (nodeId: string, pod: Pod, template: Template) => Promise<{ end: PodEnd; seconds: number }>;

/** Returns the result of an agent's task, and after how many seconds. */
export type TaskPlay = (nodeId: string, template: Template) => Promise<{ result: NodeResult; seconds: number }>;

/** The machine of a simulated cluster. Pods and tasks end on its timeline as the test's functions define. */
export class SimulatedMachine implements Machine {
  readonly #timeline: Timeline;
  readonly #play: PodPlay;
  readonly #templates = new Map<string, Template>();
  /** Pods whose end has not been planned yet. */
  readonly #started: { readonly nodeId: string; readonly pod: Pod; readonly template: Template; readonly at: Date }[] =
    [];
  #podsTaken = 0;

  readonly #playTask: TaskPlay;
  readonly #tasks: { readonly nodeId: string; readonly template: Template; readonly at: Date }[] = [];

  constructor(timeline: Timeline, play: PodPlay, playTask: TaskPlay) {
    this.#timeline = timeline;
    this.#play = play;
    this.#playTask = playTask;
  }

  startTask(nodeId: string, template: Template): void {
    this.#tasks.push({ nodeId, template, at: this.#timeline.now });
  }

  startAgent(created: Pod): Pod {
    return withRunningStatus(created, timeText(this.#timeline.now), "10.0.255.255");
  }

  startPod(nodeId: string, created: Pod, offloaded: string | undefined): Pod {
    const number = ++this.#podsTaken;
    const template = templateIn(created, offloaded);
    const { now } = this.#timeline;
    const pod = withRunningStatus(created, timeText(now), `10.0.${number >> 8}.${number & 255}`);
    this.#templates.set(nodeId, template);
    this.#started.push({ nodeId, pod, template, at: now });
    return pod;
  }

  /** Calls the functions for the pods and tasks that have started, and plans their ends. */
  async planEnds(cluster: Cluster): Promise<void> {
    for (const { nodeId, template, at } of this.#tasks.splice(0)) {
      const { result, seconds } = await this.#playTask(nodeId, template);
      this.#timeline.plan(at.getTime() + seconds * 1000, () => cluster.answer(nodeId, result));
    }
    for (const { nodeId, pod, template, at } of this.#started.splice(0)) {
      const { end, seconds } = await this.#play(nodeId, pod, template);
      const first = firstEnd(pod, at, { at: at.getTime() + seconds * 1000, end });
      this.#timeline.plan(first.at, () => {
        if (cluster.pods.get(nodeId)?.metadata.uid === pod.metadata.uid) this.#end(nodeId, first.end, cluster);
      });
    }
  }

  stop(nodeId: string, cluster: Cluster): boolean {
    return this.#end(nodeId, STOPPED, cluster);
  }

  /**
   * Ends a running pod: sets its status and writes its executor's report. Returns false, and changes nothing, if it is
   * not running.
   */
  #end(nodeId: string, end: PodEnd, cluster: Cluster): boolean {
    const pod = cluster.pods.get(nodeId);
    const template = this.#templates.get(nodeId);
    if (pod?.status?.phase !== "Running" || !template) return false;
    cluster.taskResults.set(nodeId, reportOf(pod, nodeId, end));
    cluster.pods.set(nodeId, withEndedStatus(pod, template, end, timeText(this.#timeline.now)));
    return true;
  }
}

/** Returns the template in a pod's environment, or the offloaded one if it is too large for that. */
function templateIn(pod: Pod, offloaded: string | undefined): Template {
  const text = envOf(pod, ENV.template);
  // deno-lint-ignore tiphys/json-is-unknown -- the engine of this process wrote it, from a template that was read
  return JSON.parse((text === OFFLOADED ? offloaded : text) ?? "{}") as Template;
}
