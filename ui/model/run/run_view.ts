/** The state of a run's page and its address, with the parameter names of Argo's page where it has them. */
import { type ArtifactChoice, choiceText, readChoice } from "../artifacts/run_artifacts.ts";
import type { FoldChoices } from "../graph/fold.ts";
import { type GraphShape, isFiltered } from "../graph/graph_shape.ts";
import { type Colouring, COLOURINGS } from "../graph/tint.ts";
import { type Query, valueOf, valuesOf, withValues } from "../place.ts";
import { readMoment } from "./replay.ts";
import * as words from "../text/en/graph.ts";

/** The tabs, in the order of the keys `1` to `8`. */
export const TABS = ["graph", "timeline", "tree", "logs", "events", "manifest", "artifacts", "compare"] as const;
/** A tab. */
export type RunTab = (typeof TABS)[number];

/** The views of the node panel. */
export const PANELS = ["summary", "why", "inputs-outputs", "containers"] as const;
/** A view of the node panel. */
export type PanelView = (typeof PANELS)[number];

const DIALOGS = ["resume", "retry", "resubmit", "share"] as const;
/** A dialog with an address. */
export type RunDialog = (typeof DIALOGS)[number];

/** A panel above the tabs: the critical path, the cost, or the details. */
export type TopPanel = (typeof TOP_PANELS)[number];

const TOP_PANELS = ["critical", "cost", "details"] as const;

/** Another run, in an address `NAME:UID` or `UID`. A run that is not listed needs both. */
export interface RunRef {
  readonly name: string | undefined;
  readonly uid: string;
}

function readRunRef(text: string | undefined): RunRef | undefined {
  const [uid, name] = (text ?? "").split(":").reverse();
  return uid ? { name: name || undefined, uid } : undefined;
}

/** The state of the page. */
export interface RunView {
  readonly tab: RunTab;
  readonly nodeId: string | undefined;
  readonly panel: PanelView;
  readonly onlyFailed: boolean;
  /** The text to find nodes by. */
  readonly find: string;
  readonly fold: FoldChoices;
  /** The long loop or group whose items are listed next to the graph, by its key. */
  readonly stack: string | undefined;
  readonly zoom: string | undefined;
  /**
   * The node and the container whose log is shown: without a node those of all nodes if `isChosen`, else the page
   * chooses; by default `main`.
   */
  readonly log: { readonly nodeId: string | undefined; readonly container: string; readonly isChosen: boolean };
  /** The node whose events are shown; by default all events. */
  readonly eventsOf: string | undefined;
  /** The selected log line, from 1. */
  readonly line: number | undefined;
  /** The fields of JSON lines that are columns of the log. */
  readonly fields: readonly string[];
  /** Whether similar lines are shown as one. */
  readonly areAlikeFolded: boolean;
  /** Whether long log lines are wrapped. */
  readonly isWrapped: boolean;
  /** The time zone of the log; undefined for the default one. */
  readonly zone: string | undefined;
  readonly dialog: RunDialog | undefined;
  /** The artifact that is shown. */
  readonly artifact: ArtifactChoice | undefined;
  /** The run to compare with. */
  readonly with: RunRef | undefined;
  /** The moment of the replay, in milliseconds since the epoch. */
  readonly at: number | undefined;
  readonly show: TopPanel | undefined;
  /** The measure that colors the graph; undefined for phases. */
  readonly colour: Colouring | undefined;
  /** The parts that graph, timeline and tree show. */
  readonly shape: GraphShape;
}

/** Names of tabs in Argo's page, and its side panels that are tabs here. */
const OTHER_NAMES: Readonly<Record<string, RunTab>> = { workflow: "graph", summary: "tree" };
const OF_SIDE_PANEL: Readonly<Record<string, RunTab>> = { logs: "logs", events: "events", yaml: "manifest" };

/** Reads the state from an address. Without a tab it is the graph, or the tree on narrow screens. */
export function readRunView(address: Query, isNarrow: boolean): RunView {
  const query = convertArgoQuery(address);
  const [side, sideNode, container] = (valueOf(query, "sidePanel") ?? "").split(":");
  const name = valueOf(query, "tab") ?? "";
  const tab = TABS.find((candidate) => candidate === name) ?? OTHER_NAMES[name] ?? (isNarrow ? "tree" : "graph");
  const panel = valueOf(query, "nodePanelView");
  const line = Number(valueOf(query, "line"));
  const show = valueOf(query, "show");
  const only = valuesOf(query, "only");
  const find = valueOf(query, "find") ?? "";
  return {
    tab,
    nodeId: valueOf(query, "nodeId") || undefined,
    panel: PANELS.find((candidate) => candidate === panel) ?? "summary",
    onlyFailed: only.includes("failed"),
    find,
    fold: readFold(valueOf(query, "fold")),
    stack: valueOf(query, "stack") || undefined,
    zoom: valueOf(query, "zoom"),
    log: {
      nodeId: side === "logs" && sideNode ? sideNode : undefined,
      container: container || "main",
      isChosen: side === "logs",
    },
    eventsOf: side === "events" && sideNode ? sideNode : undefined,
    line: Number.isInteger(line) && line > 0 ? line : undefined,
    fields: valuesOf(query, "fields"),
    areAlikeFolded: valueOf(query, "alike") === "folded",
    isWrapped: valueOf(query, "wrap") === "on",
    zone: valueOf(query, "zone") || undefined,
    dialog: DIALOGS.find((dialog) => dialog === valueOf(query, "dialog")),
    artifact: readChoice(valueOf(query, "artifactNode"), valueOf(query, "artifact")),
    with: readRunRef(valueOf(query, "with")),
    at: readMoment(valueOf(query, "at")),
    // Argo's page has these details in its summary.
    show: TOP_PANELS.find((topPanel) => topPanel === show) ??
      (name === "summary" && show === undefined ? "details" : undefined),
    colour: COLOURINGS.find((colouring) => colouring === valueOf(query, "colour")),
    shape: {
      phases: valuesOf(query, "phase"),
      types: valuesOf(query, "type"),
      templates: valuesOf(query, "template"),
      text: only.includes("found") ? find.trim() : "",
      isGrouped: valueOf(query, "group") === "template",
      withArtifacts: valueOf(query, "artifacts") === "shown",
    },
  };
}

/**
 * Converts a side panel of Argo's page to the tab or dialog of this page. Otherwise a change would leave both in the
 * address, and only one would be shown.
 */
function convertArgoQuery(query: Query): Query {
  const [side = "", sideNode] = (valueOf(query, "sidePanel") ?? "").split(":");
  const dialog = DIALOGS.find((candidate) => candidate === side);
  if (dialog) return withValues(query, { sidePanel: undefined, dialog });
  const tab = Object.hasOwn(OF_SIDE_PANEL, side) ? OF_SIDE_PANEL[side] : undefined;
  if (!tab || TABS.some((tab) => tab === valueOf(query, "tab"))) return query;
  const nodeId = valueOf(query, "nodeId") || (tab === "logs" ? undefined : sideNode) || undefined;
  return withValues(query, { tab, nodeId, ...(tab === "manifest" ? { sidePanel: undefined } : {}) });
}

/** Returns the text for an empty view: the filters match nothing, or `otherwise`. */
export function emptyViewText({ onlyFailed, shape }: RunView, otherwise: string): string {
  if (isFiltered(shape)) return onlyFailed ? words.noFailedMatches : words.noPartMatches;
  return onlyFailed ? words.nothingFailed : otherwise;
}

/** The fields of the state to change; others keep their values. */
export interface RunViewChange {
  readonly tab?: RunTab;
  readonly nodeId?: string | undefined;
  readonly panel?: PanelView;
  readonly onlyFailed?: boolean;
  readonly find?: string;
  readonly fold?: FoldChoices;
  readonly stack?: string | undefined;
  readonly zoom?: string | undefined;
  readonly log?: { readonly nodeId: string | undefined; readonly container: string };
  readonly eventsOf?: string | undefined;
  readonly line?: number | undefined;
  readonly fields?: readonly string[];
  readonly areAlikeFolded?: boolean;
  readonly isWrapped?: boolean;
  readonly zone?: string;
  readonly dialog?: RunDialog | undefined;
  readonly artifact?: ArtifactChoice | undefined;
  readonly with?: RunRef | undefined;
  readonly at?: number | undefined;
  readonly show?: TopPanel | undefined;
  readonly colour?: Colouring | undefined;
  readonly shape?: GraphShape;
}

/** Returns the query after a change. It then contains the tab, so that a link shows the same everywhere. */
export function changedQuery(address: Query, change: RunViewChange): Query {
  const query = convertArgoQuery(address);
  const values: Record<string, string | undefined> = {};
  const has = (name: keyof RunViewChange) => Object.hasOwn(change, name);
  // The log and the events of a node are visible in their tabs only.
  const tab = change.tab ?? (change.log ? "logs" : has("eventsOf") ? "events" : undefined);
  if (tab) {
    values.tab = tab;
    values.sidePanel = undefined;
    values.line = undefined;
  }
  if (has("nodeId")) values.nodeId = change.nodeId;
  if (change.panel) values.nodePanelView = change.panel;
  if (has("onlyFailed") || has("find") || change.shape) {
    const only = new Set(valuesOf(query, "only"));
    const find = change.shape?.text || (change.find ?? valueOf(query, "find"));
    const isOnlyFailed = change.onlyFailed ?? only.has("failed");
    const isOnlyFound = find && (change.shape ? change.shape.text !== "" : only.has("found"));
    values.find = find || undefined;
    values.only = [isOnlyFailed && "failed", isOnlyFound && "found"].filter(Boolean).join(",") || undefined;
  }
  if (change.fold) values.fold = foldText(change.fold);
  if (has("stack")) values.stack = change.stack;
  if (has("zoom")) values.zoom = change.zoom;
  if (has("line")) values.line = change.line === undefined ? undefined : String(change.line);
  if (change.log) {
    const { nodeId = "", container } = change.log;
    values.sidePanel = nodeId && container === "main" ? `logs:${nodeId}` : `logs:${nodeId}:${container}`;
  }
  if (has("eventsOf")) values.sidePanel = change.eventsOf === undefined ? undefined : `events:${change.eventsOf}`;
  if (has("artifact")) {
    values.artifactNode = change.artifact?.nodeId;
    values.artifact = change.artifact && choiceText(change.artifact);
  }
  if (has("with")) values.with = change.with && [change.with.name, change.with.uid].filter(Boolean).join(":");
  if (has("at")) values.at = change.at === undefined ? undefined : new Date(change.at).toISOString();
  if (change.fields) values.fields = change.fields.join(",") || undefined;
  if (has("areAlikeFolded")) values.alike = change.areAlikeFolded ? "folded" : undefined;
  if (has("isWrapped")) values.wrap = change.isWrapped ? "on" : undefined;
  if (has("zone")) values.zone = change.zone;
  if (has("show")) {
    values.show = change.show;
    // Argo's page shows them in this tab.
    if (valueOf(query, "tab") === "summary") values.tab = OTHER_NAMES.summary;
  }
  if (has("colour")) values.colour = change.colour;
  if (change.shape) {
    const { phases, types, templates, isGrouped, withArtifacts } = change.shape;
    values.phase = phases.join(",") || undefined;
    values.type = types.join(",") || undefined;
    values.template = templates.join(",") || undefined;
    values.group = isGrouped ? "template" : undefined;
    values.artifacts = withArtifacts ? "shown" : undefined;
  }
  if (has("dialog")) values.dialog = change.dialog;
  return withValues(query, values);
}

/** Parses folding choices: names of nodes, with `-` before a folded one and `+` before an open one. */
function readFold(text: string | undefined): FoldChoices {
  const choices = new Map<string, boolean>();
  for (const part of (text ?? "").split("~")) {
    if (part.startsWith("+") || part.startsWith("-")) choices.set(part.slice(1), part.startsWith("+"));
  }
  return choices;
}

function foldText(choices: FoldChoices): string | undefined {
  return [...choices].map(([key, isOpen]) => `${isOpen ? "+" : "-"}${key}`).join("~") || undefined;
}
