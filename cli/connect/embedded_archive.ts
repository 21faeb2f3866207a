/** The archive of an embedded cluster: a file of its data folder, which its controller fills, or the database of its settings. */
import { parseWith, PersistenceSettings } from "@tiphys/model/api";
import type { BeforeDelete, OpenArchive } from "@tiphys/storage/archive";
import { systemClock } from "@tiphys/base/clock";
import { silentLog } from "@tiphys/base/log";
import type { NodesElsewhere } from "@tiphys/model/nodes";
import { OpenedWhenAsked } from "@tiphys/base/opened_when_asked";
import { archiveFile, persistenceFile } from "../../local/data_folder.ts";
import { keepSettings, keptSettings } from "./kept_settings.ts";

/** The value of a key of a Secret of the cluster, in which the login of a server is. */
export type ReadSecret = (name: string, key: string) => Promise<string>;

/** What the embedded archive does where no setting says otherwise: all that is over is kept, and nodes too large for a workflow. */
const EMBEDDED_PERSISTENCE = { archive: true, nodeStatusOffLoad: true } as const;

async function ownPersistence(dataDir: string): Promise<PersistenceSettings> {
  return { ...EMBEDDED_PERSISTENCE, sqlite: { file: await archiveFile(dataDir) } };
}

/** Whether settings say in which database the archive is. */
function namesDatabase({ postgresql, mysql, sqlite }: PersistenceSettings): boolean {
  return Boolean(postgresql ?? mysql ?? sqlite);
}

/**
 * The settings that a cluster which starts works by: those that were given, else its own; given ones without a database mean
 * the one of the data folder. They are kept for other commands, which
 * must find the same database.
 */
export async function keepPersistence(
  dataDir: string,
  given: PersistenceSettings | undefined,
): Promise<PersistenceSettings> {
  const settings = given && (namesDatabase(given) ? given : { ...await ownPersistence(dataDir), ...given });
  await keepSettings(persistenceFile(dataDir), settings);
  return settings ?? await ownPersistence(dataDir);
}

async function keptPersistence(dataDir: string): Promise<PersistenceSettings> {
  const parse = (value: unknown) => parseWith(PersistenceSettings, value, "lenient");
  return await keptSettings(persistenceFile(dataDir), parse) ?? await ownPersistence(dataDir);
}

/** The archive of a data folder, opened when it is first asked something. */
export class EmbeddedArchive {
  readonly #dataDir: string;
  readonly #secret: ReadSecret;
  readonly #beforeDelete: BeforeDelete | undefined;
  readonly #archive = new OpenedWhenAsked(() => this.#open());

  /** The nodes that workflows have no room for. */
  readonly nodes: NodesElsewhere = {
    load: async (row) => await (await this.open()).nodes.load(row),
    save: async (row, json, now) => {
      if (!(await keptPersistence(this.#dataDir)).nodeStatusOffLoad) return false;
      await (await this.open()).nodes.save(row, json, now);
      return true;
    },
  };

  /** `beforeDelete` does away with what lies elsewhere of a workflow whose row is deleted. */
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
    const settings = await keptPersistence(this.#dataDir);
    return await OpenArchive.open(settings, {
      clock: systemClock,
      log: silentLog,
      secret: this.#secret,
      beforeDelete: this.#beforeDelete,
    });
  }
}
