/** Compares the same workflows in two clusters. */
import type { Workflow } from "@tiphys/model/api";
import { sameJson } from "@tiphys/kube/patch";
import { comparableStatus } from "./comparable_status.ts";

/** A field in the status of a workflow, and its value in each of the two runs. */
export interface Difference {
  /** The name of the workflow, without its generated suffix. */
  readonly workflow: string;
  readonly path: string;
  readonly cluster: unknown;
  readonly embedded: unknown;
}

/** A workflow that ended in both places. */
export interface Pair {
  readonly workflow: string;
  readonly cluster: Workflow;
  readonly embedded: Workflow;
}

/** The workflows of two runs of the suite, by whether they can be compared. */
export interface Pairing {
  readonly pairs: readonly Pair[];
  /** Names of workflows that exist in both clusters but did not complete in at least one; each name once. */
  readonly unended: readonly string[];
  /** Names of workflows that exist in only one of the clusters. */
  readonly elsewhere: readonly string[];
}

/**
 * Pairs the workflows that completed in both clusters. Of several with the same name, the most similar ones are paired.
 * The suite deletes a workflow as soon as it has seen the expected state, perhaps earlier in one cluster than in the
 * other: whether it should have completed is for the suite to judge.
 */
export function pairWorkflows(cluster: readonly Workflow[], embedded: readonly Workflow[]): Pairing {
  const pairs: Pair[] = [];
  const elsewhere = new Set(cluster.map(baseName)).symmetricDifference(new Set(embedded.map(baseName)));
  const alone = [...cluster, ...embedded].filter((workflow) => !hasEnded(workflow)).map(baseName);
  const there = Map.groupBy(embedded.filter(hasEnded), baseName);
  for (const [workflow, ofCluster] of Map.groupBy(cluster.filter(hasEnded), baseName)) {
    const candidates = new Set(there.get(workflow));
    for (
      const embedded of [...ofCluster].sort((a, b) =>
        smallestDifference(a, candidates) - smallestDifference(b, candidates)
      )
    ) {
      const other = mostSimilar(embedded, [...candidates]);
      if (other === undefined) {
        alone.push(workflow);
        continue;
      }
      candidates.delete(other);
      pairs.push({ workflow, cluster: embedded, embedded: other });
    }
    alone.push(...[...candidates].map(baseName));
    there.delete(workflow);
  }
  alone.push(...[...there.values()].flat().map(baseName));
  return { pairs, unended: [...new Set(alone).difference(elsewhere)], elsewhere: [...elsewhere] };
}

/** The distance of a workflow to the most similar candidate: workflows with an equal candidate choose first. */
function smallestDifference(workflow: Workflow, candidates: ReadonlySet<Workflow>): number {
  return Math.min(...[...candidates].map((other) => differenceCount(workflow, other)), Number.MAX_SAFE_INTEGER);
}

function mostSimilar(workflow: Workflow, candidates: readonly Workflow[]): Workflow | undefined {
  return candidates.toSorted((a, b) => differenceCount(workflow, a) - differenceCount(workflow, b))[0];
}

function differenceCount(cluster: Workflow, embedded: Workflow): number {
  const pair = { workflow: "", cluster, embedded };
  return differencesOf(pair).length + (sameJson(cluster.spec, embedded.spec) ? 0 : 1000);
}

function baseName({ metadata: { name = "", generateName } }: Workflow): string {
  return generateName ?? name;
}

function hasEnded({ status }: Workflow): boolean {
  return status?.finishedAt !== undefined && status.finishedAt !== null;
}

/** The differences between the two runs of a workflow. */
export function differencesOf({ workflow, cluster, embedded }: Pair): Difference[] {
  return [...walk(comparableStatus(cluster), comparableStatus(embedded), "")].map((difference) => ({
    workflow,
    ...difference,
  }));
}

function* walk(cluster: unknown, embedded: unknown, path: string): Generator<Omit<Difference, "workflow">> {
  if (sameJson(cluster, embedded)) return;
  if (!isContainer(cluster) || !isContainer(embedded) || Array.isArray(cluster) !== Array.isArray(embedded)) {
    yield { path, cluster, embedded };
    return;
  }
  for (const field of new Set([...Object.keys(cluster), ...Object.keys(embedded)])) {
    yield* walk(cluster[field], embedded[field], path === "" ? field : `${path}/${field}`);
  }
}

function isContainer(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
