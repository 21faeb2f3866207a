/** The interface of the back ends that run containers for the kubelet. */
import type { ExecStreams } from "../../api/mod.ts";
import type { ImageConfig } from "@tiphys/registry/image_error";

/** A file or folder of this machine that a container sees at `target`. */
export interface Mount {
  readonly source: string;
  /**
   * The path within the source folder to mount instead of the source. It is created as a folder if missing. Links are
   * resolved within the source. The back end must check this when it mounts, because others may change the source at
   * any time.
   */
  readonly below?: string | undefined;
  /**
   * Whether the source is never written to, so nothing is created in it: the content of an image or of an API object.
   */
  readonly isFixed?: boolean | undefined;
  readonly target: string;
  readonly readOnly: boolean;
}

/** The specification of a container. */
export interface ContainerSpec {
  /** Unique on this machine. */
  readonly id: string;
  /** The folder for files of the back end. It is removed by `remove()`. */
  readonly folder: string;
  readonly image: string;
  readonly hostname: string;
  /** The program and its arguments, fully resolved. */
  readonly command: readonly string[];
  readonly env: ReadonlyMap<string, string>;
  readonly workingDir: string | undefined;
  readonly user: number | undefined;
  readonly group: number | undefined;
  /** The user according to the image, used if `user` is undefined. Empty means root. */
  readonly imageUser: string;
  readonly readOnlyRoot: boolean;
  /** Whether programs cannot gain privileges, so that setuid bits have no effect. */
  readonly noNewPrivileges: boolean;
  /** The memory limit of all its processes together, in bytes. Enforced if this machine supports it. */
  readonly memoryLimit: number | undefined;
  /** The mounts by depth: outer ones before those inside them. */
  readonly mounts: readonly Mount[];
}

/** The configuration of an image that is a plain folder. */
export const PLAIN_IMAGE: ImageConfig = { entrypoint: [], cmd: [], env: new Map(), workingDir: "/", user: "" };

/** Receives the output of a container as it is written. */
export type OutputSink = (stream: "stdout" | "stderr", chunk: Uint8Array) => void;

/** The result of a container. */
export interface Ending {
  readonly exitCode: number;
  readonly reason: "Completed" | "Error" | "OOMKilled" | "StartError";
  /** A message for users, if the back end knows more than the exit code. */
  readonly message?: string;
}

/** The exit code and output of a command in a container. */
export interface ExecResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The two signals that a kubelet sends. */
export type StopSignal = "SIGTERM" | "SIGKILL";

export interface ExecOptions {
  readonly signal?: AbortSignal | undefined;
  readonly streams?: ExecStreams | undefined;
}

/** A started container. */
export interface Container {
  /** Resolves when its first process has ended and all its output was passed on. Never rejects. */
  readonly ended: Promise<Ending>;
  /** Signals the first process. SIGKILL also ends all others. No-op after the end. */
  signal(signal: StopSignal): void;
  /**
   * Runs a command in the container, in addition to its own. With streams, the result does not contain the output.
   * Rejects if the container is not running.
   */
  exec(command: readonly string[], options?: ExecOptions): Promise<ExecResult>;
  /** Ends all remaining processes and deletes the files of the container. */
  remove(): Promise<void>;
}

/** The policy and credentials of a pull. */
export interface ImagePull {
  /** The policy of the pod. If undefined, the default of the back end applies. */
  readonly policy?: "Always" | "IfNotPresent" | "Never" | undefined;
  /** Credentials of the pod: parsed `.dockerconfigjson`. */
  readonly secrets?: readonly unknown[];
  /** Called when content is fetched from the registry; not if everything is cached. */
  readonly onFetch?: (() => void) | undefined;
}

/** A back end that runs containers. */
export interface ContainerRuntime {
  readonly name: string;
  /**
   * The ID on this machine of the container's root user and group. If undefined, that of the process which creates
   * files.
   */
  readonly rootId?: number | undefined;
  /**
   * Makes the image's content available.
   * @throws {ImageError}
   */
  pull(image: string, options?: ImagePull): Promise<ImageConfig>;
  /**
   * Returns a folder with the image's content, which must only be read. It exists until the runtime is closed.
   * @throws ImageError, also if the back end uses no images.
   */
  imageFolder(image: string, options?: ImagePull): Promise<string>;
  /**
   * Starts a container.
   * @throws only errors of this machine. A missing command is an Ending.
   */
  start(spec: ContainerSpec, output: OutputSink): Promise<Container>;
  close(): Promise<void>;
}

/** No back end can run on this machine. The message contains the reason and a remedy. */
export class RuntimeUnavailable extends Error {
  override readonly name = "RuntimeUnavailable";
}
