/** The words of a case, and the cluster where it is played. */
import type { KubeClient } from "@tiphys/kube";
import { rightsToAdd } from "../../scripts/argo_roles.ts";
import { Unavailable } from "../artifacts/servers/server.ts";
import type { ClusterUnderTest, Kubectl } from "../install/mod.ts";

/** The stage on which cases are played: a cluster with the project installed on it. */
export interface Stage {
  readonly cluster: ClusterUnderTest;
  readonly kubectl: Kubectl;
  readonly client: KubeClient;
  /** The namespace of the controller, in which workflows may run, too. */
  readonly namespace: string;
  /** Our executor's image as it was installed. */
  readonly executorArchive: string;
  /** Whether the CRDs, roles and accounts are those of an installed Argo. */
  readonly isForeign: boolean;
}

/** Something to prove. */
export interface Case {
  /** A sentence that somebody could agree or disagree with. */
  readonly title: string;
  /** The case stops or reconfigures parts that others need: nothing runs beside it. */
  readonly alone?: true;
  /**
   * May return what it measured.
   * @throws {Unavailable} where this machine or cluster lacks what it takes: the case is skipped; anything else when it is not so.
   */
  run(stage: Stage): Promise<string | void>;
}

/** The layouts of pods; the default of a cluster with image volumes first. */
export const LAYOUTS = ["initless", "legacy"] as const;

/** One of them. */
export type Layout = typeof LAYOUTS[number];

/** The name of the container beside main. */
export const AUX_NAME: Record<Layout, string> = { initless: "supervisor", legacy: "wait" };

/** A layout that a workflow's annotation asks for; `single-container` is one where main needs nobody beside it. */
export type LayoutWish = Layout | "single-container";

/** The same case once for each layout. */
export function inBothLayouts(title: string, run: (stage: Stage, layout: Layout) => Promise<string | void>): Case[] {
  return LAYOUTS.map((layout) => ({ title: `${title} [${layout}]`, run: (stage) => run(stage, layout) }));
}

/** The same case once for each layout, and once for a pod of one container: its main needs nobody beside it. */
export function inEveryLayout(
  title: string,
  run: (stage: Stage, layout: LayoutWish) => Promise<string | void>,
): Case[] {
  return [
    ...inBothLayouts(title, run),
    {
      title: `${title} [single-container]`,
      run: (stage) => run(stage, "single-container"),
    },
  ];
}

/**
 * Skips a case under the roles of an installed Argo if its controller's role lacks a right.
 * @throws {Error} for a right that Argo's role has: the case should run.
 */
export function needsRight({ isForeign }: Stage, right: string): void {
  const missing = rightsToAdd().find((one) => one.right === right);
  if (missing === undefined) throw new Error(`Expected a right that Argo's role lacks, got ${JSON.stringify(right)}`);
  if (isForeign) throw new Unavailable(`Argo's role lacks the right ${right}: ${missing.loss}`);
}
