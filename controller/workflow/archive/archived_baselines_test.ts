import { assertEquals } from "@std/assert";
import { fakeClock } from "../../../lib/base/clock/testing/fake_clock.ts";
import { flushPromises } from "../../../lib/base/clock/testing/settled.ts";
import { LABEL } from "@tiphys/base/constants";
import type { KubeObject } from "@tiphys/kube";
import { silentLog } from "@tiphys/base/log";
import { Baselines } from "../observe/baselines.ts";
import type { Archive, ArchiveAccess } from "./archive_access.ts";
import { ArchivedBaselines } from "./archived_baselines.ts";

const TIMEOUT_MILLIS = 5000;
const QUIET_MILLIS = 60_000;
const ANSWERED_MILLIS = 600_000;
const MAX_ANSWERED_QUERIES = 2000;

type Answer = PromiseWithResolvers<number | undefined>;

/** Baselines of an archive that responds when the test requests it. */
function madeWorld({ isArchived = true, isEnabled = true } = {}) {
  const clock = fakeClock();
  const baselines = new Baselines();
  const asked: string[] = [];
  const givenUp: string[] = [];
  const answers: Answer[] = [];
  const archive: Pick<Archive, "newestDurationSeconds"> = {
    newestDurationSeconds(namespace, likeness, until) {
      const question = `${namespace}/${likeness.split("=").at(-1)}`;
      asked.push(question);
      until.addEventListener("abort", () => givenUp.push(question));
      answers.push(Promise.withResolvers());
      return answers.at(-1)!.promise;
    },
  };
  const access = { isEnabled: isArchived, open: () => Promise.resolve(archive) } as unknown as ArchiveAccess;
  const archived = new ArchivedBaselines({
    access,
    baselines,
    clock,
    log: silentLog,
    isWanted: () => isEnabled,
    timeoutMillis: TIMEOUT_MILLIS,
  });
  return {
    clock,
    baselines,
    asked,
    givenUp,
    /** Looks up a workflow of a template; the returned function reports whether the lookup has ended. */
    async lookUp(template: string): Promise<() => boolean> {
      let isOver = false;
      archived.lookUp(workflowOf(template)).then(() => isOver = true);
      await flushPromises();
      return () => isOver;
    },
    /** Lets the database respond to, or fail, the last query. */
    async answer(seconds: number | undefined | Error): Promise<void> {
      const last = answers.at(-1)!;
      if (seconds instanceof Error) last.reject(seconds);
      else last.resolve(seconds);
      await flushPromises();
    },
    async advance(millis: number): Promise<void> {
      clock.advance(millis);
      await flushPromises();
    },
    seconds: (template: string) => baselines.baselineOf(workflowOf(template))?.seconds,
    archived,
  };
}

function workflowOf(template: string, status?: unknown): KubeObject {
  return { metadata: { namespace: "n", name: "w", labels: { [LABEL.workflowTemplate]: template } }, status };
}

Deno.test("archived baselines: similar workflows share one query, and others neither wait nor start another", async () => {
  const { lookUp, answer, asked, seconds } = madeWorld();
  const alike = [await lookUp("a"), await lookUp("a")];
  const unlike = await lookUp("b");
  assertEquals([alike.map((isOver) => isOver()), unlike()], [[false, false], true]);
  await answer(7);
  assertEquals([alike.map((isOver) => isOver()), seconds("a"), asked], [[true, true], 7, ["n/a"]]);
  await lookUp("b");
  assertEquals(asked, ["n/a", "n/b"]);
});

Deno.test("archived baselines: a query that exceeds the timeout blocks no workflow, and no other query starts before it ends", async () => {
  const { lookUp, answer, advance, asked, givenUp, seconds } = madeWorld();
  const first = await lookUp("a");
  await advance(TIMEOUT_MILLIS - 1);
  assertEquals(first(), false);
  await advance(1);
  assertEquals(first(), true);
  await advance(QUIET_MILLIS - 1);
  const others = [await lookUp("a"), await lookUp("b")];
  assertEquals([others.map((isOver) => isOver()), asked], [[true, true], ["n/a"]]);
  await answer(7);
  assertEquals(seconds("a"), 7);
  await advance(1);
  await lookUp("b");
  assertEquals([asked, givenUp], [["n/a", "n/b"], []]);
});

Deno.test("archived baselines: a query that never ends is aborted, and others follow", async () => {
  const { lookUp, answer, advance, asked, givenUp, seconds } = madeWorld();
  await lookUp("a");
  await advance(TIMEOUT_MILLIS);
  await advance(QUIET_MILLIS - 1);
  assertEquals(givenUp, []);
  await advance(1);
  assertEquals(givenUp, ["n/a"]);
  // An aborted query counts as a failure, after which none is made for a while.
  assertEquals([(await lookUp("b"))(), asked], [true, ["n/a"]]);
  await advance(QUIET_MILLIS);
  const next = await lookUp("b");
  assertEquals([next(), asked], [false, ["n/a", "n/b"]]);
  await answer(7);
  assertEquals([next(), seconds("b")], [true, 7]);
});

Deno.test("archived baselines: no query is made for a while after a failed or slow query", async () => {
  const failing: ((world: ReturnType<typeof madeWorld>) => Promise<void>)[] = [
    ({ answer }) => answer(new Error("out of reach")),
    async ({ answer, advance }) => {
      await advance(TIMEOUT_MILLIS);
      await answer(undefined);
    },
  ];
  for (const fail of failing) {
    const world = madeWorld();
    const { lookUp, advance, asked } = world;
    const first = await lookUp("a");
    await fail(world);
    assertEquals(first(), true);
    await advance(QUIET_MILLIS - 1);
    assertEquals([(await lookUp("b"))(), asked], [true, ["n/a"]]);
    await advance(1);
    await lookUp("b");
    assertEquals(asked, ["n/a", "n/b"]);
  }
});

Deno.test("archived baselines: a query is repeated after a while if its result has been forgotten", async () => {
  const { lookUp, answer, advance, asked, baselines, seconds } = madeWorld();
  await lookUp("a");
  await answer(7);
  for (let other = 0; other < 2000; other++) baselines.recordArchived(workflowOf(`other-${other}`), 1);
  assertEquals(seconds("a"), undefined);
  await advance(ANSWERED_MILLIS - 1);
  await lookUp("a");
  assertEquals(asked, ["n/a"]);
  await advance(1);
  await lookUp("a");
  assertEquals(asked, ["n/a", "n/a"]);
});

Deno.test("archived baselines: a limited number of queries is remembered, and the oldest is forgotten first", async () => {
  const { lookUp, answer, asked } = madeWorld();
  for (let template = 0; template <= MAX_ANSWERED_QUERIES; template++) {
    await lookUp(`t-${template}`);
    await answer(undefined);
  }
  await lookUp("t-1");
  assertEquals(asked.length, MAX_ANSWERED_QUERIES + 1);
  await lookUp("t-0");
  assertEquals(asked.length, MAX_ANSWERED_QUERIES + 2);
});

Deno.test("archived baselines: no query is made for a workflow that has started, or if archive or estimates are disabled", async () => {
  const began = madeWorld();
  await began.archived.lookUp(workflowOf("a", { startedAt: "2026-01-01T00:00:00Z" }));
  await began.archived.lookUp({ metadata: { namespace: "n", name: "like-none" } });
  const worlds = [madeWorld({ isArchived: false }), madeWorld({ isEnabled: false })];
  for (const world of worlds) await world.archived.lookUp(workflowOf("a"));
  assertEquals([began, ...worlds].flatMap(({ asked }) => asked), []);
});
