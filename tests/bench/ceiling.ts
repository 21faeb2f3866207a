/**
 * The ceiling of a load: the same workflows, pods, reports and last statuses, written by nobody's controller. Each is
 * written once and as early as it can be; there are no events, no labels of ended pods and no statuses on the way. What a
 * controller costs above that is its own.
 */
import type { Pod, Workflow } from "@tiphys/model/api";
import { ANNOTATION } from "@tiphys/base/constants";
import { Informer, type KubeClient, PODS, WORKFLOWS } from "@tiphys/kube";
import { Scenario } from "../scenarios/scenario.ts";

/** The name of the one whose measurements these are. */
export const CEILING = "ceiling";

/** The pods of a workflow, in groups that each begin when the one before has ended, and the workflow as it is at its end. */
export interface Course {
  readonly workflow: Workflow;
  readonly waves: readonly (readonly Pod[])[];
  readonly end: Workflow;
}

/** @throws when the workflow does not succeed by its pods' success. */
export function courseOf(workflow: Workflow): Course {
  const world = new Scenario();
  const metadata = { ...workflow.metadata, uid: crypto.randomUUID(), creationTimestamp: new Date().toISOString() };
  world.workflow = { ...workflow, metadata } as Workflow;
  const waves: Pod[][] = [];
  for (let made = 0;;) {
    world.pass(undefined);
    const wave = [...world.pods.values()].slice(made);
    if (wave.length === 0) break;
    made += wave.length;
    waves.push(wave.map(asMade));
    for (const pod of wave) {
      const name = pod.metadata.annotations?.[ANNOTATION.nodeName];
      world.run(`result ${name}`, "");
      world.run(`pod ${name} Succeeded`, "");
    }
  }
  const end = world.workflow;
  if (end.status?.phase !== "Succeeded") {
    throw new Error(`Workflow ${workflow.metadata.name} ends as ${end.status?.phase}: ${end.status?.message ?? ""}`);
  }
  return { workflow, waves, end };
}

/** A pod as it is asked for: what a server adds is left out. */
function asMade({ status: _, metadata: { uid: _uid, ...metadata }, ...pod }: Pod): Pod {
  return { ...pod, metadata } as Pod;
}

/** Follows courses in a namespace. */
export class CourseRunner implements Disposable {
  readonly #client: KubeClient;
  readonly #namespace: string;
  readonly #stop = new AbortController();
  readonly #waiting = new Map<string, () => void>();

  private constructor(client: KubeClient, namespace: string) {
    this.#client = client;
    this.#namespace = namespace;
  }

  static async start(client: KubeClient, namespace: string): Promise<CourseRunner> {
    const runner = new CourseRunner(client, namespace);
    const pods = new Informer<Pod>(client, PODS, { namespace });
    pods.onChange((_type, { metadata: { name = "" }, status }) => {
      if (status?.phase === "Succeeded") runner.#waiting.get(name)?.();
    });
    await pods.start(runner.#stop.signal);
    return runner;
  }

  /** Makes the pods, waits for them, and writes how the workflow, which is there, has ended. */
  async follow({ workflow, waves, end }: Course): Promise<void> {
    for (const wave of waves) {
      await Promise.all(wave.map(async (pod) => {
        const ended = new Promise<void>((resolve) => this.#waiting.set(pod.metadata.name!, resolve));
        await this.#client.create(PODS, this.#namespace, pod);
        await ended;
        this.#waiting.delete(pod.metadata.name!);
      }));
    }
    const { status, metadata: { labels, annotations } } = end;
    const patch = { status, metadata: { labels, annotations } };
    await this.#client.patch(WORKFLOWS, this.#namespace, workflow.metadata.name!, patch);
  }

  [Symbol.dispose](): void {
    this.#stop.abort();
  }
}
