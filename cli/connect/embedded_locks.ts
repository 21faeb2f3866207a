/** The lock database of an embedded cluster: a file in its data folder, or the database that its settings name. */
import { parseWith, SynchronizationSettings } from "@tiphys/model/api";
import { systemClock } from "@tiphys/base/clock";
import type { OpenLimits } from "@tiphys/storage/lock_database";
import { silentLog } from "@tiphys/base/log";
import type { LimitStorage } from "@tiphys/storage/sync_limits";
import { locksFile, synchronizationFile } from "../../local/data_files.ts";
import type { ReadSecret } from "./embedded_archive.ts";
import { readStoredSettings, storeSettings } from "./stored_settings.ts";

/** Default settings. Only the cluster and commands that change limits use this database. */
async function defaultSynchronization(dataDir: string): Promise<SynchronizationSettings> {
  return { sqlite: { file: await locksFile(dataDir) }, controllerName: "embedded", pollSeconds: 1 };
}

/**
 * Returns the lock settings of a cluster that starts: the given ones if they name a database, else the defaults. The
 * given settings are saved in the data folder, so that other commands use the same database.
 */
export async function storeSynchronization(
  dataDir: string,
  synchronization: SynchronizationSettings | undefined,
): Promise<SynchronizationSettings> {
  const settings = synchronization?.postgresql ?? synchronization?.mysql ?? synchronization?.sqlite
    ? synchronization
    : undefined;
  await storeSettings(synchronizationFile(dataDir), settings);
  return settings ?? await defaultSynchronization(dataDir);
}

/** The semaphore limits in the lock database of a data folder. */
export class EmbeddedLimits implements LimitStorage {
  readonly #dataDir: string;
  readonly #secret: ReadSecret;
  #opened: Promise<OpenLimits> | undefined;

  readonly create: LimitStorage["create"] = async (limit) => await (await this.#open()).create(limit);
  readonly get: LimitStorage["get"] = async (name) => await (await this.#open()).get(name);
  readonly update: LimitStorage["update"] = async (limit) => await (await this.#open()).update(limit);
  readonly delete: LimitStorage["delete"] = async (name) => await (await this.#open()).delete(name);

  constructor(dataDir: string, secret: ReadSecret) {
    this.#dataDir = dataDir;
    this.#secret = secret;
  }

  async close(): Promise<void> {
    const opened = await this.#opened?.catch(() => undefined);
    await opened?.[Symbol.asyncDispose]();
  }

  #open(): Promise<OpenLimits> {
    return this.#opened ??= openAt(this.#dataDir, this.#secret);
  }
}

async function openAt(dataDir: string, secret: ReadSecret): Promise<OpenLimits> {
  const { OpenLimits } = await import("@tiphys/storage/lock_database");
  const parse = (value: unknown) => parseWith(SynchronizationSettings, value, "lenient");
  const settings = await readStoredSettings(synchronizationFile(dataDir), parse) ??
    await defaultSynchronization(dataDir);
  return await OpenLimits.open(settings, { clock: systemClock, log: silentLog, secret });
}
