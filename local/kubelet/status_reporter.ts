/** Writes a pod's status: always the latest one, one write at a time, and only if it has changed. */

import type { Pod, PodStatus } from "@tiphys/model/api";
import { pause, systemClock } from "@tiphys/base/clock";
import { classifyError, type KubeClient, PODS } from "@tiphys/kube";
import { sameJson } from "@tiphys/kube/patch";

const RETRY_MS = 200;

export class StatusReporter {
  readonly #client: KubeClient;
  readonly #pod: Pod;
  readonly #statusNow: () => PodStatus;
  readonly #onError: (error: unknown) => void;
  #written: PodStatus | undefined;
  #dirty = false;
  #writing: Promise<void> | undefined;
  #gone = false;
  #isTrouble = false;
  #isEnding = false;

  /**
   * `statusNow` is called at the start of each write. `onError` is called with refusals, after which nothing is written
   * any more, and with the first of several temporary errors, after which writes are retried.
   */
  constructor(client: KubeClient, pod: Pod, statusNow: () => PodStatus, onError: (error: unknown) => void) {
    this.#client = client;
    this.#pod = pod;
    this.#statusNow = statusNow;
    this.#onError = onError;
  }

  /** Notifies the reporter that the status may have changed. */
  report(): void {
    this.#dirty = true;
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined;
      // The status may have changed after it was last computed.
      if (this.#dirty && !this.#gone) this.report();
    });
  }

  /** Stops retrying failed writes. The next kubelet determines what happened to the pod. */
  end(): void {
    this.#isEnding = true;
  }

  /** Resolves when the latest status is written, or the pod is deleted. */
  async flushed(): Promise<void> {
    while (this.#writing) await this.#writing;
  }

  async #write(): Promise<void> {
    while (this.#dirty && !this.#gone) {
      this.#dirty = false;
      const status = this.#statusNow();
      if (this.#written && sameJson(this.#written, status)) continue;
      const { namespace, name = "", uid } = this.#pod.metadata;
      try {
        // With the UID, a write to another pod of the same name results in a conflict.
        await this.#client.patch(PODS, namespace, name, { metadata: { uid }, status }, "merge", {
          subresource: "status",
        });
        this.#written = status;
        this.#isTrouble = false;
      } catch (error) {
        const sort = classifyError(error);
        if (sort !== "transient") {
          this.#gone = true;
          if (sort !== "notFound" && sort !== "conflict") this.#onError(error);
        } else if (!this.#isEnding) {
          if (!this.#isTrouble) this.#onError(error);
          this.#isTrouble = true;
          this.#dirty = true;
          await pause(systemClock, RETRY_MS);
        }
      }
    }
  }
}
