/** An object as it changes: watched, or asked for again and again where watching is not allowed. */
import { pause, systemClock } from "../../lib/clock/mod.ts";
import type { KubeClient } from "../../lib/kube/client.ts";
import { sortError } from "../../lib/kube/errors.ts";
import type { KubeObject } from "../../lib/kube/object.ts";
import type { Target } from "./targets.ts";

/** The signal that ends the following of an object, and its pace where there is no watch. */
export interface VersionsOptions {
  /** Ends the wait; its reason is thrown. */
  readonly signal: AbortSignal;
  /** The time between two looks where there is no watch, in milliseconds. */
  readonly interval?: number;
  readonly log?: (message: string) => void;
}

const INTERVAL = 5000;

/** The time in seconds for which the server keeps a watch open; then the object is read anew. */
const WATCH_SECONDS = 300;

/**
 * Yields the object as it is, then each time it changes. The world's troubles are waited out.
 * @throws {KubeError} of status 404 when it is gone.
 */
export async function* versionsOf(
  client: KubeClient,
  { resource, namespace, name }: Target,
  { signal, interval = INTERVAL, log = () => {} }: VersionsOptions,
): AsyncGenerator<KubeObject> {
  for (;;) {
    signal.throwIfAborted();
    const object = await client.get(resource, namespace, name).catch((error) => {
      if (sortError(error) !== "transient") throw error;
      log(`${resource.plural}/${name} could not be read, trying again: ${error.message}`);
    });
    if (object) {
      yield object;
      if (yield* changes(object.metadata.resourceVersion)) continue;
    }
    await pause(systemClock, interval, signal);
  }

  /** Yields what a watch tells; true when the object must be looked for at once. */
  async function* changes(resourceVersion: string | undefined): AsyncGenerator<KubeObject, boolean> {
    const options = { resourceVersion, fieldSelector: `metadata.name=${name}`, timeoutSeconds: WATCH_SECONDS };
    try {
      for await (const { type, object } of client.watch(resource, namespace, options, signal)) {
        if (type === "DELETED") return true;
        if (type !== "BOOKMARK") yield object;
      }
    } catch (error) {
      log(`${resource.plural}/${name} cannot be watched, looking again: ${(error as Error).message}`);
    }
    return false;
  }
}
