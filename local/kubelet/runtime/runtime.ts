/** What the kubelet asks of whatever runs containers: one interface, several back ends. */

/** A file or folder of this machine that a container sees at `target`. */
export interface Mount {
  readonly source: string;
  readonly target: string;
  readonly readOnly: boolean;
}

/** Everything a container needs to be started. */
export interface ContainerSpec {
  /** Unique on this machine. */
  readonly id: string;
  /** A folder of the container's own, for whatever the back end must keep; gone after `remove()`. */
  readonly folder: string;
  readonly image: string;
  readonly hostname: string;
  /** The program and its arguments, complete. */
  readonly command: readonly string[];
  readonly env: ReadonlyMap<string, string>;
  readonly workingDir: string | undefined;
  readonly user: number | undefined;
  readonly group: number | undefined;
  /** Who the image wants to be run as where `user` says nothing; empty: root. */
  readonly imageUser: string;
  readonly readOnlyRoot: boolean;
  /** How much memory its processes may have together, in bytes; where this machine lets us see to it. */
  readonly memoryLimit: number | undefined;
  /** In the order of their depth: an outer one before those inside it. */
  readonly mounts: readonly Mount[];
}

/** What an image says about the containers made of it. */
export interface ImageConfig {
  readonly entrypoint: readonly string[];
  readonly cmd: readonly string[];
  readonly env: ReadonlyMap<string, string>;
  readonly workingDir: string;
  /** `NAME[:GROUP]` or `UID[:GID]`; empty: root. */
  readonly user: string;
}

/** What is said of an image that is a plain folder. */
export const PLAIN_IMAGE: ImageConfig = { entrypoint: [], cmd: [], env: new Map(), workingDir: "/", user: "" };

/** Receives what a container writes, as it comes. */
export type OutputSink = (stream: "stdout" | "stderr", chunk: Uint8Array) => void;

/** How a container ended. */
export interface Ending {
  readonly exitCode: number;
  readonly reason: "Completed" | "Error" | "OOMKilled" | "StartError";
  /** What the back end knows beyond the exit code; for people. */
  readonly message?: string;
}

/** What a command run inside a container did. */
export interface ExecResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The two signals a kubelet sends. */
export type StopSignal = "SIGTERM" | "SIGKILL";

/** A container that was started. */
export interface Container {
  /** Resolves when its first process has ended and all its output was handed over. Never rejects. */
  readonly ended: Promise<Ending>;
  /** Signals the first process; SIGKILL ends all others with it. Does nothing after the end. */
  signal(signal: StopSignal): void;
  /** Runs a command beside the container's own. Rejects when the container is not running. */
  exec(command: readonly string[], signal?: AbortSignal): Promise<ExecResult>;
  /** Ends what still runs and forgets everything the container kept. */
  remove(): Promise<void>;
}

/** How an image is asked for. */
export interface ImagePull {
  /** As the pod says it; a back end has its own rule where it says nothing. */
  readonly policy?: "Always" | "IfNotPresent" | "Never" | undefined;
  /** Credentials that the pod brings: `.dockerconfigjson`, parsed. */
  readonly secrets?: readonly unknown[];
}

/** A way to run containers. */
export interface ContainerRuntime {
  readonly name: string;
  /** Makes the image's content ready. Throws ImageError. */
  pull(image: string, options?: ImagePull): Promise<ImageConfig>;
  /**
   * A folder with the image's content, for whoever only reads it; it stays until the runtime is closed. Throws ImageError, also
   * where the back end uses no images.
   */
  imageFolder(image: string, options?: ImagePull): Promise<string>;
  /** Starts a container. Throws only for this machine's troubles: a command that is missing is an Ending. */
  start(spec: ContainerSpec, output: OutputSink): Promise<Container>;
  close(): Promise<void>;
}

/** An image cannot be had. `reason` is the kubelet's: ErrImagePull, InvalidImageName, ErrImageNeverPull. */
export class ImageError extends Error {
  override readonly name = "ImageError";
  readonly reason: string;

  constructor(reason: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/** No back end can run on this machine; the message says what is missing and what to do. */
export class RuntimeUnavailable extends Error {
  override readonly name = "RuntimeUnavailable";
}
