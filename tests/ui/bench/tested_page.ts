/** The pages that are measured: ours, and Argo's where its files are given; the same data, each by its own addresses. */

/** A page as scenes use it: where its places are, and by which elements they are known to be there. */
export interface TestedPage {
  readonly name: "Tiphys" | "Argo";
  /** Below the address of its server. */
  listOf(namespace: string): string;
  runOf(namespace: string, name: string): string;
  timelineOf(namespace: string, name: string): string;
  logOf(namespace: string, name: string): string;
  /** The field that filters the list. */
  readonly filter: string;
  /** Selectors of what a scene waits for, by what it is. */
  readonly signs: Readonly<Record<Sign, string>>;
  /** An expression: the names of the runs in the list. */
  readonly names: string;
}

/** What a scene waits for. */
export type Sign = "row" | "picture" | "line" | "treeRow" | "timelineRow";

export const TIPHYS: TestedPage = {
  name: "Tiphys",
  listOf: (namespace) => `/workflows/${namespace}?limit=500`,
  runOf: (namespace, name) => `/workflows/${namespace}/${name}`,
  timelineOf: (namespace, name) => `/workflows/${namespace}/${name}?tab=timeline`,
  logOf: (namespace, name) => `/workflows/${namespace}/${name}?tab=logs`,
  filter: "input[name=filter]",
  signs: {
    row: "tr[data-run]",
    picture: ".graph-frame[data-drawn] svg .part, .graph-frame canvas",
    line: ".log-line",
    treeRow: ".rows.tree [role=row]",
    timelineRow: ".rows.timeline [role=row]",
  },
  names: `[...document.querySelectorAll("tr[data-run]")].map((row) => row.dataset.run)`,
};

export const ARGO: TestedPage = {
  name: "Argo",
  listOf: (namespace) => `/workflows/${namespace}?limit=500`,
  runOf: (namespace, name) => `/workflows/${namespace}/${name}`,
  timelineOf: (namespace, name) => `/workflows/${namespace}/${name}?tab=timeline`,
  // Of all pods: with a node its finished log would be asked of an artifact.
  logOf: (namespace, name) => `/workflows/${namespace}/${name}?tab=summary&sidePanel=logs`,
  filter: "[data-testid=workflow-name-filter] input",
  signs: {
    row: ".workflows-list__row-container",
    picture: ".graph svg .node",
    // Its terminal draws lines on a canvas: the first letter is noted by what draws it.
    line: "[data-has-drawn-letters]",
    treeRow: "[data-there-is-no-tree]",
    timelineRow: ".workflow-timeline__node",
  },
  names: `[...document.querySelectorAll(".workflows-list__row-container a[href*='/workflows/']")]
    .map((link) => link.getAttribute("href").split("/").pop().split("?")[0])`,
};
