/** Ends the containers of a pod: asks with SIGTERM, waits for the pod's grace period, insists with SIGKILL. */
import type { Pod } from "../../lib/api/mod.ts";
import { isAbort, keyOf, type KubeClient, PODS, sortError } from "../../lib/kube/mod.ts";
import type { Log } from "../log.ts";
import { killCommand } from "./kill_command.ts";

const DEFAULT_GRACE_SECONDS = 30;
const EXEC_LIMIT_MILLIS = 120_000;

/** One for a controller: a pod that is being ended already is left to that. */
export class Terminator {
  readonly #client: KubeClient;
  readonly #log: Log;
  readonly #podNow: (key: string) => Pod | undefined;
  readonly #ending = new Map<string, Promise<void>>();
  readonly #signal: AbortSignal;

  /** `podNow` reads the newest known state of a pod by `namespace/name`. */
  constructor(client: KubeClient, log: Log, podNow: (key: string) => Pod | undefined, signal: AbortSignal) {
    this.#client = client;
    this.#log = log;
    this.#podNow = podNow;
    this.#signal = signal;
  }

  /** Begins to end a pod's containers and returns at once. A pod that has not started is deleted. */
  terminate(pod: Pod): void {
    const uid = pod.metadata.uid ?? keyOf(pod);
    if (this.#ending.has(uid)) return;
    const ending = this.#end(pod).catch((error) => {
      if (!isAbort(error) && !this.#signal.aborted) {
        this.#log.warn("Could not end the containers of a pod", { pod: keyOf(pod), error: String(error) });
      }
    }).finally(() => this.#ending.delete(uid));
    this.#ending.set(uid, ending);
  }

  /** Resolves when nothing is being ended any more. */
  async idle(): Promise<void> {
    while (this.#ending.size) await Promise.all(this.#ending.values());
  }

  async #end(pod: Pod): Promise<void> {
    const { namespace, name, uid } = pod.metadata;
    if ((pod.status?.phase ?? "Pending") === "Pending") {
      try {
        await this.#client.delete(PODS, namespace, name!, { uid });
      } catch (error) {
        if (sortError(error) !== "notFound" && sortError(error) !== "conflict") throw error;
      }
      return;
    }
    await this.#kill(pod, 15);
    const grace = pod.spec.terminationGracePeriodSeconds ?? DEFAULT_GRACE_SECONDS;
    if (await this.#endsWithin(pod, grace * 1000)) return;
    await this.#kill(this.#podNow(keyOf(pod)) ?? pod, 9);
  }

  /** Every running container at once; a container that ended meanwhile is no trouble. */
  async #kill(pod: Pod, signal: number): Promise<void> {
    const running = (pod.status?.containerStatuses ?? []).filter(({ state }) => state?.running);
    await Promise.all(running.map(async ({ name }) => {
      const limit = AbortSignal.any([this.#signal, AbortSignal.timeout(EXEC_LIMIT_MILLIS)]);
      try {
        const { namespace, name: podName } = pod.metadata;
        const result = await this.#client.exec(namespace!, podName!, name, killCommand(pod, name, signal), limit);
        if (result.exitCode !== 0) {
          this.#log.debug("A kill command failed", { pod: keyOf(pod), container: name, exitCode: result.exitCode });
        }
      } catch (error) {
        if (this.#isRunning(pod, name)) {
          this.#log.warn("Could not signal a container", { pod: keyOf(pod), container: name, error: String(error) });
        }
      }
    }));
  }

  #isRunning(pod: Pod, container: string): boolean {
    const statuses = this.#podNow(keyOf(pod))?.status?.containerStatuses ?? [];
    return statuses.some(({ name, state }) => name === container && state?.running);
  }

  async #endsWithin(pod: Pod, millis: number): Promise<boolean> {
    const until = Date.now() + millis;
    while (Date.now() < until) {
      const now = this.#podNow(keyOf(pod));
      if (!now || now.metadata.uid !== pod.metadata.uid) return true;
      if (!(now.status?.containerStatuses ?? []).some(({ state }) => state?.running)) return true;
      await pause(Math.min(500, until - Date.now()), this.#signal);
    }
    return false;
  }
}

function pause(millis: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, millis);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}
