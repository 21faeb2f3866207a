/** The server as the pages use it, in terms of the domain, independent of the kind of server. */
import type { ClusterWorkflowTemplate, CronWorkflow, Workflow, WorkflowTemplate } from "@tiphys/model/api";
import type { Extension } from "@tiphys/model/api/extensions";
import type { Reason } from "@tiphys/engine/explain";
import type { RunOrder } from "@tiphys/model/status";
import type { ByteLimit, FilePart } from "./exchange.ts";
import type { StreamWatcher, Turn } from "./stream_talk.ts";

/** The comparison of names with a search text. */
export type NameMatch = "Contains" | "Prefix" | "Exact" | "NotEquals";

/** Selects runs. */
export interface RunQuery {
  /** Empty for all namespaces. */
  readonly namespace: string;
  readonly phases: readonly string[];
  /** Label selector requirements: `team=a`. */
  readonly labels: readonly string[];
  readonly name?: { readonly match: NameMatch; readonly text: string } | undefined;
  /** RFC 3339. */
  readonly createdAfter?: string | undefined;
  readonly finishedBefore?: string | undefined;
  /** RFC 3339: started at this time or later, and before that one. */
  readonly startedFrom?: string | undefined;
  readonly startedUntil?: string | undefined;
}

/** Consecutive spans of time, in milliseconds. */
export interface RunSpans {
  /** Since the epoch. */
  readonly since: number;
  readonly step: number;
  readonly count: number;
}

/** The number of runs that started in each span, by phase. */
export interface RunActivity {
  /** The counts of the spans that have runs, by the number of the span. */
  readonly counts: ReadonlyMap<number, Readonly<Record<string, number>>>;
  /** The namespaces that have runs, if all namespaces were requested. */
  readonly namespaces: readonly string[];
}

/** A page of a list of runs: `limit` rows from an offset on; a limit of 0 is unlimited. */
export interface Window {
  readonly offset: number;
  readonly limit: number;
  /** By default the newest start first. Argo's server supports no other order. */
  readonly order?: RunOrder | undefined;
}

/** A page of runs, in the server's order. */
export interface RunList {
  readonly items: readonly Workflow[];
  /** The total number of matching runs. */
  readonly total: number;
  /** The version from which to watch changes; undefined if the server does not return it. */
  readonly resourceVersion?: string | undefined;
}

/** A change of an object. */
export interface Change<T> {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly object: T;
}

/** Selects logs. */
export interface LogQuery {
  /** The UID of the run, if another one may have its name. */
  readonly uid?: string | undefined;
  readonly podName?: string | undefined;
  readonly container?: string | undefined;
  readonly follow?: boolean | undefined;
  readonly grep?: string | undefined;
  /** RFC 3339: only lines since then. */
  readonly sinceTime?: string | undefined;
  readonly timestamps?: boolean | undefined;
  readonly tailLines?: number | undefined;
}

/** A log line, and its pod. */
export interface LogLine {
  readonly podName: string;
  readonly content: string;
}

/** Log lines that arrived together: parsed, or as received bytes if they are ASCII in the usual format. */
export type LogBatch =
  | { readonly kind: "lines"; readonly lines: readonly LogLine[] }
  | PlainLogLines;

/** Lines as bytes of printable ASCII; `text` has the same characters at the same offsets. */
export interface PlainLogLines {
  readonly kind: "plain";
  readonly bytes: Uint8Array;
  readonly text: string;
  /** Four offsets per line: the start and end of the pod name, and of the content. */
  readonly places: readonly number[];
}

/** Locates an artifact: a node of a run, input or output, a name, and a path if it is a folder. */
export interface ArtifactPlace {
  readonly namespace: string;
  readonly name: string;
  /** The UID of a run that exists in the archive only. */
  readonly archivedUid: string | undefined;
  readonly nodeId: string;
  readonly side: "inputs" | "outputs";
  readonly artifact: string;
  readonly path: string;
}

/** Options for showing a file in a frame. */
export interface FrameOptions {
  readonly scripts: boolean;
}

/** An artifact as read: the listing of a folder, or a file up to the requested bytes. */
export type ArtifactContent =
  | {
    readonly kind: "folder";
    /** Whether the listing was read to its end. */
    readonly isWhole: boolean;
    readonly files: readonly { readonly name: string; readonly size: number | undefined }[];
  }
  | {
    readonly kind: "file";
    readonly name: string;
    readonly type: string;
    /** The total size; undefined if the server does not return it. */
    readonly size: number | undefined;
    readonly bytes: Uint8Array<ArrayBuffer>;
    readonly isWhole: boolean;
    /** Whether the server supports ranges for it. */
    readonly hasParts: boolean;
    /** The entity tag, if the server returns one. */
    readonly tag: string | undefined;
  };

/** An action on one run, with Argo's name and its parameters. */
export type RunAction =
  | { readonly verb: "suspend" | "terminate" }
  | { readonly verb: "stop"; readonly nodeFieldSelector?: string; readonly message?: string }
  | { readonly verb: "resume"; readonly nodeFieldSelector?: string }
  | {
    readonly verb: "set";
    readonly nodeFieldSelector: string;
    readonly outputParameters?: string;
    readonly phase?: string;
    readonly message?: string;
  }
  | {
    readonly verb: "retry";
    /** The version for which the retry was planned: a conflict if the run has changed. Argo's server ignores it. */
    readonly resourceVersion?: string | undefined;
    readonly restartSuccessful?: boolean;
    readonly nodeFieldSelector?: string;
    readonly parameters?: readonly string[];
  }
  | { readonly verb: "resubmit"; readonly memoized?: boolean; readonly parameters?: readonly string[] };

/** The kinds of objects from which runs are created. */
export type TemplateKind = "WorkflowTemplate" | "ClusterWorkflowTemplate" | "CronWorkflow";

/** The type of each kind. */
export interface TemplateObjects {
  readonly WorkflowTemplate: WorkflowTemplate;
  readonly ClusterWorkflowTemplate: ClusterWorkflowTemplate;
  readonly CronWorkflow: CronWorkflow;
}

/** Options for a run from an object of the cluster. */
export interface SubmitRequest {
  readonly kind: TemplateKind;
  readonly name: string;
  readonly entrypoint?: string | undefined;
  /** `name=value` each. */
  readonly parameters: readonly string[];
  /** Uploaded files as arguments: `name=key` each. */
  readonly artifacts?: readonly string[];
  /** `name=value,name=value` */
  readonly labels?: string | undefined;
}

/** Options for creating an object. */
export interface CreateOptions {
  /** The server validates the object without storing it. */
  readonly isDryRun?: boolean;
}

/** The kinds of objects that create runs from events, as named in the API and in addresses. */
export type EventList = "workflow-event-bindings" | "event-sources" | "sensors";

/** An object of a third-party kind: only the fields listed here are known. */
export interface EventObject {
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly creationTimestamp: string | undefined;
  };
  /** The whole object, for its manifest. */
  readonly whole: Readonly<Record<string, unknown>>;
}

/** The kinds of event objects with pods, which write logs. */
export type LoggedEventList = Exclude<EventList, "workflow-event-bindings">;

/** A log entry of an event source or sensor. */
export interface EventEntry {
  readonly list: LoggedEventList;
  readonly namespace: string;
  readonly name: string;
  /** The event or trigger of the entry; empty for neither. */
  readonly part: string;
  readonly level: string;
  readonly time: string;
  readonly message: string;
}

/** Selects entries; without a name those of all objects in the namespace. */
export interface EventLogQuery {
  readonly name?: string | undefined;
  /** The event or trigger of the entries. */
  readonly part?: string | undefined;
  /** The number of past entries to return before new ones. */
  readonly tailLines: number;
}

/** A link that an operator configured. */
export interface LinkSetting {
  readonly name: string;
  readonly scope: string;
  readonly url: string;
  readonly target?: string | undefined;
}

/** A column of the list of runs that an operator configured: the value of a label or an annotation. */
export interface ColumnSetting {
  readonly name: string;
  readonly type: "label" | "annotation";
  readonly key: string;
}

/** The greetings that a server may enable, in the order in which they are shown. */
export const GREETINGS = ["firstTimeUser", "feedback", "newVersion"] as const;
/** A greeting. */
export type Greeting = (typeof GREETINGS)[number];

/** The server's settings for the page. */
export interface ServerInfo {
  readonly managedNamespace: string;
  readonly links: readonly LinkSetting[];
  readonly columns: readonly ColumnSetting[];
  readonly navColor: string;
  readonly greetings: readonly Greeting[];
  readonly prices: Prices | undefined;
  /** The server's extensions of Argo's API; undefined until known. Argo's own server has an empty list. */
  readonly extensions: readonly Extension[] | undefined;
}

/** Hourly prices of resources: of a CPU, of a GiB of memory, of one unit of any other resource. */
export interface Prices {
  /** The ISO 4217 code of the currency. */
  readonly currency: string;
  readonly perHour: Readonly<Record<string, number>>;
}

/** The caller as the server identifies them. */
export interface UserInfo {
  readonly subject: string;
  readonly issuer: string;
  readonly groups: readonly string[];
  readonly name: string;
  readonly email: string;
  readonly serviceAccountName: string;
  readonly serviceAccountNamespace: string;
}

/** A right that a user lacks, in terms of RBAC. */
export interface MissingRight {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
}

/** The rights that the caller lacks, by action: verbs on runs, `delete`, `update`, `submit`. */
export type MissingRightsByAction = Readonly<Record<string, readonly MissingRight[]>>;

/** A Kubernetes event about a run or its pods. */
export interface KubeEvent {
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  readonly count: number;
  readonly lastTimestamp: string;
  readonly involvedObject: {
    readonly kind: string;
    readonly name: string;
    /** The part of the object, `spec.containers{main}`; empty for the whole object. */
    readonly part: string;
  };
}

/** Times of a pod from its containers: main started, main ended, and its outputs were saved. */
export interface PodTimes {
  readonly started?: string;
  readonly ended?: string;
  readonly saved?: string;
}

/** A server. Each method throws a `Refusal`, and the reason of an aborted `signal`. */
export interface Source {
  listRuns(query: RunQuery, window: Window, signal?: AbortSignal): Promise<RunList>;
  /** Yields changes of runs, without nodes, after a version; without a version, first all existing runs as ADDED. */
  watchRuns(
    query: RunQuery,
    from: string | undefined,
    signal: AbortSignal,
    watcher?: StreamWatcher,
  ): AsyncIterable<Change<Workflow>>;
  /** Calls `onLarge` while a response with hundreds of nodes arrives. */
  getRun(
    namespace: string,
    name: string,
    uid?: string,
    signal?: AbortSignal,
    onLarge?: () => void,
  ): Promise<Workflow>;
  /**
   * Yields the run with its nodes, then its changes; if its current state is known, only changes, if the server
   * supports that.
   */
  watchRun(
    namespace: string,
    name: string,
    knownRun: Workflow | undefined,
    signal: AbortSignal,
    watcher?: StreamWatcher,
  ): AsyncIterable<Change<Workflow>>;
  createRun(namespace: string, workflow: Workflow, options?: CreateOptions): Promise<Workflow>;
  submitRun(namespace: string, request: SubmitRequest, options?: CreateOptions): Promise<Workflow>;
  /** Uploads a file as an argument of a workflow template; returns the key to submit. */
  uploadArgument(
    namespace: string,
    template: string,
    artifact: string,
    file: File,
    signal?: AbortSignal,
  ): Promise<string>;
  /** Performs an action on a run; returns the changed run, or the new one for `resubmit`. */
  actOnRun(namespace: string, name: string, action: RunAction): Promise<Workflow>;
  /** Performs an action on an archived run: `retry` restores it, `resubmit` creates a copy. */
  actOnArchived(namespace: string, name: string, uid: string, action: RunAction): Promise<Workflow>;
  /** Deletes a run, but no newer run with the same name. */
  deleteRun(namespace: string, name: string, uid: string): Promise<void>;
  deleteArchived(namespace: string, uid: string): Promise<void>;
  /** Reads an artifact, with a limit on the bytes of a file. */
  readArtifact(location: ArtifactPlace, max: ByteLimit, signal?: AbortSignal): Promise<ArtifactContent>;
  /** Reads a range of a file, if the server supports ranges. @throws {Refusal} also if the file was replaced */
  readArtifactPart(location: ArtifactPlace, part: FilePart, signal?: AbortSignal): Promise<Uint8Array<ArrayBuffer>>;
  /** Returns the address of an artifact for users who are authenticated by a cookie. */
  artifactUrl(location: ArtifactPlace): string;
  /**
   * Returns an address at which a frame can load an artifact, also without a cookie. With `scripts`, the scripts of the
   * file run in an opaque origin, which only a Tiphys server supports.
   */
  frameUrl(location: ArtifactPlace, options: FrameOptions, signal?: AbortSignal): Promise<string>;
  logs(namespace: string, name: string, query: LogQuery, signal: AbortSignal): AsyncIterable<LogBatch>;
  /** Requests a turn to follow a log. Without a turn, the log is polled. */
  logTurn(): Turn;
  /** Returns why a run or a node waits. Argo's server refuses with `unknown-route`. */
  reasons(namespace: string, name: string, signal?: AbortSignal): Promise<readonly Reason[]>;
  /** Returns the times of existing pods, by name. Argo's server refuses with `unknown-route`. */
  podTimes(namespace: string, name: string, signal?: AbortSignal): Promise<Readonly<Record<string, PodTimes>>>;
  /** Counts the runs of a query by phase and span. Argo's server refuses with `unknown-route`. */
  activity(query: RunQuery, spans: RunSpans, signal?: AbortSignal): Promise<RunActivity>;
  /** Returns the rights that the caller lacks for a run or a template. Argo's server refuses with `unknown-route`. */
  missingRights(
    kind: "Workflow" | TemplateKind,
    namespace: string,
    name: string,
    signal?: AbortSignal,
  ): Promise<MissingRightsByAction>;
  /** Yields Kubernetes events about a run and its pods, first existing ones. */
  events(
    namespace: string,
    name: string,
    signal: AbortSignal,
    watcher?: StreamWatcher,
  ): AsyncIterable<KubeEvent>;
  listTemplates<K extends TemplateKind>(
    kind: K,
    namespace: string,
    labels?: readonly string[],
    signal?: AbortSignal,
  ): Promise<readonly TemplateObjects[K][]>;
  getTemplate<K extends TemplateKind>(
    kind: K,
    namespace: string,
    name: string,
    signal?: AbortSignal,
  ): Promise<TemplateObjects[K]>;
  createTemplate(kind: TemplateKind, namespace: string, object: unknown): Promise<void>;
  /** Replaces an object. Fails with a conflict if its resource version has changed since it was read. */
  updateTemplate<K extends TemplateKind>(
    kind: K,
    namespace: string,
    name: string,
    object: unknown,
  ): Promise<TemplateObjects[K]>;
  deleteTemplate(kind: TemplateKind, namespace: string, name: string): Promise<void>;
  /** Lists bindings, event sources or sensors. The latter two are not found unless Argo Events is installed. */
  listEventObjects(list: EventList, namespace: string, signal?: AbortSignal): Promise<readonly EventObject[]>;
  /** Creates an event source or a sensor, or replaces the one with `name`, unless somebody changed it. */
  saveEventObject(list: LoggedEventList, namespace: string, name: string | undefined, object: unknown): Promise<void>;
  deleteEventObject(list: LoggedEventList, namespace: string, name: string): Promise<void>;
  /** Yields log entries of event sources or sensors, past and new ones, batched as they arrive. */
  eventLogs(
    list: LoggedEventList,
    namespace: string,
    query: EventLogQuery,
    signal: AbortSignal,
    watcher?: StreamWatcher,
  ): AsyncIterable<readonly EventEntry[]>;
  setCronSuspended(namespace: string, name: string, isSuspended: boolean): Promise<CronWorkflow>;
  info(signal?: AbortSignal): Promise<ServerInfo>;
  version(signal?: AbortSignal): Promise<string>;
  userInfo(signal?: AbortSignal): Promise<UserInfo>;
  /** Writes an event about the page to the server's log. */
  noteEvent(name: string): Promise<void>;
}
