/**
 * The archive under the whole controller: finished workflows are written to a database, and their removal waits for
 * that.
 */
import { assert, assertEquals } from "@std/assert";
import type { DatabaseSettings, PersistenceSettings } from "@tiphys/model/api";
import { OpenArchive } from "@tiphys/storage/archive";
import { fakeClock } from "../../lib/base/clock/testing/fake_clock.ts";
import { systemClock } from "@tiphys/base/clock";
import { LABEL } from "@tiphys/base/constants";
import { classifyError, WORKFLOWS } from "@tiphys/kube";
import { silentLog } from "@tiphys/base/log";
import { archiveRounds } from "../../controller/workflow/archive/archive_gc.ts";
import type { OpenArchive as OpenArchiveOf } from "../../controller/workflow/archive/archive_access.ts";
import { ControllerWorld } from "./world.ts";

/** A workflow that finishes without a pod. */
function shortWorkflow(name: string, more = "", labels = "{}"): string {
  return `
metadata: {name: ${name}, labels: ${labels}}
spec:
  entrypoint: main${more}
  templates: [{name: main, steps: []}]`;
}

const secret = () => Promise.reject(new Error("SQLite needs no secret"));

async function archiveIn(sqlite: DatabaseSettings["sqlite"]) {
  return await OpenArchive.open({ sqlite }, { clock: systemClock, log: silentLog, secret });
}

/** A world whose controller archives into its own file. */
async function archivingWorld(more: Partial<PersistenceSettings> = {}, folder?: string) {
  const home = folder ?? await Deno.makeTempDir();
  const settings: PersistenceSettings = { sqlite: { file: `${home}/archive.db` }, archive: true, ...more };
  const world = new ControllerWorld();
  world.configure({ archived: settings.archiveLabelSelector ?? {} });
  const open: OpenArchiveOf = (settings, world) => OpenArchive.open(settings, world);
  const archive = {
    open,
    settings: () => settings,
    ownNamespace: "argo",
    opensAtStart: true,
    collectEveryMillis: 0,
    estimateWithinMillis: 5000,
  };
  return {
    world,
    settings,
    start: () => world.startController({ archive }),
    async [Symbol.asyncDispose]() {
      await world[Symbol.asyncDispose]();
      await Deno.remove(home, { recursive: true });
    },
  };
}

/** The label that shows the archiving state of a workflow. */
function archivingStatusOf({ metadata }: { metadata: { labels?: Record<string, string> | null | undefined } }) {
  return metadata.labels?.[LABEL.archivingStatus];
}

Deno.test("archive: a finished workflow is stored unchanged and labeled as archived; one that the selector excludes is not", async () => {
  await using test = await archivingWorld({ archiveLabelSelector: { matchLabels: { keep: "yes" } } });
  const { world, settings } = test;
  await test.start();
  await world.submit(shortWorkflow("kept", "", "{keep: 'yes'}"));
  await world.submit(shortWorkflow("other"));
  await world.awaitEnd("kept");
  await world.awaitEnd("other");
  await world.waitUntil("it is archived", async () => archivingStatusOf(await world.workflow("kept")) === "Archived");
  assertEquals(archivingStatusOf(await world.workflow("other")), undefined);
  await world.stopController();
  await using archive = await archiveIn(settings.sqlite);
  assertEquals((await archive.list()).items.map(({ metadata }) => metadata.name), ["kept"]);
  const live = await world.workflow("kept");
  const stored = await archive.get(live.metadata.uid!);
  assertEquals([stored?.spec, stored?.status], [live.spec, live.status] as unknown[]);
  assertEquals(archivingStatusOf(stored!), "Persisted");
});

Deno.test("archive: the tables exist as soon as the controller has started, before any workflow ends", async () => {
  await using test = await archivingWorld();
  const { world, settings } = test;
  await test.start();
  const file = settings.sqlite?.file ?? "";
  await world.waitUntil("the file is made", () => Deno.stat(file).then(() => true, () => false));
  await world.stopController();
  await using archive = await OpenArchive.open({ ...settings, skipMigration: true }, {
    clock: systemClock,
    log: silentLog,
    secret,
  });
  assertEquals((await archive.list()).items, []);
});

Deno.test("estimate: uses the newest archived success of the template when the cluster has no such workflow (MT-43)", async () => {
  await using test = await archivingWorld();
  const { world, settings } = test;
  {
    await using archive = await archiveIn(settings.sqlite);
    const past = async (name: string, { hour, seconds, phase = "Succeeded", template = "t" }: {
      readonly hour: number;
      readonly seconds: number;
      readonly phase?: string;
      readonly template?: string;
    }) => {
      const time = (after: number) => new Date(Date.UTC(2026, 0, 1, hour) + after * 1000).toISOString();
      await archive.archive({
        apiVersion: "argoproj.io/v1alpha1",
        kind: "Workflow",
        metadata: {
          name,
          namespace: "default",
          uid: name,
          creationTimestamp: time(0),
          labels: { [LABEL.workflowTemplate]: template, [LABEL.phase]: phase },
        },
        spec: {},
        status: { phase, startedAt: time(0), finishedAt: time(seconds) },
      });
    };
    await past("older", { hour: 1, seconds: 90 });
    await past("newest", { hour: 2, seconds: 30 });
    await past("failed", { hour: 3, seconds: 7, phase: "Failed" });
    await past("another", { hour: 4, seconds: 8, template: "u" });
  }
  await test.start();
  await world.submit(shortWorkflow("next", "", `{${LABEL.workflowTemplate}: t}`));
  await world.submit(shortWorkflow("unlike", "", `{${LABEL.workflowTemplate}: x}`));
  await world.awaitEnd("next");
  await world.awaitEnd("unlike");
  const { status } = await world.workflow("next");
  assertEquals([status?.estimatedDuration, status?.nodes?.next?.estimatedDuration], [30, undefined]);
  assertEquals((await world.workflow("unlike")).status?.estimatedDuration, undefined);
});

Deno.test("estimate: a workflow starts without one when the archive does not respond in time", async () => {
  await using test = await archivingWorld();
  // A folder in place of the file: the database cannot be opened.
  await Deno.mkdir(test.settings.sqlite!.file);
  await test.start();
  await test.world.submit(shortWorkflow("w", "", `{${LABEL.workflowTemplate}: t}`));
  await test.world.awaitEnd("w");
  assertEquals((await test.world.workflow("w")).status?.estimatedDuration, undefined);
  assert(test.world.logLines.some((line) => line.includes("Could not estimate a duration from the archive")));
});

Deno.test("archive: a workflow outlives its TTL until it is archived, also while the database is unreachable", async () => {
  await using test = await archivingWorld();
  const { world, settings } = test;
  const file = settings.sqlite!.file;
  // A folder in place of the file: the database cannot be opened.
  await Deno.mkdir(file);
  await test.start();
  await world.submit(shortWorkflow("w", "\n  ttlStrategy: {secondsAfterCompletion: 0}"));
  await world.waitUntil(
    "it could not be archived",
    () => world.logLines.some((line) => /Could not archive the workflow/.test(line)),
  );
  assertEquals(archivingStatusOf(await world.workflow("w")), "Pending");
  const { uid } = (await world.workflow("w")).metadata;
  await Deno.remove(file);
  await world.waitUntil("the workflow is deleted", async () => {
    try {
      await world.client.get(WORKFLOWS, "default", "w");
      return false;
    } catch (error) {
      return classifyError(error) === "notFound";
    }
  });
  await world.stopController();
  await using archive = await archiveIn(settings.sqlite);
  assertEquals((await archive.get(uid!))?.metadata.name, "w");
});

Deno.test("archive: a workflow that was pending when its controller stopped is archived by the next controller", async () => {
  await using test = await archivingWorld();
  const { world, settings } = test;
  settings.archive = false;
  await test.start();
  await world.submit(shortWorkflow("w"));
  await world.awaitEnd("w");
  await world.stopController();
  assertEquals(archivingStatusOf(await world.workflow("w")), "Pending");
  settings.archive = true;
  await test.start();
  await world.waitUntil("it is archived", async () => archivingStatusOf(await world.workflow("w")) === "Archived");
});

Deno.test("archive: expired workflows are deleted in batches, one minute after the start and then every period (T-LC-8)", async () => {
  const clock = fakeClock();
  const queries: { at: number; before: number }[] = [];
  const twice = Promise.withResolvers<void>();
  const archive = {
    archive: () => Promise.resolve(),
    deleteFinishedBefore(before: Date) {
      queries.push({ at: clock.elapsed, before: clock.now() - before.getTime() });
      if (queries.length === 4) twice.resolve();
      return Promise.resolve({ deleted: 500, isMore: queries.length < 3 });
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
  const access = { isEnabled: true, ttlMillis: 7_200_000, open: () => Promise.resolve(archive) };
  const gc = archiveRounds({ clock, log: silentLog, access, everyMillis: 86_400_000 });
  gc.start();
  await clock.runUntil(twice.promise);
  await gc.close();
  const [first, second, third, next] = queries as [typeof queries[0], ...typeof queries];
  assert(first.at >= 60_000 && first.at <= 66_000, String(first.at));
  assertEquals(Math.floor(first.before), 7_200_000);
  assert(second!.at > first.at && third!.at > second!.at, "there is a pause between batches");
  assertEquals(Math.round(next!.at - third!.at), 86_400_000);
});
