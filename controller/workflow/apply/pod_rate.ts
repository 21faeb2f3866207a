/**
 * The rate at which pods are created (`resourceRateLimit`), and the end of waiting for pods that are no longer needed.
 */
import type { Workflow } from "@tiphys/model/api";
import type { MetricRegistry } from "@tiphys/base/metrics";
import type { Clock } from "../../loop/clock.ts";
import { type RateLimit, RateLimiter } from "../../loop/rate_limiter.ts";

/** The limit on pods per second, and whether a pod is still needed when its turn comes. */
export interface PodRateOptions {
  readonly limit: () => RateLimit | undefined;
  readonly clock: Clock;
  readonly metrics: MetricRegistry;
  /** Whether a node of a workflow still waits for its pod. */
  readonly isWanted: (workflow: Workflow, nodeId: string) => boolean;
}

/** The rate of all pods of a controller. */
export class PodRate {
  readonly #options: PodRateOptions;
  readonly #limiter: RateLimiter;

  constructor(options: PodRateOptions) {
    this.#options = options;
    this.#limiter = new RateLimiter(options);
  }

  /** Waits until the pod of a node may be created; resolves to false if it is no longer needed. */
  async mayCreate(workflow: Workflow, nodeId: string): Promise<boolean> {
    const { clock, isWanted, limit, metrics } = this.#options;
    const latency = metrics.builtIn("resource_rate_limiter_latency");
    if (!limit()) {
      // Without a limit no pod waits, which counts as a latency as well.
      latency.observe({}, 0);
      return true;
    }
    const began = clock.now();
    const mayGo = await this.#limiter.take();
    latency.observe({}, (clock.now() - began) / 1000);
    return mayGo && isWanted(workflow, nodeId);
  }

  /** Records that the limit may have changed. */
  reconsider(): void {
    this.#limiter.reconsider();
  }

  /** Ends the wait of all pods; they are not created. */
  close(): void {
    this.#limiter.close();
  }
}
