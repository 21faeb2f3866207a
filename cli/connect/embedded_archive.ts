/** The archive of an embedded cluster: a database file in its data folder, or the database that its settings name. */
import { parseWith, PersistenceSettings } from "@tiphys/model/api";
import type { BeforeDelete, OpenArchive } from "@tiphys/storage/archive";
import { systemClock } from "@tiphys/base/clock";
import { silentLog } from "@tiphys/base/log";
import type { OffloadedNodes } from "@tiphys/model/nodes";
import { LazyResource } from "@tiphys/base/lazy_resource";
import { archiveFile, persistenceFile } from "../../local/data_files.ts";
import { readStoredSettings, storeSettings } from "./stored_settings.ts";

/** Reads a key of a Secret of the cluster, such as the credentials of a database server. */
export type ReadSecret = (name: string, key: string) => Promise<string>;

/** Default settings: archives all finished workflows, and stores nodes that are too large for a workflow. */
const EMBEDDED_PERSISTENCE = { archive: true, nodeStatusOffLoad: true } as const;

async function defaultPersistence(dataDir: string): Promise<PersistenceSettings> {
  return { ...EMBEDDED_PERSISTENCE, sqlite: { file: await archiveFile(dataDir) } };
}

/** Whether settings name a database. */
function namesDatabase({ postgresql, mysql, sqlite }: PersistenceSettings): boolean {
  return Boolean(postgresql ?? mysql ?? sqlite);
}

/**
 * Returns the settings of a cluster that starts: the given ones, or the defaults. Given settings without a database use
 * the one of the data folder. The given settings are saved in the data folder, so that other commands use the same
 * database.
 */
export async function storePersistence(
  dataDir: string,
  persistence: PersistenceSettings | undefined,
): Promise<PersistenceSettings> {
  const settings = persistence &&
    (namesDatabase(persistence) ? persistence : { ...await defaultPersistence(dataDir), ...persistence });
  await storeSettings(persistenceFile(dataDir), settings);
  return settings ?? await defaultPersistence(dataDir);
}

async function storedPersistence(dataDir: string): Promise<PersistenceSettings> {
  const parse = (value: unknown) => parseWith(PersistenceSettings, value, "lenient");
  return await readStoredSettings(persistenceFile(dataDir), parse) ?? await defaultPersistence(dataDir);
}

/** The archive of a data folder, opened at its first use. */
export class EmbeddedArchive {
  readonly #dataDir: string;
  readonly #secret: ReadSecret;
  readonly #beforeDelete: BeforeDelete | undefined;
  readonly #archive = new LazyResource(() => this.#open());

  /** Nodes that are too large for their workflows. */
  readonly nodes: OffloadedNodes = {
    load: async (row) => await (await this.open()).nodes.load(row),
    save: async (row, json, now) => {
      if (!(await storedPersistence(this.#dataDir)).nodeStatusOffLoad) return false;
      await (await this.open()).nodes.save(row, json, now);
      return true;
    },
  };

  /** @param beforeDelete deletes data of a workflow outside of the database, before its row is deleted. */
  constructor(dataDir: string, secret: ReadSecret, beforeDelete?: BeforeDelete) {
    this.#dataDir = dataDir;
    this.#secret = secret;
    this.#beforeDelete = beforeDelete;
  }

  async open(): Promise<OpenArchive> {
    return await this.#archive.get();
  }

  async close(): Promise<void> {
    await this.#archive.close();
  }

  async #open(): Promise<OpenArchive> {
    const { OpenArchive } = await import("@tiphys/storage/archive");
    const settings = await storedPersistence(this.#dataDir);
    return await OpenArchive.open(settings, {
      clock: systemClock,
      log: silentLog,
      secret: this.#secret,
      beforeDelete: this.#beforeDelete,
    });
  }
}
