/** Transfers in general: what each takes, what it tells of itself, and the names of places in words. */
import type { Driver, Place, TreeDriver } from "../driver.ts";
import type { NodeCache } from "./node_cache.ts";
import type { Retrying } from "./retry.ts";

/** The settings of moving an artifact. */
export interface Transfer extends Retrying {
  /** Objects of a folder that are moved at once. */
  readonly objects: number;
  readonly env: (name: string) => string | undefined;
  /** The folder that is loaded into is nobody else's: what was loaded of a file before this process is gone on with. */
  readonly goesOn?: boolean;
  /** The cache of this node, which files are taken from and put into. */
  readonly cache?: NodeCache | undefined;
  /** What is saved may lie at its key already: it is asked for, where the store can tell, and not sent again. */
  readonly mayLieThere?: boolean;
  /** Told the bytes of each object that was saved. */
  readonly onObject?: (bytes: number) => void;
}

/** The summary of a move: the size, the number of objects and the digest. */
export interface Moved {
  readonly kind: "file" | "folder";
  /** Of the content as the store has it. */
  readonly bytes: number;
  readonly objects: number;
  /** Lower case hexadecimal, where it was made or looked at. */
  readonly sha256?: string;
  /** The objects that were not sent, as they lay there already. */
  readonly unsent?: number;
}

/** Whether a store moves trees by itself. */
export function movesTrees(driver: Driver | TreeDriver): driver is TreeDriver {
  return !("find" in driver);
}

/** A place in words that hold no credential: the kind of store, the bucket and the key, and nothing else. */
export function nameOfPlace({ store, key, settings }: Place): string {
  const holder = settings.bucket ?? settings.container;
  return [store, ...(typeof holder === "string" ? [holder] : []), ...(key ? [key] : [])].join(" ");
}

/** The key of what lies below a folder begins so. */
export function prefixOf({ key }: Place): string {
  return key === "" || key.endsWith("/") ? key : `${key}/`;
}

/** The place of one object below a folder. */
export function below(place: Place, name: string): Place {
  return { ...place, key: `${prefixOf(place)}${name}` };
}
