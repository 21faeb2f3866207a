/**
 * Orphan pods: pods whose workflow is gone or has finished, or whose namespace is being removed, lose the controller's
 * finalizer, which would keep them forever. Watches report changes; at the start and every few minutes all pods are
 * checked, for those that were missed while no controller ran or because of a bug.
 */
import type { Pod } from "@tiphys/model/api";
import { LABEL } from "@tiphys/base/constants";
import { keepNewest } from "@tiphys/base/text_cache";
import { classifyError, keyOf, type KubeClient, type KubeObject, NAMESPACES, WORKFLOWS } from "@tiphys/kube";
import { deletePod, releasePod } from "../apply/release_pod.ts";
import type { Log } from "@tiphys/base/log";
import { type Clock, machineClock } from "../../loop/clock.ts";
import { WorkQueue } from "../../loop/work_queue.ts";
import { hasStatusFinalizer, isDeleting } from "@tiphys/engine";
import { type OrphanAction, orphanActionOf, type Owner, ownerOf } from "./orphan_action.ts";
import { summarizeHeldPods } from "./held_by_age.ts";
import { listHeldPods, type Scope } from "./list_held_pods.ts";

/** The local copies for finding owners of pods, and the client that releases pods. */
export interface OrphansOptions extends Scope {
  readonly client: KubeClient;
  readonly log: Log;
  /** The local copy of a workflow, by `namespace/name`. */
  readonly workflowAt: (key: string) => KubeObject | undefined;
  /** The local copy of a pod, by `namespace/name`. */
  readonly podNow: (key: string) => Pod | undefined;
  /**
   * Records that a pod is being released, until the returned function is called with the pod as it was written: no
   * pass requests it in the meantime. Undefined if one has requested it already.
   */
  readonly finishing?: (pod: Pod) => ((written: Pod | undefined) => void) | undefined;
  /** Called for a pod that ended after its workflow, which still exists and has finished: it has no more passes. */
  readonly onLate?: (workflow: KubeObject, pod: Pod) => void;
  /** The machine's clock if undefined. */
  readonly clock?: Clock;
  /** The interval between two scans of all pods, in milliseconds. */
  readonly sweepEveryMillis?: number;
}

const SWEEP_EVERY_MILLIS = 5 * 60_000;
const RETRY_MILLIS = 1000;
/** The time for which a result about a namespace is cached, in milliseconds. */
const NAMESPACE_MEMORY_MILLIS = 15_000;
/** The number of namespaces to remember. */
const MAX_NAMESPACES = 1_000;
const WORKERS = 4;

/** The search of a controller for orphans; closed with the controller. */
export class Orphans {
  readonly #options: OrphansOptions;
  readonly #background: KubeClient;
  readonly #clock: Clock;
  readonly #queue: WorkQueue;
  /** Pods that a sweep found and the local copies may not have. */
  readonly #podsOfSweep = new Map<string, Pod>();
  readonly #namespaces = new Map<string, { readonly at: number; readonly terminating: boolean }>();
  /** Cancels the timer of the next scan. */
  #timer: (() => void) | undefined;
  #isClosed = false;
  #sweeping: Promise<void> = Promise.resolve();

  constructor(options: OrphansOptions) {
    this.#options = options;
    this.#background = options.client.inBackground();
    this.#clock = options.clock ?? machineClock();
    this.#queue = new WorkQueue((key, stepAside) => this.#work(key, stepAside), WORKERS, this.#clock);
  }

  /** Scans everything now, and at intervals until it is closed. */
  start(): void {
    const { sweepEveryMillis = SWEEP_EVERY_MILLIS } = this.#options;
    const sweep = () => {
      if (this.#isClosed) return;
      this.#sweeping = this.#sweeping.then(() => this.sweep());
      this.#timer = this.#clock.after(sweepEveryMillis, sweep);
    };
    sweep();
  }

  /** Checks a pod in any state. */
  onPod(pod: Pod): void {
    if (hasStatusFinalizer(pod) && isDeleting(pod) || this.#action(pod).kind !== "hold") this.#queue.add(keyOf(pod));
  }

  /** Scans all pods with the finalizer, whatever their labels are; a pod that cannot be released is tried again. */
  async sweep(): Promise<void> {
    const { client, log } = this.#options;
    const held: Pod[] = [];
    try {
      for await (const pod of listHeldPods(client, this.#options)) {
        held.push(pod);
        this.#podsOfSweep.set(keyOf(pod), pod);
        this.#queue.add(keyOf(pod));
      }
    } catch (error) {
      log.warn("Could not scan the held pods", { error: String(error) });
    }
    if (held.length) log.info("Pods are held until their end is recorded", summarizeHeldPods(held, this.#now()));
  }

  /** Stops; resolves when nothing is in progress. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#timer?.();
    await this.#sweeping;
    await this.#queue.close();
  }

  #now(): Date {
    return new Date(this.#clock.now());
  }

  #action(pod: Pod): OrphanAction {
    return orphanActionOf(pod, ownerOf(pod, this.#options.workflowAt), this.#now());
  }

  async #work(key: string, stepAside: () => void): Promise<void> {
    const pod = this.#options.podNow(key) ?? this.#podsOfSweep.get(key);
    this.#podsOfSweep.delete(key);
    if (!pod) return;
    try {
      await this.#resolveOrphan(key, pod, stepAside);
    } catch (error) {
      const sort = classifyError(error);
      this.#options.log.warn("Could not release a pod", { pod: key, error: String(error) });
      if (sort === "transient" || sort === "conflict") this.#queue.addAt(key, this.#now().getTime() + RETRY_MILLIS);
    }
  }

  async #resolveOrphan(key: string, pod: Pod, stepAside: () => void): Promise<void> {
    const { client, log } = this.#options;
    const owner = await this.#confirmOwner(pod, ownerOf(pod, this.#options.workflowAt));
    const action = orphanActionOf(pod, owner, this.#now());
    switch (action.kind) {
      case "delete":
        if (hasStatusFinalizer(pod)) await releasePod(client, pod, { completed: true });
        if (action.at > this.#now().getTime()) return this.#queue.addAt(key, action.at);
        log.info("A pod without a workflow is removed, as its annotation requests", { pod: key });
        return await deletePod(client, pod);
      case "release":
        if (owner.kind === "there" && !isDeleting(pod) && !owner.workflow.metadata.deletionTimestamp) {
          stepAside();
          return await this.#finish(key, pod, owner.workflow);
        }
        log.info("A pod is released: its workflow is gone or has finished", { pod: key });
        if (await releasePod(client, pod, { completed: true }) && owner.kind === "there") {
          this.#options.onLate?.(owner.workflow, pod);
        }
        return;
      case "hold":
        if (!hasStatusFinalizer(pod) || !isDeleting(pod)) return;
        if (!await this.#isTerminating(pod.metadata.namespace!)) return;
        log.info("A pod is released: its namespace is being removed", { pod: key });
        await releasePod(client, pod, { completed: false });
        return;
    }
  }

  /** Releases the pod of a finished workflow that stays. It has low priority, because nothing waits for it. */
  async #finish(key: string, pod: Pod, workflow: KubeObject): Promise<void> {
    const { log, finishing, onLate } = this.#options;
    const answered = finishing ? finishing(pod) : () => {};
    if (!answered) return;
    let written: Pod | undefined;
    try {
      written = await releasePod(this.#background, pod, { completed: true });
    } finally {
      answered(written);
    }
    if (!written) return;
    log.info("A pod is released: its workflow has finished", { pod: key });
    onLate?.(workflow, pod);
  }

  /**
   * Reads a workflow that the copies do not have: they may be outdated, or it may no longer be visible to this
   * controller.
   */
  async #confirmOwner(pod: Pod, owner: Owner): Promise<Owner> {
    if (owner.kind === "there") return owner;
    const reference = pod.metadata.ownerReferences?.find(({ kind }) => kind === "Workflow");
    const name = reference?.name ?? pod.metadata.labels?.[LABEL.workflow];
    if (!name) return owner;
    const workflow = await this.#read(() => this.#options.client.get(WORKFLOWS, pod.metadata.namespace, name));
    return workflow ? ownerOf(pod, () => workflow) : owner;
  }

  async #isTerminating(name: string): Promise<boolean> {
    const now = this.#now().getTime();
    const known = this.#namespaces.get(name);
    if (known && now - known.at < NAMESPACE_MEMORY_MILLIS) return known.terminating;
    const namespace = await this.#read(() => this.#options.client.get(NAMESPACES, undefined, name));
    const terminating = namespace?.metadata.deletionTimestamp !== undefined;
    keepNewest(this.#namespaces, name, { at: now, terminating }, MAX_NAMESPACES);
    return terminating;
  }

  /** Reads an object; undefined if it does not exist or may not be read. */
  async #read(get: () => Promise<KubeObject>): Promise<KubeObject | undefined> {
    try {
      return await get();
    } catch (error) {
      const sort = classifyError(error);
      if (sort === "notFound" || sort === "forbidden") return undefined;
      throw error;
    }
  }
}
