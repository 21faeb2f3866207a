/** Paging through archived workflows whose start times have fractions of a second: each appears on exactly one page. */
import { assertEquals } from "@std/assert";
import type { Workflow } from "@tiphys/model/api";
import type { ArchivedWorkflow } from "@tiphys/storage/archive";
import { prepareArchive } from "../../lib/storage/archive/schema.ts";
import type { ArchiveTables } from "../../lib/storage/archive/tables.ts";
import { WorkflowArchive } from "../../lib/storage/archive/workflow_archive.ts";
import { testOnEachServer } from "../../lib/storage/database/testing/promises.ts";
import { silentLog } from "@tiphys/base/log";
import { readRunOrder } from "@tiphys/model/status";
import { StoredArchive } from "../../lib/service/stored_archive.ts";
import { endedWorkflow } from "../testing/archive_bench.ts";
import { mergedPage } from "./merged_page.ts";
import { compareKeys, pageKey, readContinue } from "./page.ts";
import { sortedPage } from "./sorted_page.ts";

/** Fractions as different tools write them, with and without trailing zeros. */
const FRACTIONS = ["", ".1", ".100001", ".123450", ".999999", ".000001", ".500", ".5"];
/** Five workflows for each fraction of two different seconds, with UIDs in another order. */
const ROWS = [0, 1].flatMap((minute) => FRACTIONS.flatMap((fraction) => Array(5).fill({ minute, fraction })))
  .map(({ minute, fraction }, index) => ({ workflow: endedWorkflow(`w-${(index * 37) % 80}`, minute), fraction }));

interface Bench {
  readonly archive: WorkflowArchive;
  /** Workflows of the cluster that started in the same seconds, in order. */
  readonly live: readonly Workflow[];
  readonly all: readonly string[];
}

const uidsOf = (items: readonly Pick<Workflow | ArchivedWorkflow, "metadata">[]) =>
  items.map(({ metadata }) => metadata.uid ?? "");

/** The UIDs on all pages, requested one after the other. */
async function walk(page: (from: string) => Promise<{ items: readonly Workflow[]; continue?: string | undefined }>) {
  const found: string[] = [];
  for (let from: string | undefined = ""; from !== undefined && found.length < 1000;) {
    const { items, continue: next }: Awaited<ReturnType<typeof page>> = await page(from);
    found.push(...uidsOf(items));
    from = next;
  }
  return found;
}

const LIMITS = [1, 2, 3, 7, 50];

testOnEachServer<Bench>({
  title: "pages: start times with fractions of a second",
  prepare: (database) =>
    prepareArchive(database, { tableName: "argo_workflows", clusterName: "default", log: silentLog }),
  async bench(database) {
    const clusterName = crypto.randomUUID();
    const archive = new WorkflowArchive(database, { clusterName });
    for (const { workflow, fraction } of ROWS) {
      await archive.archive(workflow);
      const { uid, name } = workflow.metadata;
      const second = workflow.status!.startedAt!.replace("T", " ").replace("Z", "");
      await database.query<ArchiveTables, unknown>((db) =>
        db.updateTable("argo_archived_workflows")
          .set({
            startedat: second + fraction,
            finishedat: second.replace(/0$/, String(Number(name!.slice(-1)) % 4)) + fraction,
          })
          .where("clustername", "=", clusterName).where("uid", "=", uid!).execute()
      );
    }
    const live = [0, 1].flatMap((minute) => [0, 1, 2].map((step) => endedWorkflow(`w-${step * 30}-live`, minute)))
      .map((workflow, index) => ({
        ...workflow,
        metadata: { ...workflow.metadata, uid: `${workflow.metadata.uid}-${index}` },
      }))
      .sort((a, b) => compareKeys(pageKey(a), pageKey(b)));
    return { archive, live, all: [...uidsOf(ROWS.map(({ workflow }) => workflow)), ...uidsOf(live)].sort() };
  },
  promises: {
    async "paging by key returns each workflow once, and the number that remains"(
      { archive, live, all },
    ) {
      for (const limit of LIMITS) {
        let rest = all.length;
        const found = await walk(async (from) => {
          const merge = {
            live,
            filters: {},
            covered: new Set<string>(),
            start: readContinue(from),
            limit,
            counts: true,
          };
          const page = await mergedPage(archive, merge);
          rest -= page.items.length;
          assertEquals(page.remaining, rest);
          return page;
        });
        assertEquals(found.toSorted(), all, String(limit));
      }
    },

    async "paging by number returns each workflow once"({ archive, live, all }) {
      for (const limit of LIMITS) {
        const found = await walk(async (from) => {
          const start = readContinue(from);
          const skip = "skip" in start ? start.skip : 0;
          const page = await mergedPage(archive, {
            live,
            filters: {},
            covered: new Set(),
            start,
            limit,
            counts: false,
          });
          return { items: page.items, continue: page.continue && String(skip + limit) };
        });
        assertEquals(found.toSorted(), all, String(limit));
      }
    },

    async "paging in any order returns each workflow once"({ archive, live, all }) {
      for (const word of ["started", "-started", "finished", "-duration"]) {
        for (const limit of LIMITS) {
          const found = await walk(async (from) => {
            const asked = { live, filters: {}, covered: new Set<string>(), limit, now: 0, skip: Number(from) };
            return await sortedPage(archive, { ...asked, order: readRunOrder(word)! });
          });
          assertEquals(found.toSorted(), all, `${word} ${limit}`);
        }
      }
    },

    async "paging through the archive alone returns each workflow once, ordered by start"({ archive }) {
      const starts = new Map(ROWS.map(({ workflow, fraction }) => [
        workflow.metadata.uid!,
        Date.parse(workflow.status!.startedAt!) + Number(`0${fraction}`) * 1000,
      ]));
      const alone = new StoredArchive({
        open: () => Promise.resolve(archive),
        client: undefined as never,
        now: () => new Date(),
      });
      for (const limit of LIMITS) {
        const found = await walk((from) => alone.list(undefined, { limit, continue: from || undefined }));
        assertEquals(found.toSorted(), [...starts.keys()].sort());
        if ((await archive.listKeys({ limit: 1 }))[0]?.startedAt.includes(".")) {
          const times = found.map((uid) => starts.get(uid)!);
          assertEquals(times, times.toSorted((a, b) => b - a));
        }
      }
    },

    async "a time between two starts separates them"({ archive }) {
      const [first] = await archive.listKeys({ limit: 1 });
      if (!first?.startedAt.includes(".")) return; // The database does not store fractions.
      const between = new Date("2026-11-01T00:01:00.400Z");
      const after = await archive.count({ startedAfter: between });
      const before = await archive.count({ startedBefore: between });
      assertEquals([after, before], [15, 65]);
    },
  },
});
