import { assertEquals, assertThrows } from "@std/assert";
import type { Workflow } from "@tiphys/model/api";
import { WORKFLOWS } from "@tiphys/kube";
import { OpenArchive } from "@tiphys/storage/archive";
import { systemClock } from "@tiphys/base/clock";
import { silentLog } from "@tiphys/base/log";
import { awaitFact } from "../../tests/await_fact.ts";
import { openServer } from "../testing/answers.ts";
import { endedWorkflow } from "../testing/archive_bench.ts";
import { NAMESPACE } from "../testing/server_bench.ts";
import { WireError } from "../wire/errors.ts";
import { activityOf, readSpans } from "./activity.ts";

const SINCE = "2026-03-04T00:00:00Z";
const HOUR = 3_600_000;

/** A workflow that started some hours after {@link SINCE}. */
function startedWorkflow(name: string, hours: number, phase: NonNullable<Workflow["status"]>["phase"]): Workflow {
  const ended = endedWorkflow(name, 0);
  const startedAt = new Date(Date.parse(SINCE) + hours * HOUR).toISOString().replace(".000", "");
  return { ...ended, status: { ...ended.status, phase, startedAt, finishedAt: startedAt } };
}

Deno.test("activity: counts live and archived workflows by phase and span, each once", async () => {
  const folder = await Deno.makeTempDir({ prefix: "activity-" });
  try {
    const secret = () => Promise.reject(new Error("a file needs no secret"));
    const world = { clock: systemClock, log: silentLog, secret };
    await using archive = await OpenArchive.open({ archive: true, sqlite: { file: `${folder}/archive.db` } }, world);
    const both = startedWorkflow("both", 1.5, "Failed");
    const live = [
      both,
      startedWorkflow("live", 2.2, "Running"),
      startedWorkflow("early", -0.1, "Failed"),
      startedWorkflow("late", 4, "Failed"),
    ];
    for (
      const workflow of [
        both,
        startedWorkflow("a", 0, "Succeeded"),
        startedWorkflow("b", 0.9, "Failed"),
        startedWorkflow("c", 1, "Failed"),
      ]
    ) {
      await archive.archive(workflow);
    }
    for (const early of [-1, 4, 9]) await archive.archive(startedWorkflow(`other${early}`, early, "Failed"));
    const covered = new Set(live.map(({ metadata }) => metadata.uid!));
    const spans = readSpans({ since: SINCE, step: 3600, count: 4 });
    const found = await activityOf(archive, { live, filters: {}, covered, spans });
    assertEquals(found, { 0: { Succeeded: 1, Failed: 1 }, 1: { Failed: 2 }, 2: { Running: 1 } });
    const inOther = await activityOf(archive, { live: [], filters: { namespace: "other" }, covered, spans });
    assertEquals(inOther, {});
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("activity: the number and the length of spans are limited", () => {
  const read = (query: Parameters<typeof readSpans>[0]) => readSpans({ since: SINCE, step: 60, count: 1, ...query });
  assertEquals(read({}), { since: Date.parse(SINCE), step: 60_000, count: 1 });
  for (const wrong of [{ since: "yesterday" }, { step: 0 }, { step: 1e9 }, { count: 0 }, { count: 201 }]) {
    const [field] = Object.keys(wrong);
    assertEquals(assertThrows(() => read(wrong), WireError).message.startsWith(`${field}: expected`), true);
  }
});

Deno.test("activity: the route applies the filters of lists, and names namespaces only for all of them", async () => {
  await using server = await openServer();
  const spec = { entrypoint: "main", templates: [{ name: "main", suspend: {} }] };
  for (const team of ["red", "blue"]) {
    const metadata = { name: team, labels: { team } };
    await server.bench.admin.create(WORKFLOWS, NAMESPACE, {
      apiVersion: "argoproj.io/v1alpha1",
      kind: "Workflow",
      metadata,
      spec,
    });
  }
  const since = new Date(Date.now() - HOUR).toISOString();
  const ask = async (namespace: string, selector = "") => {
    const query = new URLSearchParams({ since, step: "7200", count: "1", "listOptions.labelSelector": selector });
    return (await server.ask("GET", `/api/tiphys/v1/workflows/${namespace}/activity?${query}`)).json;
  };
  await awaitFact("the server's copy has both", async () => (await ask(NAMESPACE)).spans[0]?.Pending === 2, {
    seconds: 10,
  });
  assertEquals(await ask(NAMESPACE, "team=red"), { spans: { 0: { Pending: 1 } } });
  assertEquals(await ask(""), { spans: { 0: { Pending: 2 } }, namespaces: [NAMESPACE] });
});
