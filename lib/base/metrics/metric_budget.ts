/** Limits the memory of workflows' metrics, per namespace and in total. */
import { LIMITS } from "../limits.ts";
import type { MetricAccount } from "./instrument.ts";

/** The error of a workflow's metric that cannot be recorded, with Argo's message if there is one. */
export class MetricError extends Error {
  override readonly name = "MetricError";
}

/** Counts bytes per namespace. */
export class MetricBudget implements MetricAccount {
  readonly #bytesByNamespace = new Map<string, number>();
  #all = 0;

  reserve(namespace: string, bytes: number): void {
    const problem = this.problemWith(namespace, bytes);
    if (problem !== undefined) throw new MetricError(problem);
    this.#all += bytes;
    this.#bytesByNamespace.set(namespace, (this.#bytesByNamespace.get(namespace) ?? 0) + bytes);
  }

  release(namespace: string, bytes: number): void {
    const left = (this.#bytesByNamespace.get(namespace) ?? 0) - bytes;
    this.#all -= bytes;
    if (left > 0) this.#bytesByNamespace.set(namespace, left);
    else this.#bytesByNamespace.delete(namespace);
  }

  /** Returns an error message when a namespace cannot use more bytes. */
  problemWith(namespace: string, bytes: number): string | undefined {
    const { namespaceMetricsBytes, metricsBytes } = LIMITS;
    if (bytes === 0) return undefined;
    if ((this.#bytesByNamespace.get(namespace) ?? 0) + bytes > namespaceMetricsBytes) {
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
