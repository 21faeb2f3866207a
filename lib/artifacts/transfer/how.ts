/** Types of transfers: settings, results, and names of places in messages. */
import type { Driver, Place, TreeDriver } from "@tiphys/model/artifact";
import type { NodeCache } from "./node_cache.ts";
import type { RetryContext } from "./retry.ts";

/** The settings of a transfer. */
export interface Transfer extends RetryContext {
  /** Number of objects of a folder that are transferred concurrently. */
  readonly objects: number;
  readonly env: (name: string) => string | undefined;
  /** Whether the target folder is not shared, so that a file partially loaded by an earlier process is resumed. */
  readonly resumes?: boolean;
  /** The cache of this node for loaded files. */
  readonly cache?: NodeCache | undefined;
  /** Whether saved content may exist at its key already. If the store can report that, it is not sent again. */
  readonly mayExist?: boolean;
  /** Called with the size of each saved object in bytes. */
  readonly onObject?: (bytes: number) => void;
}

/** The result of a transfer: the size, the number of objects and the digest. */
export interface TransferResult {
  readonly kind: "file" | "folder";
  /** Size of the content as stored, in bytes. */
  readonly bytes: number;
  readonly objects: number;
  /** Lower-case hexadecimal, if it was computed or verified. */
  readonly sha256?: string;
  /** Number of objects that were not sent because they existed already. */
  readonly unsent?: number;
}

/** Whether a store transfers whole trees itself. */
export function isTreeDriver(driver: Driver | TreeDriver): driver is TreeDriver {
  return !("find" in driver);
}

/** Returns a name of a place without credentials: the kind of store, the bucket and the key. */
export function displayName({ store, key, settings }: Place): string {
  const holder = settings.bucket ?? settings.container;
  return [store, ...(typeof holder === "string" ? [holder] : []), ...(key ? [key] : [])].join(" ");
}

/** Returns the prefix of keys below a folder. */
export function prefixOf({ key }: Place): string {
  return key === "" || key.endsWith("/") ? key : `${key}/`;
}

/** Returns the place of one object below a folder. */
export function locationBelow(location: Place, name: string): Place {
  return { ...location, key: `${prefixOf(location)}${name}` };
}
