/** HDFS as its driver needs it, whichever protocol it is spoken to by. */
import type { Bytes, Source } from "../../net/mod.ts";

/** The status of a file or a folder, in the words of HDFS. */
export interface Status {
  /** Below the folder that was listed; empty for what was asked itself. */
  readonly pathSuffix: string;
  readonly type: "FILE" | "DIRECTORY" | "SYMLINK";
  readonly length: number;
  /** Milliseconds since 1970. */
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
  /** Renames in one step. False when that name is taken, whose entry is replaced where `overwrites` is set. */
  rename(path: string, to: string, overwrites: boolean, stop: AbortSignal): Promise<boolean>;
  /** False when there was nothing. */
  remove(path: string, stop: AbortSignal): Promise<boolean>;
  /** Ends its connections. */
  close?(): void;
}
