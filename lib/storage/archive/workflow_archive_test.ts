/** The contract of an archive, tested on each kind of database. */
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { sql } from "kysely";
import { LABEL } from "@tiphys/base/constants";
import type { Database } from "../database/mod.ts";
import { testOnEachServer } from "../database/testing/promises.ts";
import { fieldsOf } from "@tiphys/base/fields_of";
import { silentLog } from "@tiphys/base/log";
import { readRunOrder } from "@tiphys/model/status";
import { UserError } from "@tiphys/base/user_error";
import { parseRequirements } from "@tiphys/base/selector/label_selector";
import { MAX_PAGE_SIZE } from "./longest_page.ts";
import { OffloadedNodes } from "./offloaded_nodes.ts";
import { prepareArchive } from "./schema.ts";
import type { ArchiveTables } from "./tables.ts";
import type { ArchivedWorkflow } from "./archived_workflow.ts";
import { type ArchiveScope, type ListOptions, WorkflowArchive } from "./workflow_archive.ts";

const SCHEMA = { tableName: "argo_workflows", clusterName: "default", log: silentLog };

/** A finished workflow that started in the given minute of 2026-11-01, one second long. */
function finished(name: string, minute: number, labels: Record<string, string> = {}, namespace = "n") {
  const time = (second: number) => new Date(Date.UTC(2026, 10, 1, 0, minute, second)).toISOString().replace(".000", "");
  return {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Workflow",
    metadata: { name, namespace, uid: `uid-${namespace}-${name}`, creationTimestamp: time(0), labels },
    spec: { entrypoint: "main", arguments: { parameters: [{ name: "a", value: "1" }] } },
    status: { phase: "Succeeded", startedAt: time(0), finishedAt: time(1), progress: "1/1", nodes: { [name]: {} } },
  };
}

interface Bench {
  readonly database: Database;
  /** An archive of a cluster that no other test case uses. */
  readonly archive: WorkflowArchive;
  of(scope: Partial<ArchiveScope>, over?: Database): WorkflowArchive;
  rows(table: keyof ArchiveTables): Promise<number>;
}

const namesOf = (items: readonly ArchivedWorkflow[]) => items.map(({ metadata }) => metadata.name);

async function listNames(archive: WorkflowArchive, options: ListOptions = {}): Promise<string> {
  return namesOf((await archive.list(options)).items).join(" ");
}

/** The rows of {@link manyRows}: the first 1,700 have one start time, then five each. */
const MANY = 3000;

/** Writes rows whose names are their positions in the order of lists. */
async function manyRows(database: Database, clustername: string): Promise<void> {
  const rows = Array.from({ length: MANY }, (_, index) => {
    const name = String(index).padStart(5, "0");
    const second = index < 1700 ? 0 : 1 + Math.floor(index / 5);
    const time = new Date(Date.UTC(2026, 10, 1) - second * 1000).toISOString().replace("T", " ").replace("Z", "");
    const uid = `uid-${String(MANY - index).padStart(5, "0")}`;
    const times = { startedat: time, finishedat: time, creationtimestamp: time };
    return {
      clustername,
      uid,
      instanceid: "",
      name,
      namespace: `n${index % 2}`,
      phase: "Succeeded",
      ...times,
      workflow: "{}",
    };
  });
  for (let offset = 0; offset < MANY; offset += 500) {
    await database.query<ArchiveTables, unknown>((db) =>
      db.insertInto("argo_archived_workflows").values(rows.slice(offset, offset + 500)).execute()
    );
  }
}

const PROMISES: Readonly<Record<string, (bench: Bench) => Promise<void>>> = {
  async "list: `skip` works at large offsets and among workflows with one start time"({ database, of }) {
    const clusterName = "many";
    await manyRows(database, clusterName);
    const archive = of({ clusterName });
    const numbers = async (options: ListOptions) =>
      (await archive.listKeys({ limit: 3, ...options })).map(({ uid }) => MANY - Number(uid.slice(4)));
    for (const skip of [0, 500, 650, 999, 1000, 1001, 1199, 1200, 1201, 1203, 1699, 1700, 1997, 2203, 2996]) {
      assertEquals(await numbers({ skip }), [skip, skip + 1, skip + 2], `behind ${skip}`);
      if (skip >= MANY / 2 - 3) continue;
      const [odd] = await numbers({ skip, namespace: "n1" });
      assertEquals(odd, 2 * skip + 1, `of a namespace, behind ${skip}`);
    }
    assertEquals(await numbers({ skip: 2999 }), [2999]);
    for (const skip of [3000, 3001, 3600, 9000]) assertEquals(await numbers({ skip }), []);
  },

  async "get: returns the archived workflow with the label of persisted ones"({ archive }) {
    const workflow = finished("w", 0, { team: "red" });
    await archive.archive(workflow);
    const labels = { team: "red", [LABEL.archivingStatus]: "Persisted" };
    const expected = { ...workflow, metadata: { ...workflow.metadata, labels } };
    assertEquals<unknown>(await archive.get("uid-n-w"), expected);
    assertEquals<unknown>(await archive.getByName("n", "w"), expected);
    assertEquals(await archive.get("uid-n-x"), undefined);
    assertEquals(await archive.getByName("other", "w"), undefined);
  },

  async "phaseCounts: counts by phase between adjacent times"({ archive }) {
    for (const minute of [0, 1, 2, 2, 5]) {
      const workflow = finished(`w${minute}`, minute, minute === 2 ? { team: "red" } : {});
      const status = { ...workflow.status, phase: minute === 1 ? "Failed" : "Succeeded" };
      await archive.archive({ ...workflow, status });
    }
    const times = [0, 2, 3, 5].map((minute) => new Date(Date.UTC(2026, 10, 1, 0, minute)));
    const counted = async (options: ListOptions) =>
      (await archive.phaseCounts(options, times)).map(({ phase, span, count }) => `${span} ${phase} ${count}`).sort();
    assertEquals(await counted({}), ["0 Failed 1", "0 Succeeded 1", "1 Succeeded 1"]);
    assertEquals(await counted({ labels: parseRequirements("team=red") }), ["1 Succeeded 1"]);
    assertEquals(await counted({ uids: [] }), []);
  },

  async "get: preserves null characters, emoji, backslashes and three megabytes"({ archive }) {
    const texts = ["\0", "a\0\0b", "\\u0000", "\\\\u0000", "\\\0", "🦊 ä", "x".repeat(3_000_000), 'it\'s "quoted" ?'];
    const workflow = finished("w", 0);
    await archive.archive({ ...workflow, status: { ...workflow.status, message: "\0🦊", texts } });
    assertEquals((await archive.get("uid-n-w"))?.status?.texts, texts);
    assertEquals((await archive.list()).items[0]?.status?.message, "\0🦊");
  },

  async "get: rejects a row with too deep nesting, and lists show the error"({ of, database }) {
    if (database.engine === "mysql") return; // MariaDB supports at most 32 levels of JSON.
    const clusterName = "deep";
    const archive = of({ clusterName });
    for (const [minute, name] of ["w", "x"].entries()) await archive.archive(finished(name, minute));
    const { spec, ...rest } = { ...finished("w", 0) };
    const deep = `${"[".repeat(300)}${"]".repeat(300)}`;
    const text = JSON.stringify({ ...rest, spec: { ...spec, arguments: "DEEP" } }).replace('"DEEP"', deep);
    await database.query<ArchiveTables, unknown>((db) =>
      db.updateTable("argo_archived_workflows").set({ workflow: text }).where("uid", "=", "uid-n-w")
        .where("clustername", "=", clusterName).execute()
    );
    const refused = await assertRejects(() => archive.get("uid-n-w"), UserError);
    assertStringIncludes(refused.message, "spec.arguments[0]");
    assertStringIncludes(refused.message, "lists and objects are nested more than 200 levels deep");
    const { items: [x, w] } = await archive.list();
    assertEquals([x?.status?.message, fieldsOf(x?.spec).arguments], [undefined, finished("x", 1).spec.arguments]);
    assertStringIncludes(String(w?.status?.message), "200 levels deep");
  },

  async "list: distinguishes names, labels and clusters by case as far as the table stores them"(
    { archive, of },
  ) {
    await archive.archive(finished("w", 0, { team: "red" }));
    await archive.archive(finished("x", 1, { Team: "red" }));
    await archive.archive(finished("y", 2, { team: "Red" }));
    const asked = ["team=red", "Team=red", "team", "team in (Red, green)", "team!=red", "!team"];
    const found: string[] = [];
    for (const text of asked) found.push(await listNames(archive, { labels: parseRequirements(text) }));
    assertEquals(found, ["w", "x", "y w", "y", "y x", "x"]);
    assertEquals(await listNames(archive, { name: "W" }), "");
    assertEquals(await listNames(archive, { name: "W", nameFilter: "NotEquals" }), "y x w");
    assertEquals(await listNames(archive, { namePrefix: "W" }), "");
    assertEquals(await listNames(archive, { name: "W", nameFilter: "Contains" }), "");
    assertEquals((await archive.labelValues("Team")).map((value) => value.toLowerCase()), ["red"]);
    const [small, capital] = [of({ clusterName: "capitals" }), of({ clusterName: "Capitals" })];
    await small.archive(finished("w", 0, { one: "1" }));
    assertEquals([await listNames(capital), await capital.labelKeys()], ["", []]);
    assertEquals(await capital.deleteFinishedBefore(new Date("2030-01-01")), { deleted: 0, isMore: false });
    // Both names are labels of one workflow: a case-insensitive table stores only the first.
    await archive.archive(finished("both", 3, { Both: "1", both: "2" }));
    assertEquals(await listNames(archive, { labels: parseRequirements("Both=1") }), "both");
    assertEquals((await archive.get("uid-n-both"))?.metadata.labels?.both, "2");
  },

  async "labelKeys: returns any number of names"({ archive }) {
    const labels = Object.fromEntries(Array.from({ length: 1_100 }, (_, index) => [`l-${index}`, `${index}`]));
    await archive.archive(finished("w", 0, labels));
    assertEquals((await archive.labelKeys()).length, 1_101);
    assertEquals((await archive.labelKeys("n")).length, 1_101);
  },

  async "archive: stores twenty thousand labels of a workflow, each of which finds it"({ archive, rows }) {
    const before = await rows("argo_archived_workflows_labels");
    const labels = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`l-${index}`, `${index}`]));
    await archive.archive(finished("w", 0, labels));
    assertEquals(await rows("argo_archived_workflows_labels"), before + 20_001);
    assertEquals((await archive.labelKeys("n")).length, 20_001);
    assertEquals(await listNames(archive, { labels: parseRequirements("l-0=0,l-19999=19999") }), "w");
    await archive.delete("uid-n-w");
    assertEquals(await rows("argo_archived_workflows_labels"), before);
  },

  async "archive: archiving again replaces the workflow and its labels"({ archive }) {
    await archive.archive(finished("w", 0, { old: "1", both: "1" }));
    await archive.archive(finished("w", 0, { both: "2", fresh: "1" }));
    assertEquals(await archive.count(), 1);
    assertEquals(await archive.labelKeys(), ["both", "fresh", LABEL.archivingStatus]);
    assertEquals(await archive.labelValues("both"), ["2"]);
    assertEquals(await archive.labelValues("both", "n"), ["2"]);
    assertEquals(await archive.labelValues("both", "m"), []);
  },

  async "archive: a crash during a write leaves the previous version"({ archive, of, database }) {
    await archive.archive(finished("w", 0, { a: "1" }));
    const transaction: Database["transaction"] = (work) =>
      database.transaction(async (tx) => {
        await work(tx as never);
        throw new TypeError("crash");
      });
    const query: Database["query"] = (work) => database.query(work);
    const crashing = { engine: database.engine, query, transaction, [Symbol.asyncDispose]: () => Promise.resolve() };
    await assertRejects(() => of({}, crashing).archive(finished("w", 0, { a: "2" })), TypeError, "crash");
    assertEquals(await archive.labelValues("a"), ["1"]);
    assertEquals((await archive.get("uid-n-w"))?.metadata.labels?.a, "1");
  },

  async "archive: rejects an object without a UID with the field"({ archive }) {
    const { metadata: { uid: _, ...metadata }, ...workflow } = finished("w", 0);
    await assertRejects(() => archive.archive({ ...workflow, metadata }), Error, "metadata.uid");
  },

  async "list: omits templates and nodes"({ archive }) {
    await archive.archive(finished("w", 0, { team: "red" }));
    const [item] = (await archive.list()).items;
    const { metadata, status: { nodes: _, ...status }, spec: { entrypoint: __, ...spec }, ...kind } = finished("w", 0);
    const labels = { team: "red", [LABEL.archivingStatus]: "Persisted" };
    assertEquals<unknown>(item, { ...kind, metadata: { ...metadata, labels }, spec, status });
  },

  async "orderedKeys: sorts by any field, then by UID, and pages are contiguous"({ archive }) {
    const of = (name: string, minute: number, seconds: number, labels = {}) => {
      const workflow = finished(name, minute, labels);
      const finishedAt = new Date(Date.parse(workflow.status.startedAt) + seconds * 1000).toISOString();
      return { ...workflow, status: { ...workflow.status, finishedAt: finishedAt.replace(".000", "") } };
    };
    await archive.archive(of("b-1", 1, 5, { rare: "1" }));
    await archive.archive(of("b", 2, 100));
    await archive.archive(of("a", 3, 20, { rare: "1" }));
    await archive.archive(of("c", 4, 20));
    const found = async (order: string, options: ListOptions = {}) =>
      (await archive.orderedKeys(options, readRunOrder(order)!)).map(({ uid }) => uid.slice("uid-n-".length)).join(" ");
    assertEquals(await found("-duration"), "b c a b-1");
    assertEquals(await found("duration"), "b-1 c a b");
    assertEquals(await found("-duration", { skip: 1, limit: 2 }), "c a");
    assertEquals(await found("name"), "a b b-1 c");
    assertEquals(await found("-name"), "c b-1 b a");
    assertEquals(await found("-finished"), "c b a b-1");
    assertEquals(await found("started"), "b-1 b a c");
    assertEquals(await found("-duration", { labels: parseRequirements("rare=1") }), "a b-1");
    const [longest] = await archive.orderedKeys({ limit: 1 }, { field: "duration", isDescending: true });
    assertEquals(longest, { value: 100_000, uid: "uid-n-b" });
  },

  async "list: without a limit, returns a page and where the next one begins"({ archive, database }) {
    const clustername = "long";
    await archive.archive(finished("w", 0));
    const [row] = await database.query<ArchiveTables, ArchiveTables["argo_archived_workflows"][]>((db) =>
      db.selectFrom("argo_archived_workflows").selectAll().where("uid", "=", "uid-n-w").limit(1).execute()
    );
    for (let from = 0; from < MAX_PAGE_SIZE + 500; from += 500) {
      const rows = Array.from({ length: 500 }, (_, index) => ({ ...row!, clustername, uid: `uid-${from + index}` }));
      await database.query<ArchiveTables, unknown>((db) =>
        db.insertInto("argo_archived_workflows").values(rows).execute()
      );
    }
    const long = new WorkflowArchive(database, { clusterName: clustername });
    for (const limit of [0, MAX_PAGE_SIZE + 1]) {
      const { items, next } = await long.list({ limit });
      assertEquals([items.length, (await long.list({ after: next })).items.length], [MAX_PAGE_SIZE, 500]);
    }
    assertEquals((await long.listKeys({})).length, MAX_PAGE_SIZE);
  },

  async "list: filters by namespace, name and times"({ archive }) {
    await archive.archive(finished("alpha-1", 1));
    await archive.archive(finished("alpha_2", 2));
    await archive.archive(finished("beta-1", 3));
    await archive.archive(finished("alpha-1", 4, {}, "m"));
    const at = (minute: number, second = 0) => new Date(Date.UTC(2026, 10, 1, 0, minute, second));
    const cases: [ListOptions, string][] = [
      [{}, "alpha-1 beta-1 alpha_2 alpha-1"],
      [{ namespace: "m" }, "alpha-1"],
      [{ namespace: "m", namespaceFilter: "NotEquals" }, "beta-1 alpha_2 alpha-1"],
      [{ name: "alpha-1" }, "alpha-1 alpha-1"],
      [{ name: "alpha", nameFilter: "Exact" }, ""],
      [{ name: "a-1", nameFilter: "Contains" }, "alpha-1 beta-1 alpha-1"],
      [{ name: "_", nameFilter: "Contains" }, "alpha_2"],
      [{ name: "%", nameFilter: "Contains" }, ""],
      [{ name: "ALPHA", nameFilter: "Contains" }, ""],
      [{ name: "alpha", nameFilter: "Prefix" }, "alpha-1 alpha_2 alpha-1"],
      [{ namePrefix: "beta" }, "beta-1"],
      [{ name: "alpha-1", nameFilter: "NotEquals" }, "beta-1 alpha_2"],
      [{ startedAfter: at(1), startedBefore: at(3) }, "alpha_2"],
      [{ startedBefore: new Date(at(2).getTime() + 1) }, "alpha_2 alpha-1"],
      [{ createdAfter: at(3) }, "alpha-1"],
      [{ finishedBefore: at(2, 1) }, "alpha-1"],
      [{ limit: 2, skip: 1 }, "beta-1 alpha_2"],
      [{ skip: 3 }, "alpha-1"],
      [{ name: "x' or '1'='1" }, ""],
    ];
    for (const [options, names] of cases) {
      assertEquals(await listNames(archive, options), names, JSON.stringify(options));
    }
    assertEquals(await archive.count({ namePrefix: "alpha" }), 3);
    assertEquals((await archive.getByName("n", "alpha-1"))?.metadata.namespace, "n");
  },

  async "list: filters by every kind of label requirement, also for labels that are not numbers"({ archive }) {
    await archive.archive(finished("a", 4, { env: "prod", size: "5" }));
    await archive.archive(finished("b", 3, { env: "test", size: "50" }));
    await archive.archive(finished("c", 2, { env: "Prod", size: "large" }));
    await archive.archive(finished("d", 1, { "example.com/owner": "me" }));
    const cases: Readonly<Record<string, string>> = {
      "env": "a b c",
      "!env": "d",
      "env=prod": "a",
      "env!=prod": "b c d",
      "env in (prod,test)": "a b",
      "env notin (prod,test)": "c d",
      "size>5": "b",
      "size<50": "a",
      "env,size>4": "a b",
      "example.com/owner=me": "d",
    };
    for (const [selector, names] of Object.entries(cases)) {
      assertEquals(await listNames(archive, { labels: parseRequirements(selector) }), names, selector);
    }
  },

  async "list: pages have no gaps or repetitions among workflows started in the same second"({ archive }) {
    const names = Array.from({ length: 23 }, (_, index) => `w-${String(index).padStart(2, "0")}`);
    for (const name of names) await archive.archive(finished(name, 7));
    await archive.archive(finished("newer", 8));
    await archive.archive(finished("older", 6));
    const found: string[] = [];
    for (let after: ListOptions["after"], more = true; more;) {
      const page = await archive.list({ limit: 5, after });
      assert(page.items.length <= 5);
      found.push(...namesOf(page.items));
      after = page.next;
      more = after !== undefined;
      // Archiving a workflow between two pages does not move others to another page.
      if (found.length === 5) await archive.archive(finished("newest", 9));
    }
    assertEquals(found, ["newer", ...names.toReversed(), "older"]);
    assertEquals((await archive.list()).next, undefined);
    assertEquals((await archive.list({ limit: 26 })).next, undefined);
  },

  async "archive: controllers that share a database see only their own workflows"({ of }) {
    const scopes: Partial<ArchiveScope>[] = [
      { instanceId: "one" },
      { instanceId: "two" },
      { clusterName: "another" },
      { instanceId: "one", managedNamespace: "m" },
    ];
    const [one, two, other, managed] = scopes.map((scope) => of(scope)) as [WorkflowArchive, ...WorkflowArchive[]];
    await one.archive(finished("w1", 1, { one: "1" }));
    await two!.archive(finished("w2", 2, { two: "2" }));
    await other!.archive(finished("w1", 3, { other: "3" }));
    const lists = await Promise.all([one, two!, other!, managed!].map((archive) => listNames(archive)));
    assertEquals(lists, ["w1", "w2", "w1", ""]);
    assertEquals(await one.get("uid-n-w2"), undefined);
    assertEquals(await one.delete("uid-n-w2"), false);
    assertEquals(await one.labelKeys(), ["one", LABEL.archivingStatus]);
    assertEquals(await other!.labelValues("two"), []);
    assertEquals(await managed!.labelKeys(), []);
    assertEquals(await one.deleteFinishedBefore(new Date("2030-01-01")), { deleted: 1, isMore: false });
    assertEquals(await listNames(two!), "w2");
  },

  async "delete: removes the workflow and its labels"({ archive, rows }) {
    const before = await rows("argo_archived_workflows_labels");
    await archive.archive(finished("w", 0, { a: "1" }));
    assertEquals(await rows("argo_archived_workflows_labels"), before + 2);
    assertEquals(await archive.delete("uid-n-w"), true);
    assertEquals(await archive.delete("uid-n-w"), false);
    assertEquals(await rows("argo_archived_workflows_labels"), before);
  },

  async "delete: removes a workflow that cannot be parsed, without the cleanup"({ database }) {
    const scope = { clusterName: crypto.randomUUID() };
    const tidy = new WorkflowArchive(database, scope, () => Promise.reject(new Error("asked")));
    await tidy.archive(finished("w", 0));
    await assertRejects(() => tidy.delete("uid-n-w"), Error, "asked");
    await database.query<ArchiveTables, unknown>((db) =>
      db.updateTable("argo_archived_workflows").set({ workflow: "{}" }).where("clustername", "=", scope.clusterName)
        .execute()
    );
    assertEquals(await tidy.delete("uid-n-w"), true);
  },

  async "deleteFinishedBefore: deletes expired workflows in batches in any time zone of the server"({ archive }) {
    const old = Array.from({ length: 501 }, (_, index) => finished(`old-${index}`, 0));
    for (const workflow of old) await archive.archive(workflow);
    await archive.archive(finished("kept", 1));
    const bound = new Date(Date.UTC(2026, 10, 1, 0, 1, 1));
    assertEquals(await archive.deleteFinishedBefore(bound), { deleted: 500, isMore: true });
    assertEquals(await archive.deleteFinishedBefore(bound), { deleted: 1, isMore: false });
    assertEquals(await archive.deleteFinishedBefore(bound), { deleted: 0, isMore: false });
    assertEquals(await listNames(archive), "kept");
  },

  async "offloaded nodes: are read by UID and version, and deleted when they are old"({ database }) {
    const nodes = new OffloadedNodes(database, { clusterName: crypto.randomUUID(), tableName: SCHEMA.tableName });
    const time = (minute: number) => new Date(Date.UTC(2026, 10, 1, 0, minute));
    const version = (uid: string, second: number) => ({ uid, version: `fnv:${second}`, namespace: "n" });
    const value = { w: { id: "w", message: "\0🦊 \\u0000 it's" } };
    await nodes.save(version("a", 1), JSON.stringify(value), time(0));
    await nodes.save(version("a", 2), JSON.stringify({ ...value, x: { id: "x" } }), time(0));
    await nodes.save(version("b", 1), "{}", time(5));
    assertEquals(await nodes.load(version("a", 1)), value);
    assertEquals(await nodes.load(version("b", 2)), undefined);
    const other = new OffloadedNodes(database, { clusterName: "other", tableName: SCHEMA.tableName });
    assertEquals(await other.load(version("a", 1)), undefined);
    const old = await nodes.listOlderThan(time(1));
    assertEquals(old, [version("a", 1), version("a", 2)]);
    assertEquals(await nodes.listOlderThan(time(1), version("a", 1)), [version("a", 2)]);
    // One is stored again before the deletion: a workflow refers to it.
    await nodes.save(version("a", 1), JSON.stringify(value), time(6));
    await nodes.delete(old, time(1));
    assertEquals(await nodes.load(version("a", 1)), value);
    assertEquals(await nodes.load(version("a", 2)), undefined);
    await nodes.save(
      version("b", 1),
      "x".repeat(3_000_000).replace(/^.*$/, (text) => JSON.stringify({ text })),
      time(7),
    );
    assertEquals(((await nodes.load(version("b", 1))) as { text: string }).text.length, 3_000_000);
  },

  async "prepareArchive: does not change existing tables, also of a newer version"({ database, archive }) {
    await archive.archive(finished("w", 0));
    const setVersion = (version: number) =>
      database.query<ArchiveTables, unknown>((db) =>
        db.updateTable("schema_history").set({ schema_version: version }).execute()
      );
    await setVersion(69);
    await prepareArchive(database, SCHEMA);
    assertEquals(await listNames(archive), "w");
    await setVersion(45);
    if (database.engine === "sqlite") {
      const refused = await assertRejects(() => prepareArchive(database, SCHEMA), Error);
      assert(refused.message.includes("version 45, expected 68: start a controller of Argo"), refused.message);
    }
    await setVersion(68);
    await prepareArchive(database, { ...SCHEMA, skipMigration: true });
  },
};

let clusters = 0;

testOnEachServer({
  title: "an archive keeps its promises",
  async prepare(database, another) {
    await assertRejects(() => prepareArchive(database, { ...SCHEMA, skipMigration: true }), Error, "skipMigration");
    await Promise.all([prepareArchive(database, SCHEMA), prepareArchive(another, SCHEMA)]);
    assertEquals(await rowsOf(database, "schema_history"), 1);
  },
  bench(database) {
    const clusterName = `cluster-${clusters++}`;
    const of = (scope: Partial<ArchiveScope>, over = database) => new WorkflowArchive(over, { clusterName, ...scope });
    return Promise.resolve({ database, archive: of({}), of, rows: (table) => rowsOf(database, table) });
  },
  promises: PROMISES,
});

async function rowsOf(database: Database, table: keyof ArchiveTables): Promise<number> {
  const { rows } = await database.query<ArchiveTables, { readonly rows: { readonly total: unknown }[] }>((db) =>
    sql<{ readonly total: unknown }>`select count(*) as total from ${sql.table(table)}`.execute(db)
  );
  return Number(rows[0]?.total);
}
