/**
 * Ends the containers of a pod: SIGTERM, then SIGKILL after the pod's grace period, then the deletion of the pod.
 * Containers through which uploads go get their signal after the executor has ended: artifact plugins, and containers
 * that others put into the pod, such as a proxy.
 */
import type { Pod } from "@tiphys/model/api";
import { pause, systemClock } from "@tiphys/base/clock";
import { PATH } from "@tiphys/base/constants";
import { isArtifactPlugin, isAux } from "@tiphys/model/container_names";
import { classifyError, keyOf, type KubeClient } from "@tiphys/kube";
import { isAbort } from "@tiphys/kube/errors";
import type { Log } from "@tiphys/base/log";
import { killCommand } from "./kill_command.ts";
import { deletePod } from "./release_pod.ts";

const DEFAULT_GRACE_SECONDS = 30;
const EXEC_LIMIT_MILLIS = 120_000;

/** The client that ends containers, and the local copy that shows the outcome. */
export interface TerminatorOptions {
  readonly client: KubeClient;
  readonly log: Log;
  /** The newest known state of a pod by `namespace/name`. */
  readonly podNow: (key: string) => Pod | undefined;
  readonly signal: AbortSignal;
  /** Called after all attempts to end a pod: a pass may find that it is still running, and request its end again. */
  readonly onTried?: (pod: Pod) => void;
  /** Resolves after the time or when the signal is aborted; replaced in tests. */
  readonly wait?: (millis: number, signal: AbortSignal) => Promise<void>;
}

type ContainerFilter = (container: string) => boolean;

/** The terminator of a controller. It ignores requests for a pod that it is already ending. */
export class Terminator {
  readonly #options: TerminatorOptions;
  readonly #wait: (millis: number, signal: AbortSignal) => Promise<void>;
  readonly #ending = new Map<string, Promise<void>>();
  /** Functions to call at the next change of a pod, by the key (`namespace/name`) of the pod. */
  readonly #waiting = new Map<string, Set<() => void>>();

  constructor(options: TerminatorOptions) {
    this.#options = options;
    this.#wait = options.wait ?? ((millis, signal) => pause(systemClock, millis, signal));
  }

  /**
   * Starts to end a pod's containers and returns at once. A pod that has not started is deleted. With `keepsExecutor`,
   * only the containers of the user are ended while the executor runs.
   */
  terminate(pod: Pod, { keepsExecutor }: { readonly keepsExecutor?: true } = {}): void {
    const name = `${pod.metadata.uid ?? keyOf(pod)} ${keepsExecutor ? "others" : "all"}`;
    if (this.#ending.has(name)) return;
    const { log, signal, onTried } = this.#options;
    const ending = (keepsExecutor ? this.#endOthers(pod) : this.#end(pod)).catch((error) => {
      if (isAbort(error) || signal.aborted) return;
      log.warn("Could not end the containers of a pod", { pod: keyOf(pod), error: String(error) });
    }).finally(() => {
      this.#ending.delete(name);
      if (!signal.aborted) onTried?.(pod);
    });
    this.#ending.set(name, ending);
  }

  /** Wakes the callers that wait for a change of the pod, which has changed or is gone. */
  recheckPod(pod: Pod): void {
    for (const look of this.#waiting.get(keyOf(pod)) ?? []) look();
  }

  /** Resolves when no pod is being ended. */
  async idle(): Promise<void> {
    while (this.#ending.size) await Promise.all(this.#ending.values());
  }

  async #end(pod: Pod): Promise<void> {
    if ((pod.status?.phase ?? "Pending") === "Pending") return await deletePod(this.#options.client, pod);
    const carries = carriesUploads(pod);
    const isFirst: ContainerFilter = (container) => !carries(container);
    await this.#endContainers(pod, isFirst);
    const survivors = this.#running(pod, isFirst);
    if (survivors.length > 0) {
      this.#options.log.warn("Containers did not end; deleting their pod", {
        pod: keyOf(pod),
        containers: survivors.join(","),
      });
      return await deletePod(this.#options.client, this.#options.podNow(keyOf(pod))!);
    }
    await this.#endAfterExecutor(pod);
  }

  /** Ends the containers of the user, and the other ones if the executor has ended. */
  async #endOthers(pod: Pod): Promise<void> {
    const carries = carriesUploads(pod);
    await this.#endContainers(pod, (container) => !isAux(container) && !carries(container));
    await this.#endAfterExecutor(pod);
  }

  /** Ends the containers through which uploads go, unless the executor is running. */
  async #endAfterExecutor(pod: Pod): Promise<void> {
    if (this.#running(pod, isAux).length === 0) await this.#endContainers(pod, carriesUploads(pod));
  }

  async #endContainers(pod: Pod, which: ContainerFilter): Promise<void> {
    if (this.#running(pod, which).length === 0) return;
    const maySignal = await this.#kill(pod, which, 15);
    const grace = (pod.spec.terminationGracePeriodSeconds ?? DEFAULT_GRACE_SECONDS) * 1000;
    if (await this.#endWithin(pod, which, grace) || !maySignal) return;
    await this.#kill(pod, which, 9);
    await this.#endWithin(pod, which, grace);
  }

  /**
   * Sends a signal to every running container in parallel. A container that has ended in the meantime is not an
   * error. Returns false when the role of the controller does not permit to run commands in containers.
   */
  async #kill(pod: Pod, which: ContainerFilter, signal: number): Promise<boolean> {
    const { client, log } = this.#options;
    const { namespace, name: podName } = pod.metadata;
    let isPermitted = true;
    await Promise.all(
      this.#running(pod, which).map(async (container) => {
        const limit = AbortSignal.any([this.#options.signal, AbortSignal.timeout(EXEC_LIMIT_MILLIS)]);
        const about = { pod: keyOf(pod), container };
        try {
          const result = await client.exec(
            namespace!,
            podName!,
            container,
            killCommand(pod, container, signal),
            limit,
          );
          if (result.exitCode !== 0) log.debug("A kill command failed", { ...about, exitCode: result.exitCode });
        } catch (error) {
          if (classifyError(error) === "forbidden") isPermitted = false;
          if (this.#running(pod, (name) => name === container).length) {
            log.warn("Could not signal a container", { ...about, error: String(error) });
          }
        }
      }),
    );
    return isPermitted;
  }

  /** Returns the containers of exactly this pod that are running, by the newest known state. */
  #running(pod: Pod, which: ContainerFilter): string[] {
    const now = this.#options.podNow(keyOf(pod));
    if (!now || now.metadata.uid !== pod.metadata.uid) return [];
    const statuses = (now.status?.containerStatuses ?? []).filter(({ name, state }) => state?.running && which(name));
    return statuses.map(({ name }) => name);
  }

  async #endWithin(pod: Pod, which: ContainerFilter, millis: number): Promise<boolean> {
    const over = new AbortController();
    const signal = AbortSignal.any([this.#options.signal, over.signal]);
    const ended = () => this.#running(pod, which).length === 0;
    const waiting = this.#waiting.get(keyOf(pod)) ?? new Set();
    this.#waiting.set(keyOf(pod), waiting);
    const look = () => {
      if (ended()) over.abort();
    };
    waiting.add(look);
    try {
      look();
      await this.#wait(millis, signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      waiting.delete(look);
      if (waiting.size === 0) this.#waiting.delete(keyOf(pod));
    }
    this.#options.signal.throwIfAborted();
    return ended();
  }
}

/** Matches artifact plugins and containers that others put into the pod. */
function carriesUploads(pod: Pod): ContainerFilter {
  return (container) => isArtifactPlugin(container) || !mountsOurVolume(pod, container);
}

/**
 * Every container that the controller added to a pod or wrapped has the shared volume; one that a webhook added does
 * not.
 */
function mountsOurVolume(pod: Pod, container: string): boolean {
  const mounts = pod.spec.containers.find(({ name }) => name === container)?.volumeMounts ?? [];
  return mounts.some(({ mountPath }) => mountPath === PATH.varRunArgo);
}
