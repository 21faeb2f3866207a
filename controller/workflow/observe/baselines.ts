/** The baselines of all workflows: the durations of the newest similar workflow that succeeded. */
import { fieldsOf } from "@tiphys/base/fields_of";
import { keepNewest } from "@tiphys/base/text_cache";
import type { KubeObject } from "@tiphys/kube";
import { millisOf } from "@tiphys/model/status";
import { type Baseline, type SimilarityFields, similarityKey } from "@tiphys/engine";

/** The maximum number of nodes of one workflow, and of baselines; the oldest baseline is dropped first. */
const MAX_NODES = 1000;
const MAX_BASELINES = 2000;

/** The entry of the newest workflow among similar ones. */
interface BaselineEntry {
  readonly created: string;
  readonly baseline: Baseline;
}

/**
 * The baselines, from every workflow that is seen. A baseline outlives its workflow, which may have a time to live.
 * Nodes that are stored compressed have no estimates.
 */
export class Baselines {
  readonly #entries = new Map<string, BaselineEntry>();

  /** Records a workflow. */
  recordWorkflow(workflow: KubeObject): void {
    const { metadata: { name = "", creationTimestamp: created = "" }, status } = workflow;
    const { phase, startedAt, finishedAt, nodes } = fieldsOf(status);
    const key = phase === "Succeeded" ? keyOf(workflow) : undefined;
    if (key === undefined) return;
    const before = this.#entries.get(key);
    if (before && before.created >= created) return;
    const seconds = secondsBetween(startedAt, finishedAt);
    if (seconds === undefined) return;
    const baseline = { seconds, nodes: nodesOf(name, fieldsOf(nodes)) };
    keepNewest(this.#entries, key, { created, baseline }, MAX_BASELINES);
  }

  /**
   * Records the duration of an archived workflow that is similar to this one; any workflow that is seen later is
   * newer.
   */
  recordArchived(workflow: SimilarityFields, seconds: number): void {
    const key = keyOf(workflow);
    if (key === undefined || this.#entries.has(key)) return;
    keepNewest(this.#entries, key, { created: "", baseline: { seconds, nodes: new Map() } }, MAX_BASELINES);
  }

  /** Returns the baseline from which the durations of a workflow are estimated. */
  baselineOf(workflow: SimilarityFields): Baseline | undefined {
    const key = keyOf(workflow);
    return key === undefined ? undefined : this.#entries.get(key)?.baseline;
  }
}

function keyOf(workflow: SimilarityFields): string | undefined {
  const likeness = similarityKey(workflow);
  return likeness && `${workflow.metadata.namespace}/${likeness}`;
}

function nodesOf(workflow: string, nodes: Readonly<Record<string, unknown>>): Map<string, number> {
  const found = new Map<string, number>();
  for (const node of Object.values(nodes)) {
    const { name, startedAt, finishedAt } = fieldsOf(node);
    const seconds = secondsBetween(startedAt, finishedAt);
    if (typeof name !== "string" || !name.startsWith(workflow) || !seconds) continue;
    found.set(name.slice(workflow.length), seconds);
    if (found.size === MAX_NODES) break;
  }
  return found;
}

function secondsBetween(from: unknown, to: unknown): number | undefined {
  if (typeof from !== "string" || typeof to !== "string") return undefined;
  const seconds = Math.trunc((millisOf(to) - millisOf(from)) / 1000);
  return seconds >= 0 ? seconds : undefined;
}
