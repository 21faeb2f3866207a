/** Versions of an object as it changes: from a watch, or by polling if watching is not allowed. */
import { pause, systemClock } from "@tiphys/base/clock";
import type { KubeClient } from "@tiphys/kube/client";
import { classifyError } from "@tiphys/kube/errors";
import type { KubeObject } from "@tiphys/kube/object";
import type { Target } from "./targets.ts";

/** The signal that ends the iteration, and the polling interval. */
export interface VersionsOptions {
  /** Ends the iteration. Its reason is thrown. */
  readonly signal: AbortSignal;
  /** The polling interval if the object cannot be watched, in milliseconds. */
  readonly interval?: number;
  readonly log?: (message: string) => void;
}

const INTERVAL = 5000;

/** The duration of a watch in seconds. After it the object is read again. */
const WATCH_SECONDS = 300;

/**
 * Yields the current object, then each changed version. Transient errors are retried.
 * @throws {KubeError} with status 404 when the object is deleted.
 */
export async function* watchVersions(
  client: KubeClient,
  { resource, namespace, name }: Target,
  { signal, interval = INTERVAL, log = () => {} }: VersionsOptions,
): AsyncGenerator<KubeObject> {
  for (;;) {
    signal.throwIfAborted();
    const object = await client.get(resource, namespace, name).catch((error) => {
      if (classifyError(error) !== "transient") throw error;
      log(`${resource.plural}/${name} could not be read, retrying: ${error.message}`);
    });
    if (object) {
      yield object;
      if (yield* watchOnce(object.metadata.resourceVersion)) continue;
    }
    await pause(systemClock, interval, signal);
  }

  /** Yields the versions of a watch. Returns true when the object must be read again at once. */
  async function* watchOnce(resourceVersion: string | undefined): AsyncGenerator<KubeObject, boolean> {
    const options = { resourceVersion, fieldSelector: `metadata.name=${name}`, timeoutSeconds: WATCH_SECONDS };
    try {
      for await (const { type, object } of client.watch(resource, namespace, options, signal)) {
        if (type === "DELETED") return true;
        if (type !== "BOOKMARK") yield object;
      }
    } catch (error) {
      log(`${resource.plural}/${name} cannot be watched, polling: ${(error as Error).message}`);
    }
    return false;
  }
}
