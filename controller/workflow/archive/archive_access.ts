/** The archive of the settings, opened when it is first needed. */
import { type PersistenceSettings, ttlMillis } from "@tiphys/model/api";
import { type KubeClient, type KubeObject, secretValue } from "@tiphys/kube";
import type { Log } from "@tiphys/base/log";
import { LazyResource } from "@tiphys/base/lazy_resource";
import type { NodesTable } from "./nodes_table.ts";
import type { Clock } from "../../loop/clock.ts";

/**
 * The surroundings that an archive is opened in: the Secrets of its database, and the controller that it belongs to.
 */
export interface ArchiveWorld {
  readonly clock: Clock;
  readonly log: Log;
  /** The value of a key of a Secret in the controller's namespace. */
  secret(name: string, key: string): Promise<string>;
  /** The controller's own; other controllers may share the database. */
  readonly instanceId: string | undefined;
  readonly managedNamespace: string | undefined;
}

/** Opens the archive that the settings name; what it takes is loaded here. */
export type OpenArchive = (settings: PersistenceSettings, world: ArchiveWorld) => Promise<Archive>;

/** The archive that finished workflows go to, and the pace at which it is filled and cleaned. */
export interface ArchiveOptions {
  readonly open: OpenArchive;
  /** The key `persistence`; called each time. */
  readonly settings: () => PersistenceSettings | undefined;
  /** The controller's own namespace, in which its secrets are. */
  readonly ownNamespace: string;
  /** Whether its database is opened at the start, also by a controller that has nothing to archive yet. */
  readonly opensAtStart?: boolean | undefined;
  /** The number of workflows that are archived at the same time. */
  readonly workers?: number | undefined;
  /** How often offloaded nodes without a workflow are deleted, and how long they are kept, in milliseconds. */
  readonly offload?: { readonly collectEveryMillis: number; readonly youngMillis: number } | undefined;
  /** How often expired archived workflows are deleted, in milliseconds; 0 for never. */
  readonly collectEveryMillis: number;
  /** How long an answer about earlier durations is awaited, in milliseconds. */
  readonly estimateWithinMillis: number;
}

/** The archive as the controller uses it. */
export interface Archive extends AsyncDisposable {
  /** The nodes that workflows have no room for. */
  readonly nodes: NodesTable;
  /** Stores a workflow in place of what was stored of it before. */
  archive(workflow: KubeObject): Promise<void>;
  /**
   * The seconds that the newest one with labels took of those of a namespace that succeeded; undefined without one.
   * @param until gives the question up when it is aborted.
   */
  newestSeconds(namespace: string, labelSelector: string, until: AbortSignal): Promise<number | undefined>;
  /** Deletes some of those that ended before a time; answers how many, and whether there may be more. */
  collect(
    finishedBefore: Date,
  ): Promise<{ readonly deleted: number; readonly isMore: boolean; readonly troubles?: readonly string[] }>;
}

/** The settings of the archive, the function that opens it, and the client that reads its Secrets. */
export interface ArchiveAccessOptions extends Pick<ArchiveOptions, "open" | "settings" | "ownNamespace"> {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly log: Log;
  readonly managedNamespace: string | undefined;
  readonly instanceId: string | undefined;
}

/** The archive of the settings. One that is open stays, whatever becomes of the settings of its server. */
export class ArchiveAccess {
  readonly #options: ArchiveAccessOptions;
  readonly #archive = new LazyResource(() => this.#open());

  constructor(options: ArchiveAccessOptions) {
    this.#options = options;
  }

  /** Whether workflows are to be archived. */
  get isWanted(): boolean {
    return this.#options.settings()?.archive === true;
  }

  /** Whether anything goes to its database: whole workflows, or nodes that workflows have no room for. */
  get isUsed(): boolean {
    return this.isWanted || this.#options.settings()?.nodeStatusOffLoad === true;
  }

  /** The time for which archived workflows are kept, in milliseconds; 0 for ever. */
  get ttlMillis(): number {
    return ttlMillis(this.#options.settings()?.archiveTTL ?? "0s");
  }

  /**
   * The archive; when it could not be opened the next call tries again.
   * @throws {UserError} when the settings or the tables are not as they have to be.
   * @throws {DatabaseError}
   */
  async open(): Promise<Archive> {
    return await this.#archive.get();
  }

  /** Closes it, if it was opened. */
  async close(): Promise<void> {
    await this.#archive.close();
  }

  async #open(): Promise<Archive> {
    const { open, settings, clock, log, managedNamespace, instanceId } = this.#options;
    const secret = (name: string, key: string) => this.#secret(name, key);
    return await open(settings() ?? {}, { clock, log, managedNamespace, instanceId, secret });
  }

  async #secret(name: string, key: string): Promise<string> {
    const { client, ownNamespace: namespace } = this.#options;
    return await secretValue(client, { namespace, name, key, setting: "persistence" });
  }
}
