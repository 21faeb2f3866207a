/** The questions that pages ask, in words of the domain: one interface, whatever server answers. */
import type { ClusterWorkflowTemplate, CronWorkflow, Workflow, WorkflowTemplate } from "@tiphys/model/api";
import type { Extension } from "@tiphys/model/api/extensions";
import type { Reason } from "@tiphys/engine/explain";
import type { RunOrder } from "@tiphys/model/status";
import type { FilePart, MostBytes } from "./exchange.ts";
import type { StreamWatcher, Turn } from "./stream_talk.ts";

/** The way in which names are compared with the one that is looked for. */
export type NameMatch = "Contains" | "Prefix" | "Exact" | "NotEquals";

/** The runs that are meant. */
export interface RunQuery {
  /** Empty for all namespaces. */
  readonly namespace: string;
  readonly phases: readonly string[];
  /** Requirements of a label selector: `team=a`. */
  readonly labels: readonly string[];
  readonly name?: { readonly match: NameMatch; readonly text: string } | undefined;
  /** RFC 3339. */
  readonly createdAfter?: string | undefined;
  readonly finishedBefore?: string | undefined;
}

/** A window of a list of runs: so many rows from an offset on; a limit of 0 is everything. */
export interface Window {
  readonly offset: number;
  readonly limit: number;
  /** The newest start first where it is left out. Argo's server has no other order. */
  readonly order?: RunOrder | undefined;
}

/** A window as the server has it, in its order. */
export interface RunList {
  readonly items: readonly Workflow[];
  /** The number of runs that are meant, within this window or not. */
  readonly total: number;
  /** The version after which changes are to be watched; undefined where the server does not say it. */
  readonly resourceVersion?: string | undefined;
}

/** One change of an object. */
export interface Change<T> {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly object: T;
}

/** The logs that are meant. */
export interface LogQuery {
  /** The run that is meant, where another one may have its name. */
  readonly uid?: string | undefined;
  readonly podName?: string | undefined;
  readonly container?: string | undefined;
  readonly follow?: boolean | undefined;
  readonly grep?: string | undefined;
  /** RFC 3339: only what was written since. */
  readonly sinceTime?: string | undefined;
  readonly timestamps?: boolean | undefined;
  readonly tailLines?: number | undefined;
}

/** One line of a log, and the pod that wrote it. */
export interface LogLine {
  readonly podName: string;
  readonly content: string;
}

/** Lines of a log that came together: as they were read, or, of the usual form and in ASCII, as the bytes that came. */
export type LogBatch =
  | { readonly kind: "lines"; readonly lines: readonly LogLine[] }
  | PlainLogLines;

/** Lines in bytes of printable ASCII: `text` holds the same letters at the same places. */
export interface PlainLogLines {
  readonly kind: "plain";
  readonly bytes: Uint8Array;
  readonly text: string;
  /** Four places a line: where the name of its pod begins and ends, and where its content does. */
  readonly places: readonly number[];
}

/** The place of an artifact: a node of a run, a side of it, a name, and a path where it is a folder. */
export interface ArtifactPlace {
  readonly namespace: string;
  readonly name: string;
  /** The uid of a run that lies in the archive only. */
  readonly archivedUid: string | undefined;
  readonly nodeId: string;
  readonly side: "inputs" | "outputs";
  readonly artifact: string;
  readonly path: string;
}

/** The way in which a frame shows a file. */
export interface FrameOptions {
  readonly scripts: boolean;
}

/** An artifact as it was read: the files of a folder, or a file, up to the bytes that were asked for. */
export type ArtifactContent =
  | {
    readonly kind: "folder";
    readonly files: readonly { readonly name: string; readonly size: number | undefined }[];
  }
  | {
    readonly kind: "file";
    readonly name: string;
    readonly type: string;
    /** All of it; undefined where the server does not say. */
    readonly size: number | undefined;
    readonly bytes: Uint8Array<ArrayBuffer>;
    readonly isWhole: boolean;
    /** Whether the server gives parts of it. */
    readonly hasParts: boolean;
    /** The tag that it has until it is replaced, where the server tells one. */
    readonly tag: string | undefined;
  };

/** Something done to one run, by the name that Argo's API has for it, with what it takes. */
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
    /** The version that the retry was planned on: a conflict where the run is another by now. Argo's server leaves it out. */
    readonly resourceVersion?: string | undefined;
    readonly restartSuccessful?: boolean;
    readonly nodeFieldSelector?: string;
    readonly parameters?: readonly string[];
  }
  | { readonly verb: "resubmit"; readonly memoized?: boolean; readonly parameters?: readonly string[] };

/** The kinds of objects that runs are made from. */
export type TemplateKind = "WorkflowTemplate" | "ClusterWorkflowTemplate" | "CronWorkflow";

/** The object of each kind. */
export interface TemplateObjects {
  readonly WorkflowTemplate: WorkflowTemplate;
  readonly ClusterWorkflowTemplate: ClusterWorkflowTemplate;
  readonly CronWorkflow: CronWorkflow;
}

/** Options of a run that is made from an object of the cluster. */
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

/** The way in which something is created. */
export interface CreateOptions {
  /** Only says what would be there: the server asks the cluster, and nothing is kept. */
  readonly isDryRun?: boolean;
}

/** The kinds of objects that make runs from events, as the API and addresses name them. */
export type EventList = "workflow-event-bindings" | "event-sources" | "sensors";

/** An object of a kind whose fields its own project defines: only what is named here is known of it. */
export interface EventObject {
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly creationTimestamp: string | undefined;
  };
  /** All of it, for its manifest. */
  readonly whole: Readonly<Record<string, unknown>>;
}

/** The kinds of event objects that have pods, which write logs. */
export type LoggedEventList = Exclude<EventList, "workflow-event-bindings">;

/** An entry of what an event source or a sensor wrote. */
export interface EventEntry {
  readonly list: LoggedEventList;
  readonly namespace: string;
  readonly name: string;
  /** The event, or the trigger, that it is about; empty for neither. */
  readonly part: string;
  readonly level: string;
  readonly time: string;
  readonly message: string;
}

/** The entries that are meant: of all objects of a namespace where no name is said. */
export interface EventLogQuery {
  readonly name?: string | undefined;
  /** The event, or the trigger, that they are about. */
  readonly part?: string | undefined;
  /** Only the last ones before those that come. */
  readonly tailLines: number;
}

/** A link that the operators of an installation have added. */
export interface LinkSetting {
  readonly name: string;
  readonly scope: string;
  readonly url: string;
  readonly target?: string | undefined;
}

/** A column of the list of runs that the operators have added: the value of a label or an annotation. */
export interface ColumnSetting {
  readonly name: string;
  readonly type: "label" | "annotation";
  readonly key: string;
}

/** The words with which the page greets a person, where the server asks for them; their order is that in which they come. */
export const GREETINGS = ["firstTimeUser", "feedback", "newVersion"] as const;
/** A word with which the page greets. */
export type Greeting = (typeof GREETINGS)[number];

/** Settings of the server for the page. */
export interface ServerInfo {
  readonly managedNamespace: string;
  readonly links: readonly LinkSetting[];
  readonly columns: readonly ColumnSetting[];
  readonly navColor: string;
  readonly greetings: readonly Greeting[];
  readonly prices: Prices | undefined;
  /** What the server has beyond Argo's API; undefined until it has said so. Argo's own has nothing. */
  readonly extensions: readonly Extension[] | undefined;
}

/** What an hour of each resource costs: of a cpu, of a GiB of memory, of one of any other. */
export interface Prices {
  /** The three letters of a currency. */
  readonly currency: string;
  readonly perHour: Readonly<Record<string, number>>;
}

/** The caller as the server knows them. */
export interface UserInfo {
  readonly subject: string;
  readonly issuer: string;
  readonly groups: readonly string[];
  readonly name: string;
  readonly email: string;
  readonly serviceAccountName: string;
  readonly serviceAccountNamespace: string;
}

/** A right that somebody lacks, in the words of Kubernetes. */
export interface MissingRight {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
}

/** The rights that the caller lacks, by what can be done: the verbs of actions, `delete`, `update`, `submit`. */
export type Lacks = Readonly<Record<string, readonly MissingRight[]>>;

/** An event of Kubernetes about a run or its pods. */
export interface KubeEvent {
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  readonly count: number;
  readonly lastTimestamp: string;
  readonly involvedObject: {
    readonly kind: string;
    readonly name: string;
    /** The part of it that is meant, `spec.containers{main}`; empty for all of it. */
    readonly part: string;
  };
}

/** The moments of a pod that its containers say: main began, main ended, and what it left was saved. */
export interface PodTimes {
  readonly started?: string;
  readonly ended?: string;
  readonly saved?: string;
}

/** A server that pages ask. Each method throws a `Refusal`, and what `signal` was aborted with. */
export interface Source {
  listRuns(query: RunQuery, window: Window, signal?: AbortSignal): Promise<RunList>;
  /** Changes of runs without their nodes after a version; without one, first all that are there, as ADDED. */
  watchRuns(
    query: RunQuery,
    from: string | undefined,
    signal: AbortSignal,
    watcher?: StreamWatcher,
  ): AsyncIterable<Change<Workflow>>;
  /** `onLarge` is told while the answer comes that it is one of hundreds of nodes. */
  getRun(
    namespace: string,
    name: string,
    uid?: string,
    signal?: AbortSignal,
    onLarge?: () => void,
  ): Promise<Workflow>;
  /** The run as it is, with its nodes, then its changes; of one that is known as it is, its changes alone, where the server can. */
  watchRun(
    namespace: string,
    name: string,
    known: Workflow | undefined,
    signal: AbortSignal,
    watcher?: StreamWatcher,
  ): AsyncIterable<Change<Workflow>>;
  createRun(namespace: string, workflow: Workflow, options?: CreateOptions): Promise<Workflow>;
  submitRun(namespace: string, request: SubmitRequest, options?: CreateOptions): Promise<Workflow>;
  /** Uploads a file as an argument of a workflow template; gives the key by which a submission takes it. */
  uploadArgument(
    namespace: string,
    template: string,
    artifact: string,
    file: File,
    signal?: AbortSignal,
  ): Promise<string>;
  /** Does something to a run; gives the run that it is then, or, for `resubmit`, the new one. */
  actOnRun(namespace: string, name: string, action: RunAction): Promise<Workflow>;
  /** Does something to a run that lies in the archive only: `retry` and `resubmit` bring it, or one like it, back. */
  actOnArchived(namespace: string, name: string, uid: string, action: RunAction): Promise<Workflow>;
  /** Deletes the run of a name, and no other that has the name by now. */
  deleteRun(namespace: string, name: string, uid: string): Promise<void>;
  deleteArchived(namespace: string, uid: string): Promise<void>;
  /** Reads an artifact, of a file no more than so many bytes. */
  readArtifact(place: ArtifactPlace, most: MostBytes, signal?: AbortSignal): Promise<ArtifactContent>;
  /** Reads a part of a file, where the server gives parts. @throws {Refusal} also where it is another file by now. */
  readArtifactPart(place: ArtifactPlace, part: FilePart, signal?: AbortSignal): Promise<Uint8Array<ArrayBuffer>>;
  /** The address at which the server gives an artifact to a person whom it knows by a cookie. */
  artifactUrl(place: ArtifactPlace): string;
  /**
   * The address at which a frame gets an artifact now, also where no cookie speaks for it; with `scripts` those of the file
   * run there, in an origin of their own, which only a server of ours lets them.
   */
  frameUrl(place: ArtifactPlace, options: FrameOptions, signal?: AbortSignal): Promise<string>;
  logs(namespace: string, name: string, query: LogQuery, signal: AbortSignal): AsyncIterable<LogBatch>;
  /** A turn to follow a log. Where it is not to be had, the log is read again and again. */
  logTurn(): Turn;
  /** The reasons why a run, or a node of it, waits. A server of Argo's refuses as `unknown-route`. */
  why(namespace: string, name: string, signal?: AbortSignal): Promise<readonly Reason[]>;
  /** The moments of the pods that are there, by their names. A server of Argo's refuses as `unknown-route`. */
  podTimes(namespace: string, name: string, signal?: AbortSignal): Promise<Readonly<Record<string, PodTimes>>>;
  /** The rights that the caller lacks for a run, or what runs are made from. A server of Argo's refuses as `unknown-route`. */
  lacks(kind: "Workflow" | TemplateKind, namespace: string, name: string, signal?: AbortSignal): Promise<Lacks>;
  /** Events of Kubernetes about a run and its pods, then those that come. */
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
  /** Replaces it where nobody has changed it since: the object carries the resourceVersion that it was read with. */
  updateTemplate<K extends TemplateKind>(
    kind: K,
    namespace: string,
    name: string,
    object: unknown,
  ): Promise<TemplateObjects[K]>;
  deleteTemplate(kind: TemplateKind, namespace: string, name: string): Promise<void>;
  /** Bindings, event sources or sensors. The last two are absent where Argo Events is not installed. */
  listEventObjects(list: EventList, namespace: string, signal?: AbortSignal): Promise<readonly EventObject[]>;
  /** Creates an event source or a sensor, or, by its name, replaces one where nobody has changed it since. */
  saveEventObject(list: LoggedEventList, namespace: string, name: string | undefined, object: unknown): Promise<void>;
  deleteEventObject(list: LoggedEventList, namespace: string, name: string): Promise<void>;
  /** What event sources or sensors of a namespace wrote, then what they write; those that came together as one batch. */
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
  /** Has the server write a word about the page into its log. */
  noteEvent(name: string): Promise<void>;
}
