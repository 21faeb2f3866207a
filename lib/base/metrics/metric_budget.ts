/** The memory that metrics of workflows may take, of each namespace and of all together. */
import { LIMITS } from "../limits.ts";
import type { MetricAccount } from "./instrument.ts";

/** A metric of a workflow that cannot be recorded. The message is Argo's where it has one. */
export class MetricError extends Error {
  override readonly name = "MetricError";
}

/** Counts bytes by namespace. */
export class MetricBudget implements MetricAccount {
  readonly #taken = new Map<string, number>();
  #all = 0;

  take(namespace: string, bytes: number): void {
    const problem = this.problemWith(namespace, bytes);
    if (problem !== undefined) throw new MetricError(problem);
    this.#all += bytes;
    this.#taken.set(namespace, (this.#taken.get(namespace) ?? 0) + bytes);
  }

  give(namespace: string, bytes: number): void {
    const left = (this.#taken.get(namespace) ?? 0) - bytes;
    this.#all -= bytes;
    if (left > 0) this.#taken.set(namespace, left);
    else this.#taken.delete(namespace);
  }

  /** The reason why a namespace may not take some bytes more; undefined when it may, or needs none. */
  problemWith(namespace: string, bytes: number): string | undefined {
    const { namespaceMetricsBytes, metricsBytes } = LIMITS;
    if (bytes === 0) return undefined;
    if ((this.#taken.get(namespace) ?? 0) + bytes > namespaceMetricsBytes) {
      return `the metrics of namespace ${
        JSON.stringify(namespace)
      } would take more than ${namespaceMetricsBytes} bytes`;
    }
    if (this.#all + bytes > metricsBytes) {
      return `the metrics of all namespaces would take more than ${metricsBytes} bytes`;
    }
    return undefined;
  }
}
