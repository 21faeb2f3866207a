/** The vocabulary of cases, and the cluster on which they run. */
import type { KubeClient } from "@tiphys/kube";
import { rightsToAdd } from "../../scripts/argo_roles.ts";
import { Unavailable } from "../artifacts/servers/server.ts";
import type { ClusterUnderTest, Kubectl } from "../install/mod.ts";

/** The stage of cases: a cluster with the project installed on it. */
export interface Stage {
  readonly cluster: ClusterUnderTest;
  readonly kubectl: Kubectl;
  readonly client: KubeClient;
  /** The namespace of the controller, in which workflows may run, too. */
  readonly namespace: string;
  /** The installed image of our executor. */
  readonly executorArchive: string;
  /** Whether the CRDs, roles and accounts are those of an installed Argo. */
  readonly isForeign: boolean;
}

/** A test case on a real cluster. */
export interface Case {
  /** The statement `subject: behavior` that the case tests. */
  readonly title: string;
  /** The case stops or reconfigures parts that others need: it runs alone. */
  readonly alone?: true;
  /**
   * May return a measurement. @throws {NotHere} when this machine or cluster lacks a requirement: the case is skipped;
   * any other error when the statement is false
   */
  run(stage: Stage): Promise<string | void>;
}

/** The layouts of pods; the default of a cluster with image volumes first. */
export const LAYOUTS = ["initless", "legacy"] as const;

/** A layout of pods. */
export type Layout = typeof LAYOUTS[number];

/** The name of the executor's container. */
export const AUX_NAME: Record<Layout, string> = { initless: "supervisor", legacy: "wait" };

/** A layout that a workflow's annotation requests; `single-container` needs no executor's container. */
export type RequestedLayout = Layout | "single-container";

/** The same case once for each layout. */
export function casesForBothLayouts(
  title: string,
  run: (stage: Stage, layout: Layout) => Promise<string | void>,
): Case[] {
  return LAYOUTS.map((layout) => ({ title: `${title} [${layout}]`, run: (stage) => run(stage, layout) }));
}

/** The same case once for each layout, and once for a pod of one container. */
export function casesForEveryLayout(
  title: string,
  run: (stage: Stage, layout: RequestedLayout) => Promise<string | void>,
): Case[] {
  return [
    ...casesForBothLayouts(title, run),
    {
      title: `${title} [single-container]`,
      run: (stage) => run(stage, "single-container"),
    },
  ];
}

/**
 * Skips a case under the roles of an installed Argo if its controller's role lacks a permission. @throws {Error} for a
 * permission that Argo's role has: the case should run
 */
export function skipWithoutRight({ isForeign }: Stage, right: string): void {
  const missing = rightsToAdd().find((candidate) => candidate.right === right);
  if (missing === undefined) throw new Error(`Expected a right that Argo's role lacks, got ${JSON.stringify(right)}`);
  if (isForeign) throw new Unavailable(`Argo's role lacks the right ${right}: ${missing.loss}`);
}
