/** The interface through which commands access the outside world. Implemented by `real_world.ts` and by tests. */
import type { Finding, PreflightOptions } from "@tiphys/installation/preflight";
import type { Clock } from "@tiphys/base/clock";
import type { Impersonation, LoginChoice } from "@tiphys/kube/connections";
import type { Takeover } from "@tiphys/installation/takeover";
import type { SyncLimits } from "@tiphys/storage/sync_limits";
import type { ArchiveService, ClusterService, WorkflowService } from "@tiphys/service";
import type { ServerAddress, ServerVersion } from "@tiphys/service/server";
import type { ImageStore } from "../local/image/image_store.ts";
import type { AttemptLimits, Running } from "../local/mod.ts";

/** The size of a terminal. */
export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

/** The cluster or server to connect to. */
export interface ConnectTarget {
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
  readonly namespace?: string | undefined;
  /** The data folder of an embedded cluster, instead of a kubeconfig. */
  readonly dataDir?: string | undefined;
  /** Timeout of each request in milliseconds; no timeout by default. */
  readonly requestMillis?: number | undefined;
  /** The user to impersonate. */
  readonly actAs?: Impersonation | undefined;
  /** Overrides of parts of the kubeconfig. */
  readonly choice?: LoginChoice | undefined;
  /** The instance ID of the controller: only its objects are listed, and new objects belong to it. */
  readonly instanceId?: string | undefined;
  /** An Argo server, instead of a cluster. */
  readonly server?: ServerAddress | undefined;
}

/** A connection to a cluster, and its default namespace. */
export interface Connection {
  readonly service: WorkflowService;
  /** The limits of semaphores. */
  readonly syncLimits: SyncLimits;
  /** The archive of workflows; undefined for a direct connection to a Kubernetes cluster, which requires a server. */
  readonly archive?: ArchiveService | undefined;
  readonly namespace: string;
  /**
   * The data folder of an embedded cluster that no process runs: its objects can be read, but workflows make no
   * progress.
   */
  readonly idle?: string | undefined;
  /** Checks the cluster before a takeover of its Argo installation; undefined for a connection to a server. */
  preflight?(options: PreflightOptions): Promise<readonly Finding[]>;
  /** The takeover of an Argo that is installed in the cluster; undefined for a connection to a server. */
  takeover?(): Promise<Takeover>;
  /** Returns the `authorization` header of requests; undefined if none is needed, or a client certificate is used. */
  authorization?(): Promise<string | undefined>;
  /** Returns the version of the server; undefined for a direct connection to a cluster. */
  serverVersion?(): Promise<ServerVersion>;
  /**
   * Serves the artifact store of an embedded cluster that no process runs, until disposed; undefined for other
   * clusters.
   */
  serveArtifacts?(): Promise<AsyncDisposable & { readonly repository: object }>;
  /** The default artifact repository that a running embedded cluster announces. */
  readonly artifactRepository?: object | undefined;
  close(): void | Promise<void>;
}

/** The address at which a page is served. */
export interface PagePort {
  /** The port on 127.0.0.1; by default 2747, or any free port if that one is in use. */
  readonly port?: number | undefined;
}

/** A page that is served. */
export interface ServedPage {
  readonly url: string;
  /** Returns a link that is valid until the page is closed. The path has no leading slash. */
  link(path?: string): Promise<string>;
}

/** Options of starting a local cluster in this process. */
export interface LocalClusterOptions {
  readonly dataDir: string;
  /** Receives errors, and the log of the controller if `verbose` is set. */
  readonly log: (line: string) => void;
  readonly verbose: boolean;
  /** The container runtime; by default, the best one that this machine supports. */
  readonly runtime?: string | undefined;
  /**
   * Whether a stand-in may replace images that cannot be pulled: any, or none. When absent, base images, and any if the
   * user once agreed.
   */
  readonly standIn?: boolean | undefined;
  /** Asks the user whether a stand-in may replace an image; absent without a terminal. */
  readonly askStandIn?: ((image: string) => boolean) | undefined;
  /** The failures after which a pod that cannot start fails; undefined to retry without end, as in a cluster. */
  readonly attempts?: AttemptLimits | undefined;
  /** Whether pods may mount folders of this machine. */
  readonly allowHostPath?: boolean | undefined;
  /** Maximum total size of artifacts in the embedded store, in bytes; 0 disables the store. */
  readonly artifactBytes?: number | undefined;
  /** A file with the settings of the controller; default settings without it. */
  readonly settings?: string | undefined;
  /**
   * The instance ID of the controller, which only reconciles workflows with its label. The settings may also set it.
   */
  readonly instanceId?: string | undefined;
  /** Whether the API server uses TLS, which kubectl requires. */
  readonly tls?: boolean | undefined;
  /** The port of the API server; any free port by default. */
  readonly port?: number | undefined;
  /** The place at which the page is served; absent if it is not served. */
  readonly page?: PagePort | undefined;
  /** Whether to connect to a cluster that another process runs with the data folder, instead of failing. */
  readonly joins?: boolean | undefined;
  /** Receives notices for the user about how containers run on this machine. */
  readonly onNotice: (line: string) => void;
}

/** A running local cluster. */
export interface LocalCluster {
  readonly service: ClusterService;
  /** The container runtime. */
  readonly runtime: string;
  /** The page, if it is served. */
  readonly page?: ServedPage | undefined;
  /** The process that runs the cluster; undefined for this process. */
  readonly joined?: number | undefined;
  /** Stops everything that this process started. */
  close(): Promise<void>;
}

/** A signal that ends a process: SIGINT from Ctrl-C, or SIGTERM, which its sender does not repeat. */
export type Interrupt = "SIGINT" | "SIGTERM";

/** Files, terminal, environment and clusters of a command. */
export interface World {
  /**
   * Writes to the standard output. On a terminal, control characters except colors are shown instead of interpreted.
   */
  out(text: string): void;
  /** Writes to the standard error, in the same way. */
  err(text: string): void;
  /** Erases the last lines that `out` wrote to a terminal. */
  eraseLines(count: number): void;
  /** Returns the size of the terminal that `out` writes to; undefined if it is not a terminal. */
  terminal(): TerminalSize | undefined;
  env(name: string): string | undefined;
  now(): Date;
  /** The clock of waits; the system clock by default. */
  readonly clock?: Clock;
  /** Reads the whole standard input. */
  stdin(): Promise<string>;
  readFile(path: string): Promise<string>;
  /** Writes a text file, and replaces an existing one. */
  writeFile(path: string, text: string): Promise<void>;
  /** Opens a file as a stream of bytes; `-` is the standard input. */
  openFile(path: string): Promise<ReadableStream<Uint8Array>>;
  /** Whether the user can be prompted: standard input and output are terminals. */
  canPrompt(): boolean;
  /** Asks the user for confirmation; false without a terminal. */
  confirm(question: string): boolean;
  connect(where: ConnectTarget): Promise<Connection>;
  startLocalCluster(options: LocalClusterOptions): Promise<LocalCluster>;
  /** Finds the embedded cluster that a process runs with a data folder; undefined without one. */
  findEngine(dataDir: string): Promise<Running | undefined>;
  /** Finds the page of the embedded cluster that a process runs with a data folder; undefined without one. */
  findPage(dataDir: string): Promise<ServedPage | undefined>;
  /**
   * Opens a link in the browser of this machine without exposing it to other users; false without a browser. Returns
   * early when `ended` resolves.
   */
  openLink(link: string, ended?: Promise<unknown>): Promise<boolean>;
  /**
   * Removes the data of embedded clusters in a data folder.
   * @throws if a process uses the data folder.
   */
  removeData(dataDir: string): Promise<void>;
  /** Opens the image store of this machine. */
  imageStore(): Promise<ImageStore>;
  /** Calls the handler at every Ctrl-C and SIGTERM, instead of their default action, until disposed. */
  onInterrupt(handler: (signal: Interrupt) => void): Disposable;
}
