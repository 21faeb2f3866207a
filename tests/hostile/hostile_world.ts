/** The real controller over the embedded API in this process, a kubelet whose pods succeed at once, and canaries. */
import type { Pod, Workflow } from "@tiphys/model/api";
import { classifyError, keyOf, type KubeObject, PODS, WORKFLOW_TASK_RESULTS, WORKFLOWS } from "@tiphys/kube";
import { Informer } from "@tiphys/kube/informers";
import { hydrate } from "@tiphys/model/nodes";
import { asIs, showingAsIs } from "../controller/as_is.ts";
import { ControllerWorld, sleepingWorkflow, type WorldApi } from "../controller/world.ts";
import { LoopWatch } from "./loop_watch.ts";
import { startRemoteApi } from "./remote_api.ts";
import { HOSTILE, type HostileCase, type HostileObject, type Settings } from "./case.ts";

const NAMESPACE = "default";
const CANARIES = "canaries";
/** The timeout for one wait, in seconds. It is long enough for a busy machine. */
const SECONDS = 120;
/**
 * The longest time for which a case may block the event loop, in milliseconds of CPU time: several times what any case
 * needs, and less than a long pass needs on the main thread.
 */
const MAX_HELD_MILLIS = 500;
/** The maximum number of pods that end in a case; a case that requests more has made its point. */
const MAX_PODS = 60;

/** The result of a case, and its measurements. */
export interface Result {
  readonly name: string;
  /** The difference from the required outcome; undefined when there is no difference. */
  readonly problem: string | undefined;
  readonly millis: number;
  /** The duration of each concurrent canary, in milliseconds. */
  readonly canaries: readonly number[];
  /** The longest time for which the event loop was blocked meanwhile, in milliseconds. */
  readonly held: number;
  /** Bytes of memory of the process after the case. */
  readonly memory: number;
}

/** The world of all cases, which run one after the other. */
export class HostileWorld implements AsyncDisposable {
  readonly #world: ControllerWorld<WorldApi>;
  readonly #ended = new AbortController();
  readonly #loop = new LoopWatch();
  readonly #workflows: Informer<KubeObject>;
  readonly #pods: Informer<Pod>;
  readonly #waiting = new Set<() => void>();
  readonly #settings: ControllerWorld["config"];
  #served = 0;
  #canaries = 0;

  private constructor(world: ControllerWorld<WorldApi>) {
    this.#world = world;
    this.#settings = world.config;
    this.#workflows = new Informer<KubeObject>(world.client, WORKFLOWS);
    this.#pods = new Informer<Pod>(world.client, PODS);
  }

  /** Creates a world with a running controller. */
  static async start(): Promise<HostileWorld> {
    const world = new HostileWorld(new ControllerWorld(await startRemoteApi()));
    await world.#start();
    return world;
  }

  async #start(): Promise<void> {
    this.#world.between = showingAsIs;
    for (const namespace of [CANARIES]) await this.#world.makeNamespace(namespace);
    await this.#workflows.start(this.#ended.signal);
    await this.#pods.start(this.#ended.signal);
    this.#workflows.onChange(() => {
      for (const look of this.#waiting) look();
    });
    this.#pods.onChange((type, pod) => {
      if (type === "added") void this.#serve(pod);
    });
    await this.#world.startController();
  }

  /** The duration of a canary alone, in milliseconds. */
  async runCanaryAlone(): Promise<number> {
    return await this.#runCanary();
  }

  /** Runs a case with concurrent canaries, and deletes everything again. */
  async run(hostile: HostileCase, settings: Settings): Promise<Result> {
    const began = performance.now();
    this.#served = 0;
    this.#world.config = { ...this.#settings, ...settings, ...hostile.settings };
    const written: HostileObject[] = [];
    const canaries: number[] = [];
    let held = 0;
    let problem: string | undefined;
    try {
      const refusal = await this.#write(await hostile.make(), written);
      const outcome = this.#outcome(hostile, refusal);
      let isOver = false;
      outcome.finally(() => isOver = true).catch(() => {});
      this.#loop.readAndReset();
      do canaries.push(await this.#runCanary()); while (!isOver && canaries.length < 200);
      held = this.#loop.readAndReset();
      await outcome;
    } catch (error) {
      problem = (error as Error).message;
    }
    if (held > MAX_HELD_MILLIS) problem ??= `The event loop was held for ${Math.round(held)} ms`;
    await this.#clear(written);
    const { rss: memory } = Deno.memoryUsage();
    return { name: hostile.name, problem, millis: performance.now() - began, canaries, held, memory };
  }

  async #write(objects: readonly HostileObject[], written: HostileObject[]): Promise<string | undefined> {
    for (const hostile of objects) {
      const { resource, object, asIs: fields } = hostile;
      const body = fields ? asIs(object as unknown as KubeObject, { ...fields }) : object;
      try {
        await this.#world.client.create(resource, resource.namespaced ? NAMESPACE : undefined, body as KubeObject);
        written.push(hostile);
      } catch (error) {
        return (error as Error).message;
      }
    }
  }

  async #outcome({ outcome }: HostileCase, refusal: string | undefined): Promise<void> {
    if (outcome.kind === "refused") {
      if (refusal !== undefined && outcome.message.test(refusal)) return;
      throw new Error(`Expected a refusal like ${outcome.message}, got ${refusal ?? "none"}`);
    }
    if (refusal !== undefined) throw new Error(`The API server refuses it: ${refusal.slice(0, 300)}`);
    if (outcome.kind === "stays") return;
    const ended = await this.#waitUntil(`${NAMESPACE}/${HOSTILE}`, ({ status }) => status?.finishedAt !== undefined);
    const { phase, message = "" } = ended.status!;
    const messages = [message, ...Object.values(await nodesOf(ended)).map((node) => node.message ?? "")];
    const seen = `${phase} ${JSON.stringify(messages.find(Boolean) ?? "").slice(0, 300)}`;
    if (!outcome.phases.includes(phase!)) throw new Error(`Expected ${outcome.phases.join(" or ")}, got ${seen}`);
    if (outcome.message && !messages.some((text) => outcome.message!.test(text))) {
      throw new Error(`Expected a message like ${outcome.message}, got ${seen}`);
    }
  }

  /** Resolves to a workflow when it is in a state. */
  async #waitUntil(key: string, holds: (workflow: Workflow) => boolean): Promise<Workflow> {
    const { promise, resolve, reject } = Promise.withResolvers<Workflow>();
    const look = () => {
      const workflow = this.#workflows.get(key) as unknown as Workflow | undefined;
      if (workflow && holds(workflow)) resolve(workflow);
    };
    const timer = setTimeout(() => {
      const { phase, message } = (this.#workflows.get(key)?.status ?? {}) as { phase?: string; message?: string };
      const log = this.#world.logLines.slice(-3).map((line) => line.slice(0, 300)).join("\n");
      reject(new Error(`${key} had not finished after ${SECONDS} s: ${phase} ${message ?? ""}\n${log}`));
    }, SECONDS * 1000);
    this.#waiting.add(look);
    look();
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(look);
    }
  }

  async #runCanary(): Promise<number> {
    const name = `canary-${this.#canaries++}`;
    const began = performance.now();
    await this.#world.submit(sleepingWorkflow(name), CANARIES);
    const ended = await this.#waitUntil(`${CANARIES}/${name}`, ({ status }) => status?.finishedAt !== undefined);
    const millis = performance.now() - began;
    if (ended.status?.phase !== "Succeeded") throw new Error(`The canary ended as ${ended.status?.phase}`);
    await this.#world.client.delete(WORKFLOWS, CANARIES, name);
    return millis;
  }

  /** Ends a pod successfully, as its executor and its kubelet do. */
  async #serve({ metadata: { name = "", namespace, finalizers = [] } }: Pod): Promise<void> {
    if (namespace !== CANARIES && (!finalizers.length || this.#served++ > MAX_PODS)) return;
    try {
      await this.#world.report(await this.#world.startPod(name, namespace), true);
      await this.#world.endPod(name, {}, namespace);
    } catch {
      // A user deleted it meanwhile.
    }
  }

  async #clear(written: readonly HostileObject[]): Promise<void> {
    for (const { resource, object: { metadata } } of written.toReversed()) {
      const namespace = resource.namespaced ? NAMESPACE : undefined;
      try {
        await this.#world.client.patch(resource, namespace, String(metadata.name), { metadata: { finalizers: null } });
        await this.#world.client.delete(resource, namespace, String(metadata.name), { gracePeriodSeconds: 0 });
      } catch (error) {
        if (classifyError(error) !== "notFound") throw error;
      }
    }
    const { items: reports } = await this.#world.client.list<KubeObject>(WORKFLOW_TASK_RESULTS, NAMESPACE);
    for (const { metadata } of reports) {
      await this.#world.client.delete(WORKFLOW_TASK_RESULTS, NAMESPACE, metadata.name!);
    }
    for (const pod of this.#pods.list().filter(({ metadata }) => metadata.namespace === NAMESPACE)) {
      try {
        await this.#world.client.patch(PODS, NAMESPACE, pod.metadata.name!, { metadata: { finalizers: null } });
        await this.#world.client.delete(PODS, NAMESPACE, pod.metadata.name!, { gracePeriodSeconds: 0 });
      } catch (error) {
        if (classifyError(error) !== "notFound") throw new Error(`Could not delete ${keyOf(pod)}`, { cause: error });
      }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended.abort();
    this.#loop[Symbol.dispose]();
    await this.#world[Symbol.asyncDispose]();
  }
}

/** The nodes of a workflow; empty when they cannot be read. */
async function nodesOf(workflow: Workflow): Promise<NonNullable<NonNullable<Workflow["status"]>["nodes"]>> {
  try {
    return (await hydrate(workflow)).status?.nodes ?? {};
  } catch {
    return {};
  }
}
