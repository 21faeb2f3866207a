/**
 * Drivers of stores: what each kind can do, as streams of bytes. Repeating what may pass, local files, links and archives
 * are done once for all stores, above the drivers.
 */
import type { Bytes, Net, Reach, Source } from "../net/mod.ts";

/** The complete place of an artifact: the repository is known, template tags are filled in, and the key is final. */
export interface Place {
  /** The field of the artifact that names the kind of store: `s3`, `gcs`, … */
  readonly store: string;
  /** The name that the store knows it by: a key, a blob, a path. One that ends in a slash is a folder. */
  readonly key: string;
  /** The other fields of the location, as in the CRDs. */
  readonly settings: Readonly<Record<string, unknown>>;
}

/** The file or folder that was found at a place. */
export interface Found {
  readonly kind: "file" | "folder";
  /** Bytes, where the store tells. */
  readonly size?: number;
  /** Changes with the content. */
  readonly etag?: string;
  /** Of the content, lower case hexadecimal, where the store keeps it. */
  readonly sha256?: string;
  /** Of the content, as S3 writes it: what a digest was made of with it takes less to look at. */
  readonly crc32?: string;
  /** The same content lay there before: nothing was sent. */
  readonly wasThere?: true;
}

/** One object below a folder. */
export interface Item {
  /** Relative to the folder and checked: no part is empty, `.` or `..`. An empty folder ends in a slash. */
  readonly name: string;
  /** Bytes, where the store tells. */
  readonly size?: number;
  readonly etag?: string;
}

/** The part of a file that is asked for: bytes from `from` up to, not including, `to`, and only while it has `etag`. */
export interface Part {
  readonly from?: number;
  readonly to?: number;
  readonly etag?: string;
  /** The reader adds up the content and holds it against the digest that was found: the driver need not. */
  readonly isSummed?: boolean;
}

/** The wishes about a write. */
export interface Writing {
  /** Content that lies there already, by the digest that the object itself says, is not sent again; asking takes a request. */
  readonly unlessThere?: boolean;
}

/** Uploads in parts that were begun and not ended, remembered where the next life of a process finds them. */
export interface BegunUploads {
  /** What was said of an upload; undefined where nothing is remembered. `name` is hexadecimal. */
  get(name: string): string | undefined;
  put(name: string, said: string): void;
  forget(name: string): void;
}

/** The means that a driver is given: it reads no environment, file or clock by itself. */
export interface Surroundings {
  /**
   * The value of a secret, which no log or error shows from then on.
   * @throws {StoreError} `final`, naming the secret and its key, when it is not there.
   */
  secret(name: string, key: string): Promise<string>;
  /**
   * The bytes of a secret that is no text.
   * @throws {StoreError} as {@link Surroundings.secret} does.
   */
  secretBytes(name: string, key: string): Promise<Bytes>;
  /** @throws {StoreError} `final`, naming the ConfigMap and its key, when it is not there. */
  configMap(name: string, key: string): Promise<string>;
  /** A variable of the environment of this process: what the default credentials of clouds are found by. */
  env(name: string): string | undefined;
  /**
   * Whether a place without credentials of its own is accessed with the identity that this process has in its cloud: the
   * default credentials, the role of the machine or of the workload. A pod has its author's; a server has its operator's,
   * and the places are written by others.
   */
  readonly mayUseIdentity: boolean;
  readonly net: Net;
  /** Decides which addresses are connected to beside `net`, which is to have the same; all of them when absent. */
  readonly reach?: Reach | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** `parts`: of one file at once; `partBytes`: of each, where the store leaves the choice; `objects`: at once. */
  readonly limits: { readonly parts: number; readonly partBytes?: number; readonly objects: number };
  /**
   * Does something to a part of an object, again after a while when it failed for a reason that may pass: the other parts
   * need not be sent anew. Without it a part has one try.
   */
  readonly again?: <T>(stop: AbortSignal, act: () => Promise<T>) => Promise<T>;
  /** Remembers uploads in parts; without it what a killed process began stays in the store, as far as that lets it. */
  readonly begun?: BegunUploads;
  /** A line for people who look for what went wrong. It never has a secret, a header or a query in it. */
  readonly debug?: (line: string) => void;
}

/** The largest file that something is added to: more S3 does not copy at once. */
export const MOST_ADDED_TO_BYTES = 5 * 1024 ** 3;

/** One kind of store, connected as a place says. */
export interface Driver {
  readonly can: {
    readonly save: boolean;
    /** Folders without an archive. */
    readonly folders: boolean;
    readonly list: boolean;
    readonly remove: boolean;
    /** What it writes it tells the SHA-256 of, as it reads the content for that or for a like sum anyway. */
    readonly digest?: boolean;
    /** It can leave out what lies there already ({@link Writing}). */
    readonly unlessThere?: boolean;
  };
  /**
   * The file or folder at a place: the object of this very key, else a folder when anything lies below `key/`.
   * @throws {StoreError} `missing` when nothing does.
   */
  find(place: Place, stop: AbortSignal): Promise<Found>;
  /**
   * The bytes of a file.
   * @throws {StoreError} `missing`; `changed` when it has another etag.
   */
  read(place: Place, part: Part, stop: AbortSignal): Promise<ReadableStream<Bytes>>;
  /** Everything below `key/` in the order of keys, page by page; never a sibling. The folder's own marker is not told. */
  list(place: Place, stop: AbortSignal): AsyncIterable<Item>;
  /** Writes one object, whole or not at all. A stream has no known length. A key that ends in a slash is an empty folder. */
  write(
    place: Place,
    content: Source | ReadableStream<Bytes>,
    stop: AbortSignal,
    writing?: Writing,
  ): Promise<Found>;
  /**
   * Adds content to the end of a file of 5 MiB to {@link MOST_ADDED_TO_BYTES}, whole or not at all: until then it is read as it was. `sha256` is
   * that of the whole file then.
   * @throws {StoreError} `changed` when the file has another etag.
   */
  append?(
    place: Place,
    there: { readonly size: number; readonly etag: string },
    added: { readonly content: Source; readonly sha256: string },
    stop: AbortSignal,
  ): Promise<{ readonly size: number; readonly etag: string }>;
  /** Removes the object, or, without one, all below `key/`. What is gone already is no failure. */
  remove(place: Place, stop: AbortSignal): Promise<{ readonly removed: number }>;
  /** Ends its connections. */
  close?(): Promise<void> | void;
}

/** A store whose content is a tree that it moves by itself: git, plugins. */
export interface TreeDriver {
  /** Brings the file or folder at a place to a path, which does not exist yet. */
  load(place: Place, path: string, stop: AbortSignal): Promise<void>;
  save?(path: string, place: Place, stop: AbortSignal): Promise<void>;
  close?(): Promise<void> | void;
}

/** Makes the driver of a place; the connection may wait until the first question. */
export type MakeDriver = (
  place: Place,
  surroundings: Surroundings,
) => Driver | TreeDriver | Promise<Driver | TreeDriver>;

/**
 * - `missing`: there is nothing of this key. `bucket`: what it would lie in is not there.
 * - `forbidden`: whoever asks may not, or is not known.
 * - `changed`: the content is no longer what it was.
 * - `transient`: the same may fare better later. `final`: it will not.
 */
export type StoreErrorKind = "missing" | "bucket" | "forbidden" | "changed" | "transient" | "final";

/** Every failure of a store; only its driver knows which kind it is. The message has no secret in it. */
export class StoreError extends Error {
  override readonly name = "StoreError";

  /** `retryAfterMillis`: how long the store asked to be left alone. */
  constructor(
    message: string,
    readonly kind: StoreErrorKind,
    readonly retryAfterMillis?: number,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
