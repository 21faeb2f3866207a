/** Semaphore limits: their names, storages and errors. */

/** The storage of a limit, as in Argo's API. */
export type SyncType = "CONFIGMAP" | "DATABASE";

/** The identity of a limit. */
export interface SyncLimitName {
  readonly type: SyncType;
  readonly namespace: string;
  readonly key: string;
  /** The ConfigMap; undefined in a database. */
  readonly cmName?: string;
}

/** A limit. */
export interface SyncLimit extends SyncLimitName {
  readonly limit: number;
}

/** The code of an error, by its gRPC name. */
export type SyncLimitCode = "InvalidArgument" | "AlreadyExists" | "NotFound" | "PermissionDenied";

/** The error of an invalid request, with Argo's message. */
export class SyncLimitError extends Error {
  override readonly name = "SyncLimitError";
  readonly code: SyncLimitCode;

  constructor(code: SyncLimitCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** The storage of limits of one type. */
export interface LimitStorage {
  /** @throws {SyncLimitError} when it exists. */
  create(limit: SyncLimit): Promise<SyncLimit>;
  /** @throws {SyncLimitError} when it does not exist or is not a number. */
  get(name: SyncLimitName): Promise<SyncLimit>;
  /** @throws {SyncLimitError} when it does not exist. */
  update(limit: SyncLimit): Promise<SyncLimit>;
  /** Deletes a limit if it exists. */
  delete(name: SyncLimitName): Promise<void>;
}

/** All limits. Each method throws a `SyncLimitError` for an invalid request, and the errors of the storage. */
export class SyncLimits {
  readonly #storages: Readonly<Partial<Record<SyncType, LimitStorage>>>;

  constructor(keepers: Readonly<Partial<Record<SyncType, LimitStorage>>>) {
    this.#storages = keepers;
  }

  async create(limit: SyncLimit): Promise<SyncLimit> {
    checkLimit(limit);
    return await this.#storageOf(limit).create(limit);
  }

  async get(name: SyncLimitName): Promise<SyncLimit> {
    return await this.#storageOf(name).get(name);
  }

  async update(limit: SyncLimit): Promise<SyncLimit> {
    checkLimit(limit);
    return await this.#storageOf(limit).update(limit);
  }

  async delete(name: SyncLimitName): Promise<void> {
    await this.#storageOf(name).delete(name);
  }

  #storageOf({ type }: SyncLimitName): LimitStorage {
    const keeper = this.#storages[type];
    if (!keeper) throw unsupportedTypeError(type);
    return keeper;
  }
}

function checkLimit({ limit }: SyncLimit): void {
  if (Number.isSafeInteger(limit) && limit > 0) return;
  throw new SyncLimitError("InvalidArgument", "limit must be greater than zero");
}

/**
 * Parses a type: its name in any case, or its number.
 * @throws {SyncLimitError} for any other value.
 */
export function readSyncType(text: string | number): SyncType {
  const name = String(text).toUpperCase();
  if (name === "CONFIGMAP" || name === "0") return "CONFIGMAP";
  if (name === "DATABASE" || name === "1") return "DATABASE";
  throw unsupportedTypeError(String(text));
}

function unsupportedTypeError(type: string): SyncLimitError {
  return new SyncLimitError("InvalidArgument", `unsupported sync config type: ${type}`);
}
