/** The limits of semaphores: what is asked, who keeps them, and what may be wrong. */

/** The kind of place where a limit is kept, as Argo's API spells it. */
export type SyncType = "CONFIGMAP" | "DATABASE";

/** The name of a limit, which tells it apart from all others. */
export interface SyncLimitName {
  readonly type: SyncType;
  readonly namespace: string;
  readonly key: string;
  /** The ConfigMap; of one in a database there is none. */
  readonly cmName?: string;
}

/** A limit. */
export interface SyncLimit extends SyncLimitName {
  readonly limit: number;
}

/** The kind of an error, by its gRPC name. */
export type SyncLimitCode = "InvalidArgument" | "AlreadyExists" | "NotFound" | "PermissionDenied";

/** A limit that cannot be what was asked. The message is Argo's. */
export class SyncLimitError extends Error {
  override readonly name = "SyncLimitError";
  readonly code: SyncLimitCode;

  constructor(code: SyncLimitCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** The keeper of limits of one type. */
export interface LimitKeeper {
  /** @throws {SyncLimitError} when there is one already. */
  create(limit: SyncLimit): Promise<SyncLimit>;
  /** @throws {SyncLimitError} when there is none, or it is no number. */
  get(name: SyncLimitName): Promise<SyncLimit>;
  /** @throws {SyncLimitError} when there is none. */
  update(limit: SyncLimit): Promise<SyncLimit>;
  /** Deletes a limit; nothing is done when there is none. */
  delete(name: SyncLimitName): Promise<void>;
}

/** All limits. Each method throws a `SyncLimitError` for a mistake of its caller, and the errors of the keeper. */
export class SyncLimits {
  readonly #keepers: Readonly<Partial<Record<SyncType, LimitKeeper>>>;

  constructor(keepers: Readonly<Partial<Record<SyncType, LimitKeeper>>>) {
    this.#keepers = keepers;
  }

  async create(limit: SyncLimit): Promise<SyncLimit> {
    checkLimit(limit);
    return await this.#keeper(limit).create(limit);
  }

  async get(name: SyncLimitName): Promise<SyncLimit> {
    return await this.#keeper(name).get(name);
  }

  async update(limit: SyncLimit): Promise<SyncLimit> {
    checkLimit(limit);
    return await this.#keeper(limit).update(limit);
  }

  async delete(name: SyncLimitName): Promise<void> {
    await this.#keeper(name).delete(name);
  }

  #keeper({ type }: SyncLimitName): LimitKeeper {
    const keeper = this.#keepers[type];
    if (!keeper) throw unsupported(type);
    return keeper;
  }
}

function checkLimit({ limit }: SyncLimit): void {
  if (Number.isSafeInteger(limit) && limit > 0) return;
  throw new SyncLimitError("InvalidArgument", "limit must be greater than zero");
}

/**
 * Reads a type as people and Argo's API write it: by its name in any case, or by its number.
 * @throws {SyncLimitError} when it is none.
 */
export function readSyncType(text: string | number): SyncType {
  const name = String(text).toUpperCase();
  if (name === "CONFIGMAP" || name === "0") return "CONFIGMAP";
  if (name === "DATABASE" || name === "1") return "DATABASE";
  throw unsupported(String(text));
}

function unsupported(type: string): SyncLimitError {
  return new SyncLimitError("InvalidArgument", `unsupported sync config type: ${type}`);
}
