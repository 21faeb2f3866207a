/** The archive of finished workflows: write, read, list, delete, and collect what is too old. */
import type { Kysely } from "kysely";
import { LABEL } from "@tiphys/base/constants";
import { type Database, DatabaseError } from "../database/mod.ts";
import { type ArchivedWorkflow, asPersisted, parsed, unreadable } from "./archived_workflow.ts";
import { conditions, type Filters } from "./filters.ts";
import { type AskedOfLabels, ofLabels } from "./label_lists.ts";
import { listed, LISTED_COLUMNS, shownColumn } from "./listed.ts";
import { LONGEST_PAGE } from "./longest_page.ts";
import { type ArchiveScope, ownRows } from "./own_rows.ts";
import { type Cursor, orderedPageKeys, pageKeys } from "./page_keys.ts";
import { fromStoredJson, toStoredJson } from "./stored_json.ts";
import { storedTime } from "../database/stored_time.ts";
import type { RunOrder, RunOrderKey } from "@tiphys/model/status";
import { parseRequirements } from "@tiphys/base/selector/label_selector";
import { UserError } from "@tiphys/base/user_error";
import type { ArchivedWorkflowRow, ArchiveTables } from "./tables.ts";

export type { ArchiveScope };

/** The filters and the page of a list. */
export interface ListOptions extends Filters {
  /** The most workflows of a page; never more than {@link LONGEST_PAGE}, which also counts where it is absent or 0. */
  readonly limit?: number | undefined;
  /** The number of workflows that are passed over. */
  readonly skip?: number | undefined;
}

/** Some archived workflows, the one that was started last first. */
export interface Page {
  /** Without their specifications and nodes, but for `spec.arguments` and `spec.suspend`. */
  readonly items: readonly ArchivedWorkflow[];
  /** The place of each item, as the database has it. */
  readonly places: readonly Cursor[];
  /** The row behind which the next page begins; undefined on the last page. */
  readonly next: Cursor | undefined;
}

/** Some rows that were deleted, and what could not be done before. */
export interface Collected {
  readonly deleted: number;
  readonly isMore: boolean;
  readonly troubles?: readonly string[];
}

type Builder = Parameters<typeof conditions>[2];

/** Does away with what lies elsewhere of a workflow whose row is about to be deleted. */
export type BeforeDelete = (workflow: ArchivedWorkflow, archive: WorkflowArchive) => Promise<void>;

/** The most rows that one statement writes or deletes, and that are read of a list at once. */
const BATCH = 500;

/** The archive. Every trouble with its database is a `DatabaseError`. */
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
   * Stores a workflow with its labels, in place of what was stored of it before; all of it or nothing.
   * @throws {UserError} when it has no name, namespace or UID.
   */
  async archive(object: unknown): Promise<void> {
    const workflow = asPersisted(parsed(object));
    const row = this.#rowOf(workflow);
    const isMysql = this.#database.engine === "mysql";
    const labels = Object.entries(workflow.metadata.labels ?? {}).map(([name, value]) => ({
      clustername: row.clustername,
      uid: row.uid,
      name,
      value,
    }));
    await this.#database.transaction<ArchiveTables, void>(async (tx) => {
      await tx.deleteFrom("argo_archived_workflows").where((eb) => eb.and(this.#own(eb))).where("uid", "=", row.uid)
        .execute();
      await tx.insertInto("argo_archived_workflows").values(row).execute();
      await tx.deleteFrom("argo_archived_workflows_labels")
        .where("clustername", "=", row.clustername).where("uid", "=", row.uid).execute();
      for (let at = 0; at < labels.length; at += BATCH) {
        const some = tx.insertInto("argo_archived_workflows_labels").values(labels.slice(at, at + BATCH));
        // Where the table takes capitals for small letters, the first of two such labels is there.
        await (isMysql ? some.onDuplicateKeyUpdate({ uid: row.uid }) : some).execute();
      }
    });
  }

  /** The workflow of a UID; undefined where there is none. */
  get(uid: string): Promise<ArchivedWorkflow | undefined> {
    return this.#newest({}, uid);
  }

  /** The workflow of a name that was started last; undefined where there is none. */
  getByName(namespace: string, name: string): Promise<ArchivedWorkflow | undefined> {
    return this.#newest({ namespace, name });
  }

  /**
   * A page of workflows. Rows that are added meanwhile move none of the others to another page.
   * @param until gives the question up when it is aborted.
   */
  async list({ limit: asked = 0, skip = 0, ...filters }: ListOptions = {}, until?: AbortSignal): Promise<Page> {
    const limit = pageSize(asked);
    return await this.#database.query<ArchiveTables, Page>(async (db) => {
      // One more than is wanted tells whether there is another page.
      const keys = await pageKeys(db, this.#from(), { filters, limit: limit + 1, skip });
      const wanted = keys.slice(0, limit);
      const items: ArchivedWorkflow[] = [];
      for (let at = 0; at < wanted.length; at += BATCH) {
        items.push(...await this.#shown(db, wanted.slice(at, at + BATCH).map(({ uid }) => uid)));
      }
      const byUid = new Map(wanted.map((cursor) => [cursor.uid, cursor]));
      const places = items.flatMap(({ metadata: { uid } }) => byUid.get(uid) ?? []);
      return { items, places, next: keys.length > wanted.length ? wanted.at(-1) : undefined };
    }, until);
  }

  /** The places of workflows in the order of lists, and nothing else of them; without a limit as many as a page has at most. */
  async keys({ limit: asked = 0, skip = 0, ...filters }: ListOptions): Promise<readonly Cursor[]> {
    const limit = asked || LONGEST_PAGE;
    return await this.#database.query<ArchiveTables, Cursor[]>((db) =>
      pageKeys(db, this.#from(), { filters, limit, skip })
    );
  }

  /** The same in another order: the database looks at each workflow that matches, and puts all of them in order. */
  async orderedKeys(
    { limit: asked = 0, skip = 0, ...filters }: ListOptions,
    order: RunOrder,
  ): Promise<readonly RunOrderKey[]> {
    const limit = asked || LONGEST_PAGE;
    return await this.#database.query<ArchiveTables, RunOrderKey[]>((db) =>
      orderedPageKeys(db, this.#from(), { filters, limit, skip, order })
    );
  }

  /** The rows that are this archive's, as queries for keys are told. */
  #from() {
    return {
      engine: this.#database.engine,
      clusterName: this.#scope.clusterName,
      own: (eb: Builder, byUid: boolean) => this.#own(eb, byUid),
    };
  }

  /** The rows that lists show of some workflows, in their order; workflows that are gone by now are left out. */
  async #shown(db: Kysely<ArchiveTables>, uids: readonly string[]): Promise<ArchivedWorkflow[]> {
    const { engine } = this.#database;
    const rows = await this.#matching(db, { uids }).select(LISTED_COLUMNS).select(shownColumn(engine)).execute();
    const byUid = new Map(rows.map((row) => [row.uid, row]));
    return uids.flatMap((uid) => byUid.get(uid) ?? []).map((row) => listed(engine, row));
  }

  /** The number of workflows that match: the database looks at each of them. */
  async count(filters: Filters = {}): Promise<number> {
    const row = await this.#database.query<ArchiveTables, { readonly total: number | string | bigint }>((db) =>
      this.#matching(db, filters).select((eb) => eb.fn.countAll().as("total")).executeTakeFirstOrThrow()
    );
    return Number(row.total);
  }

  /**
   * Deletes a workflow with its labels; the answer is whether it was there. One that cannot be read goes as it is.
   * @throws what is done before a deletion fails with: the row stays then.
   */
  async delete(uid: string): Promise<boolean> {
    const workflow = this.#beforeDelete && await this.get(uid).catch(noneIfUnreadable);
    if (workflow) await this.#beforeDelete?.(workflow, this);
    const { numDeletedRows } = await this.#database.query<ArchiveTables, { readonly numDeletedRows: bigint }>((db) =>
      db.deleteFrom("argo_archived_workflows").where((eb) => eb.and(this.#own(eb))).where("uid", "=", uid)
        .executeTakeFirstOrThrow()
    );
    return numDeletedRows > 0n;
  }

  /** Deletes some of the workflows that ended before a time; the answer is whether there may be more. */
  async collect(finishedBefore: Date): Promise<Collected> {
    const bound = storedTime(finishedBefore.getTime());
    const uids = await this.#database.query<ArchiveTables, string[]>(async (db) => {
      const rows = await db.selectFrom("argo_archived_workflows").select("uid").where((eb) => eb.and(this.#own(eb)))
        .where("finishedat", "<", bound).limit(BATCH).execute();
      return rows.map(({ uid }) => uid);
    });
    if (uids.length === 0) return { deleted: 0, isMore: false };
    const remove = (some: readonly string[]) =>
      this.#database.query<ArchiveTables, unknown>((db) =>
        db.deleteFrom("argo_archived_workflows").where((eb) => eb.and(this.#own(eb, true))).where("uid", "in", some)
          .where("finishedat", "<", bound).execute()
      );
    const troubles: string[] = [];
    if (!this.#beforeDelete) await remove(uids);
    else {
      // One after the other: what a row leaves to its namesake goes with that one.
      for (const uid of uids) {
        troubles.push(...await this.#tidyBefore(uid, this.#beforeDelete));
        await remove([uid]);
      }
    }
    return { deleted: uids.length, isMore: uids.length === BATCH, ...(troubles.length > 0 && { troubles }) };
  }

  /** What fails is told, and keeps no row: it would never go. */
  async #tidyBefore(uid: string, beforeDelete: BeforeDelete): Promise<string[]> {
    try {
      const workflow = await this.get(uid);
      if (workflow) await beforeDelete(workflow, this);
      return [];
    } catch (error) {
      if (error instanceof DatabaseError) throw error;
      return [`${uid}: ${error instanceof Error ? error.message : String(error)}`];
    }
  }

  /** The names of all labels, sorted as the database sorts; of workflows of one namespace, or of all. */
  labelKeys(namespace?: string): Promise<string[]> {
    return this.#ofLabels({ column: "name", namespace });
  }

  /** The values of a label. */
  labelValues(key: string, namespace?: string): Promise<string[]> {
    return this.#ofLabels({ column: "value", key, namespace });
  }

  #ofLabels(asked: AskedOfLabels): Promise<string[]> {
    return this.#database.query<ArchiveTables, string[]>((db) =>
      ofLabels(db, this.#database.engine, this.#scope, asked)
    );
  }

  /**
   * The whole seconds that a workflow took: of those of a namespace that succeeded and have the labels, the one that was
   * started last; undefined where there is none.
   * @param until gives the question up when it is aborted.
   */
  async newestSeconds(namespace: string, labelSelector: string, until?: AbortSignal): Promise<number | undefined> {
    const labels = parseRequirements(`${labelSelector},${LABEL.phase}=Succeeded`);
    const { items: [newest] } = await this.list({ namespace, labels, limit: 1 }, until);
    const { startedAt, finishedAt } = newest?.status ?? {};
    const millis = Date.parse(finishedAt ?? "") - Date.parse(startedAt ?? "");
    return millis >= 0 ? Math.trunc(millis / 1000) : undefined;
  }

  async #newest(filters: Filters, uid?: string): Promise<ArchivedWorkflow | undefined> {
    const row = await this.#database.query<ArchiveTables, { readonly workflow: string } | undefined>((db) => {
      const query = this.#matching(db, filters).select("workflow").limit(1);
      return (uid === undefined
        ? query.orderBy("startedat", "desc").orderBy("uid", "desc")
        : query.where("uid", "=", uid)).executeTakeFirst();
    });
    return row && asPersisted(parsed(this.#stored(row.workflow)));
  }

  /** @throws {UserError} for a text that cannot be read, or is nested too deeply. */
  #stored(text: string): unknown {
    try {
      return fromStoredJson(this.#database.engine, text);
    } catch (error) {
      throw error instanceof SyntaxError ? unreadable(error) : error;
    }
  }

  #matching(db: Kysely<ArchiveTables>, filters: Filters) {
    return db.selectFrom("argo_archived_workflows")
      .where((eb) =>
        eb.and([...this.#own(eb, filters.uids !== undefined), ...conditions(this.#database.engine, filters, eb)])
      );
  }

  /** The conditions of all rows of this archive; `byUid` where the query names UIDs. */
  #own(eb: Builder, byUid = false) {
    return ownRows(eb, this.#database.engine, this.#scope, { byUid });
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

/** @throws every error but that of a workflow that cannot be read. */
function noneIfUnreadable(error: unknown): undefined {
  if (!(error instanceof UserError)) throw error;
}

function pageSize(asked: number): number {
  return asked > 0 ? Math.min(asked, LONGEST_PAGE) : LONGEST_PAGE;
}
