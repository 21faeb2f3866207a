/** Writes a pod's status: always the newest, one write at a time, nothing when nothing changed. */

import type { Pod, PodStatus } from "@tiphys/model/api";
import { pause, systemClock } from "@tiphys/base/clock";
import { type KubeClient, PODS, sameJson, sortError } from "@tiphys/kube";

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
   * `statusNow` is asked when a write begins; `onError` hears of refusals, after which nothing is written any more, and of
   * the beginning of trouble that may pass, during which it is tried again.
   */
  constructor(client: KubeClient, pod: Pod, statusNow: () => PodStatus, onError: (error: unknown) => void) {
    this.#client = client;
    this.#pod = pod;
    this.#statusNow = statusNow;
    this.#onError = onError;
  }

  /** Says that the status may have changed. */
  report(): void {
    this.#dirty = true;
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined;
      // The status may have changed between the last look and this moment.
      if (this.#dirty && !this.#gone) this.report();
    });
  }

  /** Gives up writes that fail from now on: whoever comes next finds out what became of the pod. */
  end(): void {
    this.#isEnding = true;
  }

  /** Resolves when the newest status is written, or the pod is gone. */
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
        // The uid makes it a write to this very pod: a namesake is a conflict.
        await this.#client.patch(PODS, namespace, name, { metadata: { uid }, status }, "merge", {
          subresource: "status",
        });
        this.#written = status;
        this.#isTrouble = false;
      } catch (error) {
        const sort = sortError(error);
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
