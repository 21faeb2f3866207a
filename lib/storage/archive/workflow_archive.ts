/** The archive of finished workflows: writes, reads, lists, deletes, and collects expired ones. */
import { type Kysely, sql } from "kysely";
import { LABEL } from "@tiphys/base/constants";
import { type Database, DatabaseError } from "../database/mod.ts";
import { type ArchivedWorkflow, markAsPersisted, parseArchived, unreadableWorkflowError } from "./archived_workflow.ts";
import { conditions, type Filters } from "./filters.ts";
import { type LabelQuery, listLabels } from "./label_lists.ts";
import { LISTED_COLUMNS, parseListedRow, selectShownParts } from "./listed.ts";
import { MAX_PAGE_SIZE } from "./longest_page.ts";
import { type ArchiveScope, ownRowsCondition } from "./own_rows.ts";
import { type Cursor, orderedPageKeys, pageKeys } from "./page_keys.ts";
import { fromStoredJson, toStoredJson } from "./stored_json.ts";
import { formatMillis, storedTime } from "../database/stored_time.ts";
import type { RunOrder, RunOrderKey } from "@tiphys/model/status";
import { parseRequirements } from "@tiphys/base/selector/label_selector";
import { UserError } from "@tiphys/base/user_error";
import type { ArchivedWorkflowRow, ArchiveTables } from "./tables.ts";

export type { ArchiveScope };

/** The filters and the page of a list. */
export interface ListOptions extends Filters {
  /** Maximum number of workflows; {@link MAX_PAGE_SIZE} at most, and by default or if 0. */
  readonly limit?: number | undefined;
  /** The number of workflows to skip. */
  readonly skip?: number | undefined;
}

/** A page of archived workflows, latest start first. */
export interface Page {
  /** Without specifications and nodes, except for `spec.arguments` and `spec.suspend`. */
  readonly items: readonly ArchivedWorkflow[];
  /** The position of each item in the order of the database. */
  readonly places: readonly Cursor[];
  /** The row after which the next page begins; undefined on the last page. */
  readonly next: Cursor | undefined;
}

/** The result of one batch of a collection. `troubles` are errors of the cleanup before deletion. */
export interface CollectionResult {
  readonly deleted: number;
  readonly isMore: boolean;
  readonly troubles?: readonly string[];
}

/** The number of workflows of a phase that started in a span of time. */
export interface PhaseCount {
  readonly phase: string;
  /** The number of the span, from 0. */
  readonly span: number;
  readonly count: number;
}

type Builder = Parameters<typeof conditions>[2];

/** Cleans up what else belongs to a workflow before its row is deleted. */
export type BeforeDelete = (workflow: ArchivedWorkflow, archive: WorkflowArchive) => Promise<void>;

/** Maximum number of rows that one statement writes, deletes or reads. */
const BATCH = 500;

/** The archive. All errors of its database are `DatabaseError`. */
export class WorkflowArchive {
  readonly #database: Database;
  readonly #scope: ArchiveScope;
  readonly #beforeDelete: BeforeDelete | undefined;

  constructor(database: Database, scope: ArchiveScope, beforeDelete?: BeforeDelete) {
    this.#database = database;
    this.#scope = scope;
    this.#beforeDelete = beforeDelete;
  }

  /**
   * Stores a workflow with its labels atomically, replacing an earlier version.
   * @throws {UserError} when it has no name, namespace or UID.
   */
  async archive(object: unknown): Promise<void> {
    const workflow = markAsPersisted(parseArchived(object));
    const row = this.#rowOf(workflow);
    const isMysql = this.#database.engine === "mysql";
    const labels = Object.entries(workflow.metadata.labels ?? {}).map(([name, value]) => ({
      clustername: row.clustername,
      uid: row.uid,
      name,
      value,
    }));
    await this.#database.transaction<ArchiveTables, void>(async (tx) => {
      await tx.deleteFrom("argo_archived_workflows").where((eb) => eb.and(this.#ownRowsCondition(eb))).where(
        "uid",
        "=",
        row.uid,
      )
        .execute();
      await tx.insertInto("argo_archived_workflows").values(row).execute();
      await tx.deleteFrom("argo_archived_workflows_labels")
        .where("clustername", "=", row.clustername).where("uid", "=", row.uid).execute();
      for (let offset = 0; offset < labels.length; offset += BATCH) {
        const some = tx.insertInto("argo_archived_workflows_labels").values(labels.slice(offset, offset + BATCH));
        // If the table is case-insensitive, the first of two such labels exists already.
        await (isMysql ? some.onDuplicateKeyUpdate({ uid: row.uid }) : some).execute();
      }
    });
  }

  /** Returns the workflow with a UID; undefined if it does not exist. */
  get(uid: string): Promise<ArchivedWorkflow | undefined> {
    return this.#findNewest({}, uid);
  }

  /** Returns the most recently started workflow with a name; undefined if it does not exist. */
  getByName(namespace: string, name: string): Promise<ArchivedWorkflow | undefined> {
    return this.#findNewest({ namespace, name });
  }

  /**
   * Returns a page of workflows. Rows that are added between pages do not move others to another page.
   * @param until aborts the query.
   */
  async list({ limit: asked = 0, skip = 0, ...filters }: ListOptions = {}, until?: AbortSignal): Promise<Page> {
    const limit = pageSize(asked);
    return await this.#database.query<ArchiveTables, Page>(async (db) => {
      // One more than requested shows whether there is another page.
      const keys = await pageKeys(db, this.#keyQueryOptions(), { filters, limit: limit + 1, skip });
      const wanted = keys.slice(0, limit);
      const items: ArchivedWorkflow[] = [];
      for (let offset = 0; offset < wanted.length; offset += BATCH) {
        items.push(...await this.#readListed(db, wanted.slice(offset, offset + BATCH).map(({ uid }) => uid)));
      }
      const byUid = new Map(wanted.map((cursor) => [cursor.uid, cursor]));
      const positions = items.flatMap(({ metadata: { uid } }) => byUid.get(uid) ?? []);
      return { items, places: positions, next: keys.length > wanted.length ? wanted.at(-1) : undefined };
    }, until);
  }

  /**
   * Returns the positions of workflows in the order of lists, without their content. Default limit: {@link
   * LONGEST_PAGE}.
   */
  async listKeys({ limit: asked = 0, skip = 0, ...filters }: ListOptions): Promise<readonly Cursor[]> {
    const limit = asked || MAX_PAGE_SIZE;
    return await this.#database.query<ArchiveTables, Cursor[]>((db) =>
      pageKeys(db, this.#keyQueryOptions(), { filters, limit, skip })
    );
  }

  /** As {@link listKeys}, in another order: the database reads and sorts all matching workflows. */
  async orderedKeys(
    { limit: asked = 0, skip = 0, ...filters }: ListOptions,
    order: RunOrder,
  ): Promise<readonly RunOrderKey[]> {
    const limit = asked || MAX_PAGE_SIZE;
    return await this.#database.query<ArchiveTables, RunOrderKey[]>((db) =>
      orderedPageKeys(db, this.#keyQueryOptions(), { filters, limit, skip, order })
    );
  }

  /** Returns the options of this archive for queries of keys. */
  #keyQueryOptions() {
    return {
      engine: this.#database.engine,
      clusterName: this.#scope.clusterName,
      own: (eb: Builder, byUid: boolean) => this.#ownRowsCondition(eb, byUid),
    };
  }

  /** Returns the listed form of workflows in the given order; deleted ones are omitted. */
  async #readListed(db: Kysely<ArchiveTables>, uids: readonly string[]): Promise<ArchivedWorkflow[]> {
    const { engine } = this.#database;
    const rows = await this.#selectMatching(db, { uids }).select(LISTED_COLUMNS).select(selectShownParts(engine))
      .execute();
    const byUid = new Map(rows.map((row) => [row.uid, row]));
    return uids.flatMap((uid) => byUid.get(uid) ?? []).map((row) => parseListedRow(engine, row));
  }

  /** Returns the number of matching workflows, all of which the database reads. */
  async count(filters: Filters = {}): Promise<number> {
    const row = await this.#database.query<ArchiveTables, { readonly total: number | string | bigint }>((db) =>
      this.#selectMatching(db, filters).select((eb) => eb.fn.countAll().as("total")).executeTakeFirstOrThrow()
    );
    return Number(row.total);
  }

  /**
   * Counts matching workflows by phase and start time, for each interval between adjacent `times` (ascending). Only
   * rows in that range are read. Zero counts are omitted.
   */
  async phaseCounts(filters: Filters, times: readonly Date[]): Promise<readonly PhaseCount[]> {
    const edges = times.map((time) => formatMillis(time.getTime()));
    const spans = edges.slice(1);
    const rows = await this.#database.query<ArchiveTables, readonly Record<string, unknown>[]>((db) =>
      this.#selectMatching(db, filters)
        .where("startedat", ">=", edges[0]!).where("startedat", "<", edges.at(-1)!)
        .groupBy("phase").select("phase")
        .select(
          spans.map((end, index) =>
            sql`sum(case when startedat >= ${edges[index]} and startedat < ${end} then 1 else 0 end)`.as(`span${index}`)
          ),
        )
        .execute()
    );
    return rows.flatMap(({ phase, ...counts }) =>
      spans.map((_, span) => ({ phase: String(phase), span, count: Number(counts[`span${span}`]) }))
    ).filter(({ count }) => count > 0);
  }

  /**
   * Deletes a workflow with its labels and returns whether it existed. A workflow that cannot be parsed is deleted
   * without cleanup.
   * @throws the error of the cleanup before deletion; the row then remains.
   */
  async delete(uid: string): Promise<boolean> {
    const workflow = this.#beforeDelete && await this.get(uid).catch(undefinedIfUnreadable);
    if (workflow) await this.#beforeDelete?.(workflow, this);
    const { numDeletedRows } = await this.#database.query<ArchiveTables, { readonly numDeletedRows: bigint }>((db) =>
      db.deleteFrom("argo_archived_workflows").where((eb) => eb.and(this.#ownRowsCondition(eb))).where("uid", "=", uid)
        .executeTakeFirstOrThrow()
    );
    return numDeletedRows > 0n;
  }

  /** Deletes a batch of workflows that finished before a time; the result includes whether there may be more. */
  async deleteFinishedBefore(finishedBefore: Date): Promise<CollectionResult> {
    const bound = storedTime(finishedBefore.getTime());
    const uids = await this.#database.query<ArchiveTables, string[]>(async (db) => {
      const rows = await db.selectFrom("argo_archived_workflows").select("uid").where((eb) =>
        eb.and(this.#ownRowsCondition(eb))
      )
        .where("finishedat", "<", bound).limit(BATCH).execute();
      return rows.map(({ uid }) => uid);
    });
    if (uids.length === 0) return { deleted: 0, isMore: false };
    const remove = (some: readonly string[]) =>
      this.#database.query<ArchiveTables, unknown>((db) =>
        db.deleteFrom("argo_archived_workflows").where((eb) => eb.and(this.#ownRowsCondition(eb, true))).where(
          "uid",
          "in",
          some,
        )
          .where("finishedat", "<", bound).execute()
      );
    const problems: string[] = [];
    if (!this.#beforeDelete) await remove(uids);
    else {
      // One after another: the artifacts that a row shares with a workflow of the same name are cleaned up with the
      // last one.
      for (const uid of uids) {
        problems.push(...await this.#cleanUpBefore(uid, this.#beforeDelete));
        await remove([uid]);
      }
    }
    return { deleted: uids.length, isMore: uids.length === BATCH, ...(problems.length > 0 && { troubles: problems }) };
  }

  /**
   * Cleans up before a deletion. Errors are returned and do not keep the row, which would otherwise never be deleted.
   */
  async #cleanUpBefore(uid: string, beforeDelete: BeforeDelete): Promise<string[]> {
    try {
      const workflow = await this.get(uid);
      if (workflow) await beforeDelete(workflow, this);
      return [];
    } catch (error) {
      if (error instanceof DatabaseError) throw error;
      return [`${uid}: ${error instanceof Error ? error.message : String(error)}`];
    }
  }

  /** Returns the names of all labels in the order of the database, of the workflows in one namespace or in all. */
  labelKeys(namespace?: string): Promise<string[]> {
    return this.#listLabels({ column: "name", namespace });
  }

  /** Returns the values of a label. */
  labelValues(key: string, namespace?: string): Promise<string[]> {
    return this.#listLabels({ column: "value", key, namespace });
  }

  #listLabels(query: LabelQuery): Promise<string[]> {
    return this.#database.query<ArchiveTables, string[]>((db) =>
      listLabels(db, this.#database.engine, this.#scope, query)
    );
  }

  /**
   * Returns the duration in whole seconds of the most recently started workflow that succeeded, has the labels and is
   * in the namespace; undefined without one.
   * @param until aborts the query.
   */
  async newestDurationSeconds(
    namespace: string,
    labelSelector: string,
    until?: AbortSignal,
  ): Promise<number | undefined> {
    const labels = parseRequirements(`${labelSelector},${LABEL.phase}=Succeeded`);
    const { items: [newest] } = await this.list({ namespace, labels, limit: 1 }, until);
    const { startedAt, finishedAt } = newest?.status ?? {};
    const millis = Date.parse(finishedAt ?? "") - Date.parse(startedAt ?? "");
    return millis >= 0 ? Math.trunc(millis / 1000) : undefined;
  }

  async #findNewest(filters: Filters, uid?: string): Promise<ArchivedWorkflow | undefined> {
    const row = await this.#database.query<ArchiveTables, { readonly workflow: string } | undefined>((db) => {
      const query = this.#selectMatching(db, filters).select("workflow").limit(1);
      return (uid === undefined
        ? query.orderBy("startedat", "desc").orderBy("uid", "desc")
        : query.where("uid", "=", uid)).executeTakeFirst();
    });
    return row && markAsPersisted(parseArchived(this.#parseStored(row.workflow)));
  }

  /** @throws {UserError} for invalid JSON or too deep nesting. */
  #parseStored(text: string): unknown {
    try {
      return fromStoredJson(this.#database.engine, text);
    } catch (error) {
      throw error instanceof SyntaxError ? unreadableWorkflowError(error) : error;
    }
  }

  #selectMatching(db: Kysely<ArchiveTables>, filters: Filters) {
    return db.selectFrom("argo_archived_workflows")
      .where((eb) =>
        eb.and([
          ...this.#ownRowsCondition(eb, filters.uids !== undefined),
          ...conditions(this.#database.engine, filters, eb),
        ])
      );
  }

  /** Returns the conditions of all rows of this archive; `byUid` if the query has UIDs. */
  #ownRowsCondition(eb: Builder, byUid = false) {
    return ownRowsCondition(eb, this.#database.engine, this.#scope, { byUid });
  }

  #rowOf(workflow: ArchivedWorkflow): ArchivedWorkflowRow {
    const { metadata: { name, namespace, uid, creationTimestamp }, status = {} } = workflow;
    const created = creationTimestamp ?? status.startedAt ?? status.finishedAt;
    const time = (text: string | null | undefined) => storedTime(Date.parse(text ?? created ?? "1970-01-01T00:00:01Z"));
    return {
      clustername: this.#scope.clusterName,
      uid,
      instanceid: this.#scope.instanceId ?? "",
      name,
      namespace,
      phase: status.phase ?? "",
      startedat: time(status.startedAt),
      finishedat: time(status.finishedAt),
      creationtimestamp: time(creationTimestamp),
      workflow: toStoredJson(this.#database.engine, workflow),
    };
  }
}

/** Returns undefined for a workflow that cannot be parsed. @throws any other error. */
function undefinedIfUnreadable(error: unknown): undefined {
  if (!(error instanceof UserError)) throw error;
}

function pageSize(requestedSize: number): number {
  return requestedSize > 0 ? Math.min(requestedSize, MAX_PAGE_SIZE) : MAX_PAGE_SIZE;
}
