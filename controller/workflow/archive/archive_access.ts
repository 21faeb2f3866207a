/** The configured archive, opened when it is first needed. */
import { type PersistenceSettings, ttlMillis } from "@tiphys/model/api";
import type { KubeClient, KubeObject } from "@tiphys/kube";
import { secretValue } from "@tiphys/kube/stored_settings";
import type { Log } from "@tiphys/base/log";
import { LazyResource } from "@tiphys/base/lazy_resource";
import type { NodesTable } from "./nodes_table.ts";
import type { Clock } from "../../loop/clock.ts";

/** The environment for opening an archive: the Secrets of its database, and the controller that it belongs to. */
export interface ArchiveWorld {
  readonly clock: Clock;
  readonly log: Log;
  /** Returns the value of a key of a Secret in the controller's namespace. */
  secret(name: string, key: string): Promise<string>;
  /** The instance ID of the controller; other controllers may share the database. */
  readonly instanceId: string | undefined;
  readonly managedNamespace: string | undefined;
}

/** Opens the configured archive; its driver is loaded here. */
export type OpenArchive = (settings: PersistenceSettings, world: ArchiveWorld) => Promise<Archive>;

/** The archive of finished workflows, and the intervals of its cleanup. */
export interface ArchiveOptions {
  readonly open: OpenArchive;
  /** Returns the key `persistence`, which may change. */
  readonly settings: () => PersistenceSettings | undefined;
  /** The controller's namespace, which contains its secrets. */
  readonly ownNamespace: string;
  /** Whether the database is opened at the start, even if nothing has to be archived yet. */
  readonly opensAtStart?: boolean | undefined;
  /** The number of workflows that are archived concurrently. */
  readonly workers?: number | undefined;
  /**
   * The interval between deletions of offloaded nodes without a workflow, and the time for which they are kept, in
   * milliseconds.
   */
  readonly offload?: { readonly collectEveryMillis: number; readonly youngMillis: number } | undefined;
  /** The interval between deletions of expired archived workflows, in milliseconds; 0 for never. */
  readonly collectEveryMillis: number;
  /** The timeout of queries for earlier durations, in milliseconds. */
  readonly estimateWithinMillis: number;
}

/** The interface of the archive for the controller. */
export interface Archive extends AsyncDisposable {
  /** The table of offloaded nodes. */
  readonly nodes: NodesTable;
  /** Stores a workflow, replacing what was stored of it before. */
  archive(workflow: KubeObject): Promise<void>;
  /**
   * The duration in seconds of the newest successful workflow in a namespace with these labels; undefined without one.
   * @param until aborts the query.
   */
  newestDurationSeconds(namespace: string, labelSelector: string, until: AbortSignal): Promise<number | undefined>;
  /** Deletes a batch of workflows that ended before a time; returns their number, and whether there may be more. */
  deleteFinishedBefore(
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

/** The configured archive. Once it is open, changes of the settings of its server have no effect. */
export class ArchiveAccess {
  readonly #options: ArchiveAccessOptions;
  readonly #archive = new LazyResource(() => this.#open());

  constructor(options: ArchiveAccessOptions) {
    this.#options = options;
  }

  /** Whether archiving is enabled. */
  get isEnabled(): boolean {
    return this.#options.settings()?.archive === true;
  }

  /** Whether the database is used: for archived workflows, or for offloaded nodes. */
  get isUsed(): boolean {
    return this.isEnabled || this.#options.settings()?.nodeStatusOffLoad === true;
  }

  /** The time for which archived workflows are kept, in milliseconds; 0 for ever. */
  get ttlMillis(): number {
    return ttlMillis(this.#options.settings()?.archiveTTL ?? "0s");
  }

  /**
   * Returns the archive. If opening it failed, the next call tries again.
   * @throws {UserError} if the settings or the tables are invalid.
   * @throws {DatabaseError}
   */
  async open(): Promise<Archive> {
    return await this.#archive.get();
  }

  /** Closes the archive if it is open. */
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
