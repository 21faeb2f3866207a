/** Reduces a failed run while it fails in the same way: fewer faults, then a smaller case. */
import type { KubeObject } from "@tiphys/kube";
import type { Case } from "./case.ts";
import type { Evidence } from "./evidence.ts";
import type { Fault } from "./faults.ts";
import type { Fence } from "./fences.ts";
import { judge } from "./oracles.ts";
import { runCase } from "./simulation.ts";

/** A run and its violations. */
export interface FailedRun {
  readonly case: Case;
  readonly seed: string;
  readonly faults: readonly Fault[];
  readonly problems: readonly string[];
  readonly evidence: Evidence;
}

export interface ShrinkOptions {
  readonly case: Case;
  readonly seed: string;
  readonly faults: readonly Fault[];
  readonly without?: ReadonlySet<Fence> | undefined;
  /** The number of runs after which the smallest run so far is good enough. */
  readonly mostRuns?: number;
}

const MAX_RUNS = 400;

/** @returns the smallest run found; undefined when the run does not fail with the given faults */
export async function shrink(options: ShrinkOptions): Promise<FailedRun | undefined> {
  const search = new Search(options);
  const first = await search.run(options.case, options.faults);
  if (!first) return undefined;
  let smallest = first;
  for (let size = -1; size !== sizeOf(smallest);) {
    size = sizeOf(smallest);
    smallest = await search.withFewerFaults(smallest);
    smallest = await search.withSmallerCase(smallest);
  }
  return smallest;
}

function sizeOf(run: FailedRun): number {
  return run.faults.length + JSON.stringify(run.case).length;
}

class Search {
  readonly #options: ShrinkOptions;
  #left: number;
  /** The oracle that must still report a violation. */
  #oracle: string | undefined;

  constructor(options: ShrinkOptions) {
    this.#options = options;
    this.#left = options.mostRuns ?? MAX_RUNS;
  }

  /** The run with these faults, if it fails in the same way. */
  async run(testCase: Case, faults: readonly Fault[]): Promise<FailedRun | undefined> {
    if (this.#left-- <= 0) return undefined;
    const { seed, without } = this.#options;
    try {
      const faultless = await runCase({ case: testCase, seed: "faultless", faults: [] });
      if (judge(faultless).length) return undefined;
      const evidence = await runCase({ case: testCase, seed, faults, faultless, without });
      const problems = judge(evidence);
      this.#oracle ??= problems[0]?.split(":")[0];
      const isSame = problems.some((problem) => problem.startsWith(`${this.#oracle}:`));
      return isSame ? { case: testCase, seed, faults, problems, evidence } : undefined;
    } catch {
      return undefined; // a case that cannot run is not a reduction
    }
  }

  /** Removes halves, quarters and so on down to single faults, while the run still fails. */
  async withFewerFaults(from: FailedRun): Promise<FailedRun> {
    let best = from;
    for (let part = Math.ceil(best.faults.length / 2); part >= 1;) {
      let went = false;
      for (let start = 0; start < best.faults.length;) {
        const fewer = best.faults.toSpliced(start, part);
        const found = fewer.length ? await this.run(best.case, fewer) : undefined;
        if (found) [best, went] = [found, true];
        else start += part;
      }
      if (part === 1 && !went) break;
      part = part === 1 ? 1 : Math.ceil(part / 2);
    }
    return best;
  }

  /** Removes steps, tasks and user actions one by one. */
  async withSmallerCase(from: FailedRun): Promise<FailedRun> {
    let best = from;
    for (let went = true; went;) {
      went = false;
      for (const smaller of smallerCases(best.case)) {
        const found = await this.run(smaller, best.faults);
        if (!found) continue;
        [best, went] = [found, true];
        break;
      }
    }
    return best;
  }
}

type Spec = { templates?: Record<string, unknown>[] } & Record<string, unknown>;

/** All cases that have one thing less. */
export function* smallerCases(testCase: Case): Generator<Case> {
  for (const index of (testCase.people ?? []).keys()) {
    yield { ...testCase, people: testCase.people!.toSpliced(index, 1) };
  }
  const spec = testCase.workflow.spec as Spec;
  const withSpec = (spec: Spec): Case => ({ ...testCase, workflow: { ...testCase.workflow, spec } as KubeObject });
  for (const field of ["onExit", "hooks", "podGC", "parallelism"]) {
    if (!(field in spec)) continue;
    const { [field]: _, ...others } = spec;
    yield withSpec(others);
  }
  for (const [index, template] of (spec.templates ?? []).entries()) {
    for (const smaller of smallerTemplates(template)) {
      yield withSpec({ ...spec, templates: spec.templates!.with(index, smaller) });
    }
  }
}

function* smallerTemplates(template: Record<string, unknown>): Generator<Record<string, unknown>> {
  const steps = (template.steps ?? []) as unknown[][];
  for (const [row, group] of steps.entries()) {
    if (steps.length > 1) yield { ...template, steps: steps.toSpliced(row, 1) };
    if (group.length < 2) continue;
    for (const column of group.keys()) yield { ...template, steps: steps.with(row, group.toSpliced(column, 1)) };
  }
  const { tasks = [], ...dag } = (template.dag ?? {}) as { tasks?: unknown[] };
  if (tasks.length < 2) return;
  for (const index of tasks.keys()) yield { ...template, dag: { ...dag, tasks: tasks.toSpliced(index, 1) } };
}
