/**
 * Drivers of stores, which transfer streams of bytes. Retries, local files, links and archives are implemented once for
 * all stores, above the drivers.
 */
import type { AddressPolicy, Bytes, Net, Source } from "@tiphys/base/net";

/** The complete place of an artifact: the repository is known, template tags are filled in, and the key is final. */
export interface Place {
  /** The field of the artifact that names the kind of store: `s3`, `gcs`, … */
  readonly store: string;
  /** The name that the store knows it by: a key, a blob, a path. One that ends in a slash is a folder. */
  readonly key: string;
  /** The other fields of the location, as in the CRDs. */
  readonly settings: Readonly<Record<string, unknown>>;
}

/** A file or folder at a place. */
export interface ContentInfo {
  readonly kind: "file" | "folder";
  /** Size in bytes, if the store reports it. */
  readonly size?: number;
  /** Changes with the content. */
  readonly etag?: string;
  /** SHA-256 of the content in lower-case hexadecimal, if the store has it. */
  readonly sha256?: string;
  /** CRC-32 of the content in S3's format. Cheaper to verify for content whose digest was computed together with it. */
  readonly crc32?: string;
  /** Whether the same content existed before, so that nothing was sent. */
  readonly hasExisted?: true;
}

/** One object below a folder. */
export interface Item {
  /**
   * The name relative to the folder, validated: no part is empty, `.` or `..`. The name of an empty folder ends in a
   * slash.
   */
  readonly name: string;
  /** Size in bytes, if the store reports it. */
  readonly size?: number;
  readonly etag?: string;
}

/** The requested part of a file: bytes from `from` to `to` (exclusive), and only if the file has this `etag`. */
export interface Part {
  readonly from?: number;
  readonly to?: number;
  readonly etag?: string;
  /** Whether the reader verifies the digest of the content, so that the driver need not. */
  readonly isDigestVerified?: boolean;
}

/** Options of a write. */
export interface WriteOptions {
  /**
   * Does not send content again that exists already, according to the digest stored with the object. Checking takes a
   * request.
   */
  readonly skipsExisting?: boolean;
}

/** Multipart uploads that were started and not completed, stored for the next process. */
export interface StartedUploads {
  /** Returns the data of an upload; undefined when it is not stored. `name` is hexadecimal. */
  get(name: string): string | undefined;
  put(name: string, data: string): void;
  forget(name: string): void;
}

/** The environment of a driver, which itself reads no environment variable, file or clock. */
export interface DriverEnvironment {
  /**
   * Returns the value of a secret, which is redacted in logs and errors from then on.
   * @throws {StoreError} `final`, with the names of the secret and key, when it does not exist.
   */
  secret(name: string, key: string): Promise<string>;
  /**
   * Returns the bytes of a binary secret.
   * @throws {StoreError} like {@link DriverEnvironment.secret}.
   */
  secretBytes(name: string, key: string): Promise<Bytes>;
  /** @throws {StoreError} `final`, with the names of the ConfigMap and key, when it does not exist. */
  configMap(name: string, key: string): Promise<string>;
  /** Returns an environment variable of this process, for default credentials of clouds. */
  env(name: string): string | undefined;
  /**
   * Whether the identity of this process in its cloud (default credentials, the role of the machine or workload) may be
   * used for a place without credentials. A pod has the identity of its author. A server has that of its operator,
   * while others write the places.
   */
  readonly mayUseIdentity: boolean;
  readonly net: Net;
  /**
   * Decides which addresses may be connected to without `net`, which must have the same policy. All addresses if
   * undefined.
   */
  readonly reach?: AddressPolicy | undefined;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /**
   * `parts`: concurrent parts of one file; `partBytes`: size of a part, if the driver may choose; `objects`: concurrent
   * objects.
   */
  readonly limits: { readonly parts: number; readonly partBytes?: number; readonly objects: number };
  /**
   * Runs an operation on a part of an object, with retries after temporary errors, so that other parts need not be sent
   * again. If undefined, there is one attempt.
   */
  readonly retry?: <T>(stop: AbortSignal, act: () => Promise<T>) => Promise<T>;
  /** Stores multipart uploads. If undefined, uploads of a killed process remain in the store until it removes them. */
  readonly begun?: StartedUploads;
  /** Logs a line for debugging. It must not contain secrets, headers or queries. */
  readonly debug?: (line: string) => void;
}

/** Maximum size of a file that content is appended to, which is the most that S3 copies at once. */
export const MAX_APPENDED_BYTES = 5 * 1024 ** 3;

/** A connection to one kind of store. */
export interface Driver {
  readonly can: {
    readonly save: boolean;
    /** Folders without an archive. */
    readonly folders: boolean;
    readonly list: boolean;
    readonly remove: boolean;
    /** Whether the driver returns the SHA-256 of written content, because it computes this or a similar sum anyway. */
    readonly digest?: boolean;
    /** Whether the driver can skip an upload if the store has the same content ({@link WriteOptions}). */
    readonly skipsExisting?: boolean;
  };
  /**
   * Returns the file or folder at a place: the object with this key, else a folder if there is any object below `key/`.
   * @throws {StoreError} `missing` when there is neither.
   */
  find(location: Place, stop: AbortSignal): Promise<ContentInfo>;
  /**
   * Returns the bytes of a file.
   * @throws {StoreError} `missing`; `changed` when it has another etag.
   */
  read(location: Place, part: Part, stop: AbortSignal): Promise<ReadableStream<Bytes>>;
  /**
   * Lists everything below `key/` in order of keys, page by page, without siblings and without the folder's own marker.
   */
  list(location: Place, stop: AbortSignal): AsyncIterable<Item>;
  /**
   * Writes one object, completely or not at all. The length of a stream is unknown. A key that ends in a slash is an
   * empty folder.
   */
  write(
    location: Place,
    content: Source | ReadableStream<Bytes>,
    stop: AbortSignal,
    writing?: WriteOptions,
  ): Promise<ContentInfo>;
  /**
   * Appends content to a file of 5 MiB to {@link MAX_APPENDED_BYTES}, completely or not at all; until then, readers
   * see the old content. `sha256` is that of the whole resulting file.
   * @throws {StoreError} `changed` when the file has another etag.
   */
  append?(
    location: Place,
    there: { readonly size: number; readonly etag: string },
    added: { readonly content: Source; readonly sha256: string },
    stop: AbortSignal,
  ): Promise<{ readonly size: number; readonly etag: string }>;
  /** Removes the object or, if it does not exist, everything below `key/`. Missing objects are not an error. */
  remove(location: Place, stop: AbortSignal): Promise<{ readonly removed: number }>;
  /** Closes its connections. */
  close?(): Promise<void> | void;
}

/** A store that transfers whole trees itself: git, plugins. */
export interface TreeDriver {
  /** Loads the file or folder at a place to a path, which does not exist yet. */
  load(location: Place, path: string, stop: AbortSignal): Promise<void>;
  save?(path: string, location: Place, stop: AbortSignal): Promise<void>;
  close?(): Promise<void> | void;
}

/** Creates the driver of a place. It may connect on first use. */
export type MakeDriver = (
  location: Place,
  environment: DriverEnvironment,
) => Driver | TreeDriver | Promise<Driver | TreeDriver>;

/**
 * - `missing`: the key does not exist. `bucket`: its bucket does not exist.
 * - `forbidden`: the caller is not authorized or not authenticated.
 * - `changed`: the content has changed.
 * - `transient`: a retry may succeed. `final`: a retry will fail.
 */
export type StoreErrorKind = "missing" | "bucket" | "forbidden" | "changed" | "transient" | "final";

/** Error of a store. Its driver determines the kind. The message contains no secrets. */
export class StoreError extends Error {
  override readonly name = "StoreError";

  /** @param retryAfterMillis the delay that the store requested. */
  constructor(
    message: string,
    readonly kind: StoreErrorKind,
    readonly retryAfterMillis?: number,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
