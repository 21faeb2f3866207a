import { assert, assertEquals } from "@std/assert";
import type { NodeResult } from "../../lib/api/mod.ts";
import { fakeClock } from "../../lib/clock/testing/fake_clock.ts";
import { pause } from "../../lib/clock/mod.ts";
import { Reporter } from "./reporter.ts";
import { Tasks, type TasksOptions } from "./tasks.ts";

const NO_PHASES = new Map<string, string | undefined>();
const post = { name: "tell", http: { url: "http://example.com", method: "POST" } };

/** The tasks of an agent whose requests are answered by `http`, and what it tells. */
function agent(http: TasksOptions["http"], tell?: TasksOptions["tell"]) {
  const told: [string, NodeResult][] = [];
  const tasks = new Tasks({
    clock: fakeClock(),
    workers: 16,
    http,
    plugin: () => Promise.reject(new Error("no plugin is asked")),
    tell: tell ?? ((id, result) => {
      told.push([id, result]);
      return Promise.resolve(true);
    }),
    redact: (text) => text,
  });
  return { tasks, told };
}

Deno.test("200 requests of a second each are done by 16 workers within 15 s and told in 30 writes at most (T-AG-9)", async () => {
  const clock = fakeClock();
  const results = new Map<string, NodeResult>();
  const done = Promise.withResolvers<void>();
  let writes = 0;
  let most = 0;
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
      most = Math.max(most, ++atOnce);
      await pause(clock, 1000);
      atOnce--;
      return { phase: "Succeeded" };
    },
    plugin: () => Promise.reject(new Error("no plugin is asked")),
    tell: (id, result) => reporter.tell(id, result),
    redact: (text) => text,
  });
  const ids = Array.from({ length: 200 }, (_, index) => `node-${index}`);
  tasks.see({
    tasks: Object.fromEntries(ids.map((id) => [id, { name: "get", http: { url: "http://example.com" } }])),
    phases: NO_PHASES,
  });
  await clock.runUntil(done.promise);
  assertEquals(most, 16);
  assert(clock.elapsed <= 15_000, `it took ${clock.elapsed} ms`);
  assert(writes <= 30, `${writes} writes`);
});

Deno.test("A request that changes something is announced before it is sent, and not sent when that cannot be told", async () => {
  let sent = 0;
  const refused = agent(() => {
    sent++;
    return Promise.resolve({ phase: "Succeeded" });
  }, () => Promise.resolve(false));
  refused.tasks.see({ tasks: { one: post }, phases: NO_PHASES });
  await refused.tasks.close(1000);
  assertEquals(sent, 0);
});

const RESTARTED = new Map([["one", "Running"]]);

Deno.test("An agent that was killed while a request may have been under way does not send it again (T-AG-10)", async () => {
  const first = agent(() => new Promise(() => {}));
  first.tasks.see({ tasks: { one: post }, phases: NO_PHASES });
  await Promise.resolve();
  assertEquals(first.told, [["one", { phase: "Running" }]]);
  const second = agent(() => Promise.reject(new Error("it was sent again")));
  second.tasks.see({ tasks: { one: post }, phases: RESTARTED });
  await second.tasks.close(1000);
  assertEquals(second.told, [["one", { phase: "Failed", message: "agent restarted while the request was in flight" }]]);
});

for (
  const [what, task] of Object.entries({
    "that changes nothing": { ...post, http: { url: "http://example.com" } },
    "of a template with a retryStrategy": { ...post, retryStrategy: { limit: 2 } },
  })
) {
  Deno.test(`A request ${what} is sent again by an agent that was restarted`, async () => {
    let sent = 0;
    const { tasks, told } = agent(() => {
      sent++;
      return Promise.resolve({ phase: "Succeeded" });
    });
    tasks.see({ tasks: { one: task }, phases: RESTARTED });
    await tasks.close(1000);
    assertEquals([sent, told.at(-1)], [1, ["one", { phase: "Succeeded" }]]);
  });
}

Deno.test("An agent that is to end finishes what it began and begins nothing more; what takes longer than it may is given up (AG-23)", async () => {
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
    plugin: () => Promise.reject(new Error("no plugin is asked")),
    tell: (id, result) => Promise.resolve(told.push([id, result]) > 0),
    redact: (text) => text,
  });
  const names = ["short", "long", "late"];
  tasks.see({
    tasks: Object.fromEntries(names.map((name) => [name, { name, http: { url: "http://example.com" } }])),
    phases: NO_PHASES,
  });
  await clock.runUntil(tasks.close(20_000));
  assertEquals([begun, told, clock.elapsed], [["short", "long"], [["short", { phase: "Succeeded" }]], 20_000]);
});
