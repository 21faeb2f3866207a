/** The database of locks of an embedded cluster: a file of its data folder, opened when somebody first needs it. */
import type { SynchronizationSettings } from "../../lib/api/mod.ts";
import { systemClock } from "../../lib/clock/mod.ts";
import type { OpenLimits } from "../../lib/lock_database/mod.ts";
import { silentLog } from "../../lib/log.ts";
import type { LimitKeeper } from "../../lib/sync_limits/mod.ts";
import { UserError } from "../../lib/user_error.ts";
import { locksFile } from "../../local/data_folder.ts";

/** The settings of the embedded database of locks. Nobody else works with it but those who change limits. */
export async function embeddedSynchronization(dataDir: string): Promise<SynchronizationSettings> {
  return { sqlite: { file: await locksFile(dataDir) }, controllerName: "embedded", pollSeconds: 1 };
}

/** The limits of a data folder. */
export class EmbeddedLimits implements LimitKeeper {
  readonly #dataDir: string;
  #opened: Promise<OpenLimits> | undefined;

  readonly create: LimitKeeper["create"] = async (limit) => await (await this.#open()).create(limit);
  readonly get: LimitKeeper["get"] = async (name) => await (await this.#open()).get(name);
  readonly update: LimitKeeper["update"] = async (limit) => await (await this.#open()).update(limit);
  readonly delete: LimitKeeper["delete"] = async (name) => await (await this.#open()).delete(name);

  constructor(dataDir: string) {
    this.#dataDir = dataDir;
  }

  async close(): Promise<void> {
    const opened = await this.#opened?.catch(() => undefined);
    await opened?.[Symbol.asyncDispose]();
  }

  #open(): Promise<OpenLimits> {
    return this.#opened ??= openAt(this.#dataDir);
  }
}

async function openAt(dataDir: string): Promise<OpenLimits> {
  const { OpenLimits } = await import("../../lib/lock_database/mod.ts");
  const secret = () => Promise.reject(new UserError("a file has no secrets"));
  return await OpenLimits.open(await embeddedSynchronization(dataDir), { clock: systemClock, log: silentLog, secret });
}
