/** What commands know of the world outside: handed in by main.ts, and by tests. */
import type { KubeClient } from "../lib/kube/mod.ts";
import type { ImageStore } from "../local/image/image_store.ts";
import type { Running } from "../local/mod.ts";

/** The size of a terminal. */
export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

/** Which cluster is meant. */
export interface Where {
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
  readonly namespace?: string | undefined;
  /** The data folder of an embedded cluster, in place of a kubeconfig. */
  readonly dataDir?: string | undefined;
}

/** A cluster, and the namespace that is meant when nothing else is said. */
export interface Connection {
  readonly client: KubeClient;
  readonly namespace: string;
  close(): void;
}

/** How an engine is started in this process. */
export interface EngineOptions {
  readonly dataDir: string;
  /** Told what goes wrong, and what the engine does if it was asked to be talkative. */
  readonly log: (line: string) => void;
  readonly verbose: boolean;
  /** The back end that runs containers; the best that this machine allows when absent. */
  readonly runtime?: string | undefined;
  /** Whether pods may mount folders of this machine. */
  readonly allowHostPath?: boolean | undefined;
  /** Whether it is reached over TLS, as kubectl wants it. */
  readonly tls?: boolean | undefined;
  /** Where it listens; any free port when absent. */
  readonly port?: number | undefined;
  /** Told what the person should know about how containers run here. */
  readonly onNotice: (line: string) => void;
}

/** A cluster and a controller in this process. */
export interface Engine {
  readonly client: KubeClient;
  /** The back end that runs containers. */
  readonly runtime: string;
  /** Ends everything: nothing is left running. */
  close(): Promise<void>;
}

/** Everything a command may touch. */
export interface World {
  /** Writes to the standard output, as it is. */
  out(text: string): void;
  /** Writes to the standard error output, as it is. */
  err(text: string): void;
  /** The terminal that `out` writes to; undefined when it is none. */
  terminal(): TerminalSize | undefined;
  env(name: string): string | undefined;
  now(): Date;
  /** The whole standard input. */
  stdin(): Promise<string>;
  readFile(path: string): Promise<string>;
  /** The bytes of a file; of the standard input for `-`. */
  openFile(path: string): Promise<ReadableStream<Uint8Array>>;
  /** Asks a person; false when there is none, too. */
  confirm(question: string): boolean;
  connect(where: Where): Promise<Connection>;
  startEngine(options: EngineOptions): Promise<Engine>;
  /** The embedded cluster that a process runs over a data folder; undefined when none does. */
  findEngine(dataDir: string): Promise<Running | undefined>;
  /** Removes what embedded clusters keep in a data folder. Throws when one runs over it. */
  removeData(dataDir: string): Promise<void>;
  /** The images of this machine. */
  imageStore(): Promise<ImageStore>;
  /** Calls the handler at every Ctrl-C, in place of what it would do, until disposed. */
  onInterrupt(handler: () => void): Disposable;
}
