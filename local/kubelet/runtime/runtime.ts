/** The interface of whatever runs containers for the kubelet: one, with several back ends. */
import type { ExecStreams } from "../../api/mod.ts";
import type { ImageConfig } from "@tiphys/registry/image_error";

/** A file or folder of this machine that a container sees at `target`. */
export interface Mount {
  readonly source: string;
  /**
   * The path in the source, a folder then, that is mounted instead of the source: made as a folder where it is missing.
   * Links on the way are followed within the source; whoever writes to the source can change them at any time, so the
   * back end must check that.
   */
  readonly below?: string | undefined;
  /** Whether nobody writes to the source, and so nothing is made in it either: the content of an image, or of an object. */
  readonly isFixed?: boolean | undefined;
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
  /** The user that the image names, for where `user` says nothing; empty: root. */
  readonly imageUser: string;
  readonly readOnlyRoot: boolean;
  /** Whether no program may have more rights than the one that starts it: setuid bits mean nothing then. */
  readonly noNewPrivileges: boolean;
  /** The bytes of memory that its processes may have together, where this machine lets us limit them. */
  readonly memoryLimit: number | undefined;
  /** The mounts by their depth: an outer one before those inside it. */
  readonly mounts: readonly Mount[];
}

/** The settings of an image that is a plain folder. */
export const PLAIN_IMAGE: ImageConfig = { entrypoint: [], cmd: [], env: new Map(), workingDir: "/", user: "" };

/** Receives what a container writes, as it comes. */
export type OutputSink = (stream: "stdout" | "stderr", chunk: Uint8Array) => void;

/** The end of a container. */
export interface Ending {
  readonly exitCode: number;
  readonly reason: "Completed" | "Error" | "OOMKilled" | "StartError";
  /** A message for people, where the back end knows more than the exit code. */
  readonly message?: string;
}

/** The exit code and the output of a command run inside a container. */
export interface ExecResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The two signals a kubelet sends. */
export type StopSignal = "SIGTERM" | "SIGKILL";

export interface ExecOptions {
  readonly signal?: AbortSignal | undefined;
  readonly streams?: ExecStreams | undefined;
}

/** A container that was started. */
export interface Container {
  /** Resolves when its first process has ended and all its output was handed over. Never rejects. */
  readonly ended: Promise<Ending>;
  /** Signals the first process; SIGKILL ends all others with it. Does nothing after the end. */
  signal(signal: StopSignal): void;
  /**
   * Runs a command beside the container's own; with streams, nothing of its output is kept for the result. Rejects when the
   * container is not running.
   */
  exec(command: readonly string[], options?: ExecOptions): Promise<ExecResult>;
  /** Ends what still runs and forgets everything the container kept. */
  remove(): Promise<void>;
}

/** The policy and credentials of a pull. */
export interface ImagePull {
  /** The policy of the pod; a back end has its own rule where the pod names none. */
  readonly policy?: "Always" | "IfNotPresent" | "Never" | undefined;
  /** Credentials that the pod brings: `.dockerconfigjson`, parsed. */
  readonly secrets?: readonly unknown[];
  /** Called when content of the image comes from its registry; not where all of it is there. */
  readonly onFetch?: (() => void) | undefined;
}

/** A way to run containers. */
export interface ContainerRuntime {
  readonly name: string;
  /** The id of this machine, of users and groups, that files of a container's root have; undefined: that of whoever makes them. */
  readonly rootId?: number | undefined;
  /**
   * Makes the image's content ready.
   * @throws {ImageError}
   */
  pull(image: string, options?: ImagePull): Promise<ImageConfig>;
  /**
   * A folder with the image's content, for whoever only reads it; it stays until the runtime is closed.
   * @throws ImageError, also where the back end uses no images.
   */
  imageFolder(image: string, options?: ImagePull): Promise<string>;
  /**
   * Starts a container.
   * @throws only for this machine's troubles: a command that is missing is an Ending.
   */
  start(spec: ContainerSpec, output: OutputSink): Promise<Container>;
  close(): Promise<void>;
}

/** The error when no back end can run on this machine; the message says what is missing and what to do. */
export class RuntimeUnavailable extends Error {
  override readonly name = "RuntimeUnavailable";
}
