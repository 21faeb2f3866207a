/** The archive of finished workflows: write, read, list, delete, and collect what is too old. */
import { type Kysely, type RawBuilder, sql } from "kysely";
import { z } from "zod";
import { API_VERSION, LABEL } from "../constants.ts";
import type { Database, Engine } from "../database/mod.ts";
import { UserError } from "../user_error.ts";
import { conditions, type Filters } from "./filters.ts";
import { fromStoredJson, toStoredJson } from "./stored_json.ts";
import { kubernetesTime, storedTime } from "./stored_time.ts";
import type { ArchivedWorkflowRow, ArchiveTables } from "./tables.ts";

/** The controller that workflows are of: several controllers may share a database, and see their own only. */
export interface ArchiveScope {
  readonly clusterName: string;
  readonly instanceId?: string | undefined;
  /** The only namespace that a controller works in; all of them when absent. */
  readonly managedNamespace?: string | undefined;
}

/** A workflow as it is archived. Its other fields are stored as they are. */
const Archived = z.looseObject({
  metadata: z.looseObject({
    name: z.string(),
    namespace: z.string(),
    uid: z.string().min(1),
    creationTimestamp: z.string().nullish(),
    labels: z.record(z.string(), z.string()).nullish(),
  }),
  status: z.looseObject({
    phase: z.string().optional(),
    startedAt: z.string().nullish(),
    finishedAt: z.string().nullish(),
  }).optional(),
});
/** A workflow as it is archived. */
export type ArchivedWorkflow = z.infer<typeof Archived>;

/** The row behind which a page begins. */
export interface Cursor {
  /** As the database has it. */
  readonly startedAt: string;
  readonly uid: string;
}

/** The filters and the page of a list. */
export interface ListOptions extends Filters {
  /** The most workflows of a page; all where it is absent or 0. */
  readonly limit?: number | undefined;
  readonly after?: Cursor | undefined;
}

/** Some archived workflows, the one that was started last first. */
export interface Page {
  /** Without their specifications and nodes, but for `spec.arguments` and `spec.suspend`. */
  readonly items: readonly ArchivedWorkflow[];
  /** The row behind which the next page begins; undefined on the last page. */
  readonly next: Cursor | undefined;
}

/** The most rows that one deletion takes. */
const BATCH = 500;

/** The parts of the JSON that a list shows, by the columns in which they are selected. */
const SHOWN = {
  labels: ["metadata", "labels"],
  annotations: ["metadata", "annotations"],
  suspend: ["spec", "suspend"],
  arguments: ["spec", "arguments"],
  message: ["status", "message"],
  progress: ["status", "progress"],
  estimatedDuration: ["status", "estimatedDuration"],
  resourcesDuration: ["status", "resourcesDuration"],
} as const;
type Shown = keyof typeof SHOWN;

/** The archive. Every trouble with its database is a `DatabaseError`. */
export class WorkflowArchive {
  readonly #database: Database;
  readonly #scope: ArchiveScope;

  constructor(database: Database, scope: ArchiveScope) {
    this.#database = database;
    this.#scope = scope;
  }

  /**
   * Stores a workflow with its labels, in place of what was stored of it before; all of it or nothing.
   * @throws {UserError} when it has no name, namespace or UID.
   */
  async archive(object: unknown): Promise<void> {
    const workflow = asPersisted(parsed(object));
    const row = this.#rowOf(workflow);
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
      await tx.insertInto("argo_archived_workflows_labels").values(labels).execute();
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

  /** A page of workflows. Rows that are added meanwhile move none of the others to another page. */
  async list({ limit = 0, after, ...filters }: ListOptions = {}): Promise<Page> {
    const { engine } = this.#database;
    const rows = await this.#database.query<ArchiveTables, ListedRow[]>((db) => {
      let query = this.#matching(db, filters)
        .select(["name", "namespace", "uid", "phase", "startedat", "finishedat", "creationtimestamp"])
        .select(shownColumns(engine))
        .orderBy("startedat", "desc").orderBy("uid");
      if (after) {
        query = query.where("startedat", "<=", after.startedAt)
          .where((eb) => eb.or([eb("startedat", "<", after.startedAt), eb("uid", ">", after.uid)]));
      }
      // One more than is wanted tells whether there is another page.
      return (limit > 0 ? query.limit(limit + 1) : query).execute();
    });
    const page = limit > 0 ? rows.slice(0, limit) : rows;
    const last = page.at(-1);
    return {
      items: page.map((row) => listed(engine, row)),
      next: last && rows.length > page.length ? { startedAt: last.startedat, uid: last.uid } : undefined,
    };
  }

  /** The number of workflows that match: the database looks at each of them. */
  async count(filters: Filters = {}): Promise<number> {
    const row = await this.#database.query<ArchiveTables, { readonly total: number | string | bigint }>((db) =>
      this.#matching(db, filters).select((eb) => eb.fn.countAll().as("total")).executeTakeFirstOrThrow()
    );
    return Number(row.total);
  }

  /** Deletes a workflow with its labels; the answer is whether it was there. */
  async delete(uid: string): Promise<boolean> {
    const { numDeletedRows } = await this.#database.query<ArchiveTables, { readonly numDeletedRows: bigint }>((db) =>
      db.deleteFrom("argo_archived_workflows").where((eb) => eb.and(this.#own(eb))).where("uid", "=", uid)
        .executeTakeFirstOrThrow()
    );
    return numDeletedRows > 0n;
  }

  /** Deletes some of the workflows that ended before a time; the answer is whether there may be more. */
  async collect(finishedBefore: Date): Promise<{ readonly deleted: number; readonly isMore: boolean }> {
    const bound = storedTime(finishedBefore.getTime());
    const uids = await this.#database.query<ArchiveTables, string[]>(async (db) => {
      const rows = await db.selectFrom("argo_archived_workflows").select("uid").where((eb) => eb.and(this.#own(eb)))
        .where("finishedat", "<", bound).limit(BATCH).execute();
      return rows.map(({ uid }) => uid);
    });
    if (uids.length === 0) return { deleted: 0, isMore: false };
    await this.#database.query<ArchiveTables, unknown>((db) =>
      db.deleteFrom("argo_archived_workflows").where((eb) => eb.and(this.#own(eb))).where("uid", "in", uids)
        .where("finishedat", "<", bound).execute()
    );
    return { deleted: uids.length, isMore: uids.length === BATCH };
  }

  /** The names of all labels, sorted as the database sorts. */
  labelKeys(): Promise<string[]> {
    return this.#distinct("name", sql`1 = 1`);
  }

  /** The values of a label. */
  labelValues(key: string): Promise<string[]> {
    return this.#distinct("value", sql`l.name = ${key}`);
  }

  /** Each value of a column once. It leaps from one to the next by the index, however many rows have the same. */
  async #distinct(column: "name" | "value", condition: RawBuilder<unknown>): Promise<string[]> {
    const { clusterName, instanceId = "", managedNamespace } = this.#scope;
    const wanted = sql.ref(`l.${column}`);
    // SQLite would go by the primary key, through all rows of the cluster; with a sign it cannot.
    const cluster = this.#database.engine === "sqlite" ? sql`+l.clustername` : sql`l.clustername`;
    const inNamespace = managedNamespace ? sql`and w.namespace = ${managedNamespace}` : sql``;
    const first = (beyond: RawBuilder<unknown>) =>
      sql`(select ${wanted} from argo_archived_workflows_labels l where ${condition} and ${cluster} = ${clusterName}
        ${beyond} and exists (select 1 from argo_archived_workflows w where w.clustername = l.clustername
        and w.uid = l.uid and w.instanceid = ${instanceId} ${inNamespace}) order by ${wanted} limit 1)`;
    const query = sql<{ readonly item: string }>`with recursive found (item) as (
        select ${first(sql``)} as item
        union all select ${first(sql`and ${wanted} > found.item`)} as item from found where found.item is not null
      ) select item from found where item is not null`;
    const { rows } = await this.#database.query<ArchiveTables, { readonly rows: { readonly item: string }[] }>((db) =>
      query.execute(db)
    );
    return rows.map(({ item }) => item);
  }

  async #newest(filters: Filters, uid?: string): Promise<ArchivedWorkflow | undefined> {
    const row = await this.#database.query<ArchiveTables, { readonly workflow: string } | undefined>((db) => {
      const query = this.#matching(db, filters).select("workflow").orderBy("startedat", "desc").limit(1);
      return (uid === undefined ? query : query.where("uid", "=", uid)).executeTakeFirst();
    });
    return row && asPersisted(parsed(fromStoredJson(this.#database.engine, row.workflow)));
  }

  #matching(db: Kysely<ArchiveTables>, filters: Filters) {
    return db.selectFrom("argo_archived_workflows")
      .where((eb) => eb.and([...this.#own(eb), ...conditions(this.#database.engine, filters, eb)]));
  }

  /** The conditions of all rows of this archive: its cluster, its instance and its namespace. */
  #own(eb: Parameters<typeof conditions>[2]) {
    const { clusterName, instanceId = "", managedNamespace } = this.#scope;
    return [
      eb("clustername", "=", clusterName),
      eb("instanceid", "=", instanceId),
      ...(managedNamespace ? [eb("namespace", "=", managedNamespace)] : []),
    ];
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

type ListedRow =
  & Pick<ArchivedWorkflowRow, "name" | "namespace" | "uid" | "phase" | "startedat" | "finishedat" | "creationtimestamp">
  & Readonly<Record<Shown, string | null>>;

/** Selects what is shown as JSON texts, null where it is not there. */
function shownColumns(engine: Engine) {
  const names = Object.keys(SHOWN) as Shown[];
  return names.map((name) => {
    const [outer, inner] = SHOWN[name];
    const value = {
      postgresql: sql<string | null>`cast(workflow -> ${sql.lit(outer)} -> ${sql.lit(inner)} as text)`,
      mysql: sql<string | null>`json_extract(workflow, ${sql.lit(`$.${outer}.${inner}`)})`,
      sqlite: sql<string | null>`workflow -> ${sql.lit(`$.${outer}.${inner}`)}`,
    }[engine];
    return value.as(name);
  });
}

function listed(engine: Engine, row: ListedRow): ArchivedWorkflow {
  const of = (name: Shown) => row[name] === null ? undefined : fromStoredJson(engine, row[name]);
  const fields = (...names: Shown[]) =>
    Object.fromEntries(names.map((name) => [name, of(name)]).filter(([, value]) => value !== undefined));
  return asPersisted(parsed({
    apiVersion: API_VERSION,
    kind: "Workflow",
    metadata: {
      name: row.name,
      namespace: row.namespace,
      uid: row.uid,
      creationTimestamp: kubernetesTime(row.creationtimestamp ?? row.startedat),
      ...fields("labels", "annotations"),
    },
    spec: fields("arguments", "suspend"),
    status: {
      phase: row.phase,
      startedAt: kubernetesTime(row.startedat),
      finishedAt: kubernetesTime(row.finishedat),
      ...fields("message", "progress", "estimatedDuration", "resourcesDuration"),
    },
  }));
}

/** The workflow with the label that says where it was read. */
function asPersisted(workflow: ArchivedWorkflow): ArchivedWorkflow {
  const labels = { ...workflow.metadata.labels, [LABEL.archivingStatus]: "Persisted" };
  return { ...workflow, metadata: { ...workflow.metadata, labels } };
}

/** @throws {UserError} naming the field that is wrong. */
function parsed(object: unknown): ArchivedWorkflow {
  const { success, data, error } = Archived.safeParse(object);
  if (success) return data;
  const [issue] = error.issues;
  throw new UserError(`Could not read a workflow of the archive: ${issue?.path.join(".")}: ${issue?.message}`);
}
