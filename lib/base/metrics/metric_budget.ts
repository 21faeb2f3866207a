/** Limits the memory of workflows' metrics, per namespace and in total. */
import { LIMITS } from "../limits.ts";
import type { MetricAccount } from "./instrument.ts";

/** The error of a workflow's metric that cannot be recorded, with Argo's message if there is one. */
export class MetricError extends Error {
  override readonly name = "MetricError";
}

/** Counts bytes per namespace. */
export class MetricBudget implements MetricAccount {
  readonly #taken = new Map<string, number>();
  #all = 0;

  reserve(namespace: string, bytes: number): void {
    const problem = this.problemWith(namespace, bytes);
    if (problem !== undefined) throw new MetricError(problem);
    this.#all += bytes;
    this.#taken.set(namespace, (this.#taken.get(namespace) ?? 0) + bytes);
  }

  release(namespace: string, bytes: number): void {
    const left = (this.#taken.get(namespace) ?? 0) - bytes;
    this.#all -= bytes;
    if (left > 0) this.#taken.set(namespace, left);
    else this.#taken.delete(namespace);
  }

  /** Returns an error message when a namespace cannot use more bytes. */
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
