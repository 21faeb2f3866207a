/** The HDFS operations that the driver uses, independent of the protocol. */
import type { Bytes, Source } from "@tiphys/base/net";

/** The status of a file or folder, with HDFS's field names. */
export interface Status {
  /** The name relative to the listed folder; empty for the path itself. */
  readonly pathSuffix: string;
  readonly type: "FILE" | "DIRECTORY" | "SYMLINK";
  readonly length: number;
  /** Milliseconds since the epoch. */
  readonly modificationTime: number;
}

/** A cluster. */
export interface Hdfs {
  readonly title: string;
  status(path: string, stop: AbortSignal): Promise<Status | undefined>;
  list(path: string, stop: AbortSignal): Promise<readonly Status[]>;
  open(
    path: string,
    part: { readonly from: number; readonly length?: number },
    stop: AbortSignal,
  ): Promise<ReadableStream<Bytes>>;
  create(path: string, content: Source, stop: AbortSignal): Promise<void>;
  makeFolder(path: string, stop: AbortSignal): Promise<void>;
  /** Renames atomically. An existing target is replaced if `overwrites` is set; otherwise the result is false. */
  rename(path: string, to: string, overwrites: boolean, stop: AbortSignal): Promise<boolean>;
  /** False when the path does not exist. */
  remove(path: string, stop: AbortSignal): Promise<boolean>;
  /** Closes its connections. */
  close?(): void;
}
