import { assert, assertEquals } from "@std/assert";
import type { NodeResult } from "@tiphys/model/api";
import { fakeClock } from "../../lib/base/clock/testing/fake_clock.ts";
import { pause } from "@tiphys/base/clock";
import { LIMITS } from "@tiphys/base/limits";
import { Reporter } from "./reporter.ts";
import { Tasks, type TasksOptions } from "./tasks.ts";

const NO_PHASES = new Map<string, string | undefined>();
const post = { name: "tell", http: { url: "http://example.com", method: "POST" } };

/** An agent whose requests are handled by `http`, and the results that it wrote. */
function agent(http: TasksOptions["http"], writeResult?: TasksOptions["writeResult"]) {
  const told: [string, NodeResult][] = [];
  const tasks = new Tasks({
    clock: fakeClock(),
    workers: 16,
    http,
    plugin: () => Promise.reject(new Error("unexpected call of a plugin")),
    writeResult: writeResult ?? ((id, result) => {
      told.push([id, result]);
      return Promise.resolve(true);
    }),
    redact: (text) => text,
  });
  return { tasks, told };
}

Deno.test("agent: 16 workers finish 200 one-second requests within 15 s and report them in at most 30 writes (T-AG-9)", async () => {
  const clock = fakeClock();
  const results = new Map<string, NodeResult>();
  const done = Promise.withResolvers<void>();
  let writes = 0;
  let max = 0;
  let atOnce = 0;
  const reporter = new Reporter({
    clock,
    gatherMillis: 250,
    log: () => {},
    write(nodes) {
      writes++;
      for (const [id, result] of Object.entries(nodes)) results.set(id, result);
      if (results.size === 200) done.resolve();
      return Promise.resolve();
    },
  });
  const tasks = new Tasks({
    clock,
    workers: 16,
    async http() {
      max = Math.max(max, ++atOnce);
      await pause(clock, 1000);
      atOnce--;
      return { phase: "Succeeded" };
    },
    plugin: () => Promise.reject(new Error("unexpected call of a plugin")),
    writeResult: (id, result) => reporter.queue(id, result),
    redact: (text) => text,
  });
  const ids = Array.from({ length: 200 }, (_, index) => `node-${index}`);
  tasks.updateTasks({
    tasks: Object.fromEntries(ids.map((id) => [id, { name: "get", http: { url: "http://example.com" } }])),
    phases: NO_PHASES,
  });
  await clock.runUntil(done.promise);
  assertEquals(max, 16);
  assert(clock.elapsed <= 15_000, `it took ${clock.elapsed} ms`);
  assert(writes <= 30, `${writes} writes`);
});

Deno.test("agent: an unsafe request is sent only after its Running phase was written", async () => {
  let sent = 0;
  const refused = agent(() => {
    sent++;
    return Promise.resolve({ phase: "Succeeded" });
  }, () => Promise.resolve(false));
  refused.tasks.updateTasks({ tasks: { one: post }, phases: NO_PHASES });
  await refused.tasks.close(1000);
  assertEquals(sent, 0);
});

const RESTARTED = new Map([["one", "Running"]]);

Deno.test("agent: after a restart, an unsafe request that may have been in flight is not sent again (T-AG-10)", async () => {
  const first = agent(() => new Promise(() => {}));
  first.tasks.updateTasks({ tasks: { one: post }, phases: NO_PHASES });
  await Promise.resolve();
  assertEquals(first.told, [["one", { phase: "Running" }]]);
  const second = agent(() => Promise.reject(new Error("it was sent again")));
  second.tasks.updateTasks({ tasks: { one: post }, phases: RESTARTED });
  await second.tasks.close(1000);
  assertEquals(second.told, [["one", { phase: "Failed", message: "agent restarted while the request was in flight" }]]);
});

for (
  const [what, task] of Object.entries({
    "that changes nothing": { ...post, http: { url: "http://example.com" } },
    "of a template with a retryStrategy": { ...post, retryStrategy: { limit: 2 } },
  })
) {
  Deno.test(`agent: after a restart, a request ${what} is sent again`, async () => {
    let sent = 0;
    const { tasks, told } = agent(() => {
      sent++;
      return Promise.resolve({ phase: "Succeeded" });
    });
    tasks.updateTasks({ tasks: { one: task }, phases: RESTARTED });
    await tasks.close(1000);
    assertEquals([sent, told.at(-1)], [1, ["one", { phase: "Succeeded" }]]);
  });
}

Deno.test("agent: on shutdown, running tasks may finish, no task starts, and slow ones are canceled (AG-23)", async () => {
  const clock = fakeClock();
  const begun: string[] = [];
  const told: [string, NodeResult][] = [];
  const tasks = new Tasks({
    clock,
    workers: 2,
    async http({ name = "" }, stop) {
      begun.push(name);
      await pause(clock, name === "short" ? 1000 : 3_600_000, stop);
      return { phase: "Succeeded" };
    },
    plugin: () => Promise.reject(new Error("unexpected call of a plugin")),
    writeResult: (id, result) => Promise.resolve(told.push([id, result]) > 0),
    redact: (text) => text,
  });
  const names = ["short", "long", "late"];
  tasks.updateTasks({
    tasks: Object.fromEntries(names.map((name) => [name, { name, http: { url: "http://example.com" } }])),
    phases: NO_PHASES,
  });
  await clock.runUntil(tasks.close(20_000));
  assertEquals([begun, told, clock.elapsed], [["short", "long"], [["short", { phase: "Succeeded" }]], 20_000]);
});

Deno.test("agent: long messages are truncated, so that one task cannot fill the task set of all", async () => {
  const long = "x".repeat(500_000);
  for (
    const http of [
      () => Promise.resolve({ phase: "Failed", message: long } as const),
      () => Promise.reject(new Error(long)),
    ]
  ) {
    const { tasks, told } = agent(http);
    tasks.updateTasks({ tasks: { a: { ...post, http: { url: "http://example.com" } } }, phases: NO_PHASES });
    await tasks.close(1000);
    assertEquals(told.map(([, { message = "" }]) => message.length), [LIMITS.message + 1]);
  }
});
