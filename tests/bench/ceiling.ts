/**
 * The ceiling of a load: the same workflows, pods, reports and final statuses, written without a controller. Each
 * object is written once and as early as possible, without events, labels of ended pods, or intermediate statuses. The
 * cost of a controller above the ceiling is its own.
 */
import type { Pod, Workflow } from "@tiphys/model/api";
import { ANNOTATION } from "@tiphys/base/constants";
import { type KubeClient, PODS, WORKFLOWS } from "@tiphys/kube";
import { Informer } from "@tiphys/kube/informers";
import { Scenario } from "../scenarios/scenario.ts";

/** The candidate name of these measurements. */
export const CEILING = "ceiling";

/**
 * The pods of a workflow in waves, each of which starts when the previous one has ended, and the completed workflow.
 */
export interface Course {
  readonly workflow: Workflow;
  readonly waves: readonly (readonly Pod[])[];
  readonly end: Workflow;
}

/**
 * Computes the pods that a workflow creates, in waves.
 * @throws {Error} when the workflow fails although its pods succeed.
 */
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
    waves.push(wave.map(asCreated));
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

/** A pod as a client creates it, without fields that the server adds. */
function asCreated({ status: _, metadata: { uid: _uid, ...metadata }, ...pod }: Pod): Pod {
  return { ...pod, metadata } as Pod;
}

/** Writes the pods and workflows of courses in a namespace. */
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

  /** Creates the pods, waits for their end, and writes the final status of the existing workflow. */
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
