/** The world outside of the commands: handed in by main.ts, and by tests. */
import type { Finding, PreflightOptions } from "@tiphys/installation/preflight";
import type { Clock } from "@tiphys/base/clock";
import type { Impersonation, LoginChoice } from "@tiphys/kube";
import type { Takeover } from "@tiphys/installation/takeover";
import type { SyncLimits } from "@tiphys/storage/sync_limits";
import type { ArchiveService, ClusterService, ServerAddress, ServerVersion, WorkflowService } from "@tiphys/service";
import type { ImageStore } from "../local/image/image_store.ts";
import type { Running } from "../local/mod.ts";

/** The size of a terminal. */
export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

/** The cluster that is meant. */
export interface Where {
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
  readonly namespace?: string | undefined;
  /** The data folder of an embedded cluster, in place of a kubeconfig. */
  readonly dataDir?: string | undefined;
  /** Milliseconds in which each request must be answered; without it there is no end to waiting. */
  readonly requestMillis?: number | undefined;
  /** Somebody else in whose name a cluster is asked. */
  readonly actAs?: Impersonation | undefined;
  /** What is said in place of parts of the kubeconfig. */
  readonly choice?: LoginChoice | undefined;
  /** The instance of the controller whose objects are listed, and to which those that are made belong. */
  readonly instanceId?: string | undefined;
  /** An Argo server, in place of any cluster. */
  readonly server?: ServerAddress | undefined;
}

/** A cluster, and the namespace that is meant when nothing else is said. */
export interface Connection {
  readonly service: WorkflowService;
  /** The limits of semaphores. */
  readonly syncLimits: SyncLimits;
  /** The archive of workflows; a cluster of Kubernetes has one behind a server only. */
  readonly archive?: ArchiveService | undefined;
  readonly namespace: string;
  /** The data folder of an embedded cluster that no process runs: its objects can be read, and no workflow proceeds. */
  readonly idle?: string | undefined;
  /** The findings about a take-over of the Argo that is installed there; undefined where a server stands between. */
  preflight?(options: PreflightOptions): Promise<readonly Finding[]>;
  /** The takeover of an Argo that is installed in the cluster; undefined where a server is in between. */
  takeover?(): Promise<Takeover>;
  /** The `authorization` header with which it is asked; undefined where none is needed, or a certificate stands for it. */
  authorization?(): Promise<string | undefined>;
  /** The release of the server that stands between; undefined where none does. */
  serverVersion?(): Promise<ServerVersion>;
  /** Lets the stores of the cluster answer that nobody serves now: those of an embedded one that does not run. */
  serveArtifacts?(): Promise<AsyncDisposable & { readonly repository: object }>;
  /** The place of artifacts that name none, where an embedded cluster that runs has announced it. */
  readonly artifactRepository?: object | undefined;
  close(): void | Promise<void>;
}

/** The place where a page is served. */
export interface PagePlace {
  /** The port on 127.0.0.1; the usual one, or any that is free, when absent. */
  readonly port?: number | undefined;
}

/** A page that is served. */
export interface ServedPage {
  readonly url: string;
  /** A link that lets in once, within a minute. The path begins without a slash. */
  link(path?: string): Promise<string>;
}

/** Options of starting a local cluster in this process. */
export interface LocalClusterOptions {
  readonly dataDir: string;
  /** Receives what goes wrong, and what the controller does if it was asked to be talkative. */
  readonly log: (line: string) => void;
  readonly verbose: boolean;
  /** The back end that runs containers; the best that this machine allows when absent. */
  readonly runtime?: string | undefined;
  /**
   * Whether a stand-in may replace images that cannot be pulled: any, or none. When absent, base images, and any if the user
   * once agreed.
   */
  readonly standIn?: boolean | undefined;
  /** Asks the user whether a stand-in may replace an image; absent where there is no terminal. */
  readonly askStandIn?: ((image: string) => boolean) | undefined;
  /** Whether pods may mount folders of this machine. */
  readonly allowHostPath?: boolean | undefined;
  /** Bytes that artifacts may have in the embedded store; 0: there is none. */
  readonly artifactBytes?: number | undefined;
  /** A file with the settings of the controller; without it, it has the usual ones. */
  readonly settings?: string | undefined;
  /** The instance that the controller is: it works what is labelled with it; the settings may name it, too. */
  readonly instanceId?: string | undefined;
  /** Whether it is reached over TLS, as kubectl wants it. */
  readonly tls?: boolean | undefined;
  /** The port on which the API server listens; any free one when absent. */
  readonly port?: number | undefined;
  /** Whether the page is served too. */
  readonly page?: PagePlace | undefined;
  /** Whether a cluster that another process runs over the data folder is used in place of a new one. */
  readonly joins?: boolean | undefined;
  /** Receives what the person should know about how containers run here. */
  readonly onNotice: (line: string) => void;
}

/** A cluster and a controller in this process. */
export interface LocalCluster {
  readonly service: ClusterService;
  /** The back end that runs containers. */
  readonly runtime: string;
  /** The page, where it was asked for. */
  readonly page?: ServedPage | undefined;
  /** The process that runs the cluster, where it is not this one. */
  readonly joined?: number | undefined;
  /** Ends what this process started. */
  close(): Promise<void>;
}

/** A signal that ends a process: a person's key, or a SIGTERM, whose sender does not ask again. */
export type Interrupt = "SIGINT" | "SIGTERM";

/** Everything a command may touch. */
export interface World {
  /** Writes to the standard output; on a terminal, controls but for colours are shown instead of done. */
  out(text: string): void;
  /** Writes to the standard error output, in the same way. */
  err(text: string): void;
  /** Takes back the last lines that `out` wrote to a terminal. */
  eraseLines(count: number): void;
  /** The terminal that `out` writes to; undefined when it is none. */
  terminal(): TerminalSize | undefined;
  env(name: string): string | undefined;
  now(): Date;
  /** The clock of waits; the machine's when absent. */
  readonly clock?: Clock;
  /** The whole standard input. */
  stdin(): Promise<string>;
  readFile(path: string): Promise<string>;
  /** Writes a text file, in place of one that exists. */
  writeFile(path: string, text: string): Promise<void>;
  /** The bytes of a file; of the standard input for `-`. */
  openFile(path: string): Promise<ReadableStream<Uint8Array>>;
  /** Whether the user can be asked: standard input and output are a terminal. */
  canAsk(): boolean;
  /** Asks the user; false also when there is no terminal. */
  confirm(question: string): boolean;
  connect(where: Where): Promise<Connection>;
  startLocalCluster(options: LocalClusterOptions): Promise<LocalCluster>;
  /** The embedded cluster that a process runs over a data folder; undefined when none does. */
  findEngine(dataDir: string): Promise<Running | undefined>;
  /** The page of the embedded cluster that a process runs over a data folder; undefined when none is served. */
  findPage(dataDir: string): Promise<ServedPage | undefined>;
  /** Opens a link in the browser of this machine, and shows it to no other user; false where there is none. */
  openLink(link: string): Promise<boolean>;
  /**
   * Removes what embedded clusters keep in a data folder.
   * @throws when one runs over it.
   */
  removeData(dataDir: string): Promise<void>;
  /** The images of this machine. */
  imageStore(): Promise<ImageStore>;
  /** Calls the handler at every Ctrl-C and every SIGTERM, in place of what they would do, until disposed. */
  onInterrupt(handler: (signal: Interrupt) => void): Disposable;
}
