/** The measured pages: ours, and Argo's if its files are given. Both show the same data, at their own URLs. */

/** A page as used by scenes: the URLs of its views, and selectors of elements that show that a view has loaded. */
export interface TestedPage {
  readonly name: "Tiphys" | "Argo";
  /** Relative to the URL of the server. */
  listOf(namespace: string): string;
  runOf(namespace: string, name: string): string;
  timelineOf(namespace: string, name: string): string;
  logOf(namespace: string, name: string): string;
  /** Selector of the input that filters the list. */
  readonly filter: string;
  /** Selectors of the elements that a scene waits for. */
  readonly signs: Readonly<Record<Sign, string>>;
  /** A JavaScript expression that returns the names of the runs in the list. */
  readonly names: string;
}

/** The kinds of elements that a scene waits for. */
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
  // The log of all pods. With a node, Argo's page would read the log of an ended pod from an artifact.
  logOf: (namespace, name) => `/workflows/${namespace}/${name}?tab=summary&sidePanel=logs`,
  filter: "[data-testid=workflow-name-filter] input",
  signs: {
    row: ".workflows-list__row-container",
    picture: ".graph svg .node",
    // Its terminal draws lines on a canvas. An override of the canvas adds this attribute at the first letter.
    line: "[data-has-drawn-letters]",
    treeRow: "[data-there-is-no-tree]",
    timelineRow: ".workflow-timeline__node",
  },
  names: `[...document.querySelectorAll(".workflows-list__row-container a[href*='/workflows/']")]
    .map((link) => link.getAttribute("href").split("/").pop().split("?")[0])`,
};
