/** Cron workflows under the real controller, over the embedded API. The tests move the clock instead of waiting. */
import { assertEquals } from "@std/assert";
import type { ControllerOptions } from "../../controller/mod.ts";
import type { CronWorkflow, Workflow } from "@tiphys/model/api";
import { fakeClock } from "../../lib/base/clock/testing/fake_clock.ts";
import { API_VERSION } from "@tiphys/base/constants";
import { CRON_WORKFLOWS, type KubeObject, WORKFLOW_TEMPLATES, WORKFLOWS } from "@tiphys/kube";
import { parseYaml } from "@tiphys/model/yaml";
import { asIs, showingAsIs } from "./as_is.ts";
import { ControllerWorld, type Interceptor, type SentRequest } from "./world.ts";

const NAMESPACE = "default";
const MINUTE = 60_000;
/** The offset in the minute to which a wait moves the clock, in milliseconds. */
const REST_END = 15_000;
const USED = "cronworkflows.argoproj.io/last-used-schedule";

/** A world whose clock is stopped at the start of a minute until a test moves it. */
class CronWorld extends ControllerWorld {
  readonly clock = fakeClock();
  readonly options: Partial<ControllerOptions>;

  constructor(options: Partial<ControllerOptions> = {}) {
    super();
    this.options = { clock: this.clock, timezone: "UTC", ...options };
    const late = this.clock.now() % MINUTE;
    this.clock.advance(MINUTE - late + 5000);
  }

  async start(options: Partial<ControllerOptions> = {}): Promise<void> {
    await this.startController({ ...this.options, ...options });
  }

  /**
   * Waits for a fact. Fires timers of the next seconds, but none of the next slot: a workflow backs off after a pass
   * that took long on this machine.
   */
  override async waitUntil(fact: string, holds: () => Promise<boolean> | boolean): Promise<void> {
    await super.waitUntil(fact, () => {
      this.clock.skip(REST_END - this.clock.now() % MINUTE);
      return holds();
    });
  }

  /** The slot of this minute, or one that is this number of minutes later. */
  slotAfter(minutes = 0): number {
    return this.clock.now() - this.clock.now() % MINUTE + minutes * MINUTE;
  }

  childName(slot: number, cron = "c"): string {
    return `${cron}-${slot / 1000}`;
  }

  /** Moves the clock to five seconds after the next slot and returns that slot. */
  advanceToNextSlot(): number {
    const slot = this.slotAfter(1);
    this.clock.advance(slot + 5000 - this.clock.now());
    return slot;
  }

  async schedule(spec: string, name = "c"): Promise<void> {
    const [usual, more] = [
      `
schedules: ["* * * * *"]
workflowSpec:
  entrypoint: main
  templates: [{name: main, suspend: {}}]
`,
      spec || "{}",
    ].map((text) => parseYaml(text)[0]?.value as object);
    await this.client.create(CRON_WORKFLOWS, NAMESPACE, {
      apiVersion: API_VERSION,
      kind: "CronWorkflow",
      metadata: { name, labels: { "workflows.argoproj.io/creator": "me", other: "label" } },
      spec: { ...usual, ...more },
    });
  }

  async cron(name = "c"): Promise<CronWorkflow> {
    return await this.client.get<CronWorkflow>(CRON_WORKFLOWS, NAMESPACE, name);
  }

  /** Waits until the controller has seen the cron workflow and waits for its next slot. */
  async awaitWatched(name = "c"): Promise<void> {
    await this.waitUntil("the schedule is watched", async () => {
      return (await this.cron(name)).metadata.annotations?.[USED] !== undefined;
    });
  }

  async children(): Promise<string[]> {
    const { items } = await this.client.list<KubeObject>(WORKFLOWS, NAMESPACE);
    return items.map(({ metadata }) => metadata.name!).sort();
  }

  /** Waits until the workflow of a slot is created and recorded in the status. */
  async awaitChild(slot: number, name = "c"): Promise<Workflow> {
    const child = this.childName(slot, name);
    await this.waitUntil(`${child} is made`, async () => (await this.children()).includes(child));
    await this.waitUntil(`${child} is active`, async () => {
      return (await this.cron(name)).status?.active?.some((active) => active.name === child) ?? false;
    });
    return await this.workflow(child);
  }

  async condition(type: string, name = "c"): Promise<string | undefined> {
    return (await this.cron(name)).status?.conditions?.find((condition) => condition.type === type)?.message;
  }

  async edit(spec: object, name = "c"): Promise<void> {
    await this.client.patch(CRON_WORKFLOWS, NAMESPACE, name, { spec });
  }

  /** Terminates a workflow and waits for its end. */
  async stop(name: string): Promise<void> {
    await this.client.patch(WORKFLOWS, NAMESPACE, name, { spec: { shutdown: "Terminate" } });
    await this.awaitEnd(name);
  }
}

Deno.test("cron: each slot creates one workflow with Argo's name, labels and owner", async () => {
  await using world = new CronWorld({ instanceId: undefined });
  await world.start();
  await world.schedule(`
workflowMetadata: {labels: {a: b}, annotations: {c: d}}
timezone: America/New_York`);
  await world.awaitWatched();
  const first = world.advanceToNextSlot();
  const { metadata } = await world.awaitChild(first);
  const cron = await world.cron();
  assertEquals(metadata.labels?.["workflows.argoproj.io/cron-workflow"], "c");
  assertEquals([metadata.labels?.a, metadata.labels?.["workflows.argoproj.io/creator"]], ["b", "me"]);
  assertEquals(metadata.labels?.other, undefined);
  assertEquals(metadata.annotations?.c, "d");
  const time = `${new Date(first).toISOString().slice(0, 19)}Z`;
  assertEquals(metadata.annotations?.["workflows.argoproj.io/scheduled-time"], time);
  assertEquals(metadata.ownerReferences, [{
    apiVersion: API_VERSION,
    kind: "CronWorkflow",
    name: "c",
    uid: cron.metadata.uid!,
    controller: true,
    blockOwnerDeletion: true,
  }]);
  assertEquals(cron.metadata.annotations?.[USED], "CRON_TZ=America/New_York * * * * *");
  const { active = [], lastScheduledTime, phase } = cron.status!;
  assertEquals([lastScheduledTime, phase], [time, "Active"]);
  assertEquals(active.map(({ kind, name, uid }) => [kind, name, uid]), [["Workflow", metadata.name, metadata.uid]]);

  const second = world.advanceToNextSlot();
  await world.awaitChild(second);
  assertEquals(await world.children(), [world.childName(first), world.childName(second)]);
});

Deno.test("cron: a workflow that ends leaves `active` and is counted once, even when it is deleted at once", async () => {
  await using world = new CronWorld();
  await world.start();
  await world.schedule(`
workflowSpec:
  entrypoint: main
  ttlStrategy: {secondsAfterCompletion: 0}
  templates: [{name: main, steps: []}]`);
  await world.awaitWatched();
  for (const count of [1, 2, 3]) {
    world.advanceToNextSlot();
    await world.waitUntil(`${count} have succeeded`, async () => (await world.cron()).status?.succeeded === count);
  }
  await world.waitUntil("all are gone", async () => (await world.children()).length === 0);
  await world.waitUntil("none is active", async () => (await world.cron()).status?.active === undefined);
  assertEquals((await world.cron()).status?.succeeded, 3);
});

Deno.test("cron: Replace stops the previous workflow, Forbid waits until it has finished", async () => {
  await using world = new CronWorld();
  await world.start();
  await world.schedule("concurrencyPolicy: Replace", "r");
  await world.schedule("concurrencyPolicy: Forbid", "f");
  await world.awaitWatched("r");
  await world.awaitWatched("f");
  const first = world.advanceToNextSlot();
  await world.awaitChild(first, "r");
  await world.awaitChild(first, "f");
  const second = world.advanceToNextSlot();
  await world.awaitChild(second, "r");
  await world.waitUntil("the first is being terminated", async () => {
    return (await world.workflow(world.childName(first, "r"))).spec.shutdown === "Terminate";
  });
  const replaced = await world.awaitEnd(world.childName(first, "r"));
  assertEquals(replaced.status?.message, "Stopped with strategy 'Terminate'");
  await world.stop(world.childName(first, "f"));
  await world.waitUntil("it is counted", async () => (await world.cron("f")).status?.failed === 1);
  const third = world.advanceToNextSlot();
  await world.awaitChild(third, "f");
  assertEquals((await world.children()).filter((name) => name.startsWith("f-")), [
    world.childName(first, "f"),
    world.childName(third, "f"),
  ]);
});

Deno.test("cron: the latest run missed while no controller ran is started, within the deadline", async () => {
  await using world = new CronWorld();
  await world.start();
  const crons = {
    late: "startingDeadlineSeconds: 200",
    soon: "startingDeadlineSeconds: 3",
    none: "",
    edited: "startingDeadlineSeconds: 200",
  };
  for (const [name, spec] of Object.entries(crons)) {
    await world.schedule(spec, name);
    await world.awaitWatched(name);
  }
  const first = world.advanceToNextSlot();
  for (const name of Object.keys(crons)) await world.awaitChild(first, name);
  await world.stopController();
  await world.edit({ schedules: ["*/1 * * * *"] }, "edited");
  const latest = [world.advanceToNextSlot(), world.advanceToNextSlot(), world.advanceToNextSlot()].at(-1)!;
  await world.start();
  await world.awaitChild(latest, "late");
  const next = world.advanceToNextSlot();
  for (const name of Object.keys(crons)) await world.awaitChild(next, name);
  const slotsOf = async (cron: string) => (await world.children()).filter((name) => name.startsWith(`${cron}-`));
  assertEquals((await slotsOf("late")).length, 3);
  for (const name of ["soon", "none", "edited"]) assertEquals((await slotsOf(name)).length, 2, name);
});

Deno.test("cron: an invalid edit stops the schedule with a condition; it resumes when the edit is corrected", async () => {
  await using world = new CronWorld();
  await world.start();
  await world.schedule("");
  await world.awaitWatched();
  await world.awaitChild(world.advanceToNextSlot());
  for (
    const [spec, message] of [
      [{ schedules: ["* * * * *", "61 * * * *"] }, "cron schedule 61 * * * * is malformed"],
      [{ schedules: ["* * * * *"], timezone: "Nowhere/Else" }, `invalid timezone "Nowhere/Else": unknown time zone`],
      [{ timezone: "", workflowSpec: { entrypoint: "none" } }, "cannot validate Workflow: "],
    ] as const
  ) {
    await world.edit(spec);
    await world.waitUntil(message, async () => (await world.condition("SpecError"))?.startsWith(message) ?? false);
  }
  const missed = world.advanceToNextSlot();
  await world.edit({ workflowSpec: { entrypoint: "main" } });
  await world.waitUntil("the condition is removed", async () => {
    world.clock.advance(100);
    return await world.condition("SpecError") === undefined;
  });
  const slot = world.advanceToNextSlot();
  await world.awaitChild(slot);
  assertEquals((await world.children()).includes(world.childName(missed)), false);
});

Deno.test("cron: a malformed object gets a condition and an event, and is scheduled once it is corrected", async () => {
  await using world = new CronWorld();
  world.between = showingAsIs;
  await world.start();
  await world.schedule("");
  await world.awaitWatched();
  const { spec } = await world.cron();
  for (
    const [change, message] of [
      [{ concurrencyPolicy: "Never" }, "'Never' is not a valid concurrencyPolicy"],
      [{ workflowSpec: { templates: 7 } }, "malformed cron workflow: spec.workflowSpec.templates"],
      [{ schedules: "* * * * *" }, "malformed cron workflow: spec.schedules"],
    ] as const
  ) {
    const { metadata: { annotations } } = asIs<Pick<KubeObject, "metadata">>({ metadata: {} }, {
      spec: { ...spec, ...change },
    });
    await world.client.patch(CRON_WORKFLOWS, NAMESPACE, "c", { metadata: { annotations } });
    await world.waitUntil(message, async () => {
      world.clock.advance(100);
      return (await world.condition("SpecError"))?.startsWith(message) ?? false;
    });
  }
  await world.waitUntil("the event is recorded", async () => (await world.events("Malformed")).length > 0);
  assertEquals(await world.children(), []);
  await world.client.patch(CRON_WORKFLOWS, NAMESPACE, "c", { metadata: { annotations: { "tests/as-is": null } } });
  await world.waitUntil("the condition is removed", async () => {
    world.clock.advance(500);
    return await world.condition("SpecError") === undefined;
  });
  await world.awaitChild(world.advanceToNextSlot());
});

Deno.test("cron: a missing template is reported at once, and the condition is removed when it exists", async () => {
  await using world = new CronWorld();
  await world.start();
  await world.schedule("workflowSpec: {workflowTemplateRef: {name: later}}");
  await world.waitUntil(
    "the condition is set",
    async () => (await world.condition("SpecError"))?.includes("later") ?? false,
  );
  await world.client.create(WORKFLOW_TEMPLATES, NAMESPACE, {
    apiVersion: API_VERSION,
    kind: "WorkflowTemplate",
    metadata: { name: "later" },
    spec: { entrypoint: "main", templates: [{ name: "main", suspend: {} }] },
  });
  await world.waitUntil("the condition is removed", async () => await world.condition("SpecError") === undefined);
  await world.awaitWatched();
  await world.awaitChild(world.advanceToNextSlot());
});

Deno.test("cron: tags may name labels that the controller's defaults add, as soon as they do", async () => {
  await using world = new CronWorld();
  const controller = await world.startController(world.options);
  await world.schedule(`
workflowSpec:
  entrypoint: main
  templates: [{name: main, container: {image: i, command: [c], args: ["{{workflow.labels.team}} {{workflow.annotations.a}}"]}}]`);
  await world.waitUntil(
    "the condition is set",
    async () => (await world.condition("SpecError"))?.includes("labels.team") ?? false,
  );
  world.configure({
    workflowDefaults: {
      metadata: { annotations: { a: "b" } },
      spec: { workflowMetadata: { labelsFrom: { team: { expression: "'red'" } } } },
    },
  });
  controller.settingsChanged();
  await world.waitUntil("the condition is removed", async () => await world.condition("SpecError") === undefined);
  await world.awaitWatched();
  await world.awaitChild(world.advanceToNextSlot());
});

const isCreation = ({ method, path }: SentRequest) => method === "POST" && /\/workflows(\?|$)/.test(path);

function forbiddenResponse(): Promise<Response> {
  const message = 'workflows.argoproj.io is forbidden: User "tiphys" cannot create resource "workflows"';
  const status = { kind: "Status", status: "Failure", reason: "Forbidden", code: 403, message };
  return Promise.resolve(Response.json(status, { status: 403 }));
}

Deno.test("cron: a workflow that may not be created fails its slot without a storm of retries, and the next slot tries again", async () => {
  await using world = new CronWorld();
  let asked = 0;
  let isForbidden = true;
  world.between = (sent, next) => {
    if (!isCreation(sent)) return next();
    asked++;
    return isForbidden ? forbiddenResponse() : next();
  };
  await world.start();
  await world.schedule("startingDeadlineSeconds: 300");
  await world.awaitWatched();
  world.advanceToNextSlot();
  await world.waitUntil("the failure is counted", async () => (await world.cron()).status?.failed === 1);
  assertEquals((await world.condition("SubmissionError"))?.startsWith("Failed to submit Workflow: "), true);
  world.clock.advance(40_000);
  await world.edit({ suspend: false });
  assertEquals(asked, 1);
  isForbidden = false;
  await world.awaitChild(world.advanceToNextSlot());
  assertEquals([await world.condition("SubmissionError"), asked], [undefined, 2]);
  assertEquals((await world.cron()).status?.failed, 1);
});

Deno.test("cron: transient errors are retried within the slot and are not counted as failures", async () => {
  await using world = new CronWorld();
  let refusals = 2;
  world.between = (sent, next) => {
    if (isCreation(sent) && refusals-- > 0) return Promise.resolve(new Response("", { status: 503 }));
    return next();
  };
  await world.start();
  await world.schedule("");
  await world.awaitWatched();
  const slot = world.advanceToNextSlot();
  await world.waitUntil("the condition is set", async () => await world.condition("SubmissionError") !== undefined);
  await world.waitUntil("the workflow is created nevertheless", async () => (await world.children()).length === 1);
  await world.awaitChild(slot);
  assertEquals([(await world.cron()).status?.failed, await world.condition("SubmissionError")], [0, undefined]);
});

Deno.test("cron: a crash at any request neither duplicates nor loses a workflow", async () => {
  for (let crashAt = 1; crashAt <= 4; crashAt++) {
    for (const isDone of [false, true]) {
      await using world = new CronWorld();
      await world.start();
      await world.schedule("startingDeadlineSeconds: 50");
      await world.awaitWatched();
      await world.awaitChild(world.advanceToNextSlot());
      let requests = 0;
      const crash: Interceptor = async (sent, next) => {
        if (sent.method === "GET" || !/cronworkflows|\/workflows(\?|$)/.test(sent.path)) return await next();
        requests++;
        if (requests < crashAt) return await next();
        // The request is applied or not; its response is lost, and later requests fail.
        if (requests === crashAt && isDone) await next();
        return new Response("", { status: 503 });
      };
      world.between = crash;
      const slot = world.advanceToNextSlot();
      await world.waitUntil("a request was sent", () => requests > 0);
      await world.stopController();
      world.between = (_sent, next) => next();
      await world.start();
      await world.awaitChild(slot);
      assertEquals(
        await world.children(),
        [world.childName(slot - MINUTE), world.childName(slot)],
        `${crashAt} ${isDone}`,
      );
      const { active = [], lastScheduledTime, failed } = (await world.cron()).status!;
      assertEquals([active.length, Date.parse(lastScheduledTime!), failed], [2, slot, 0]);
    }
  }
});

Deno.test("cron: two concurrent controllers create one workflow for each slot", async () => {
  await using world = new CronWorld();
  await using second = new ControllerWorld(world.api);
  await world.start();
  const other = await second.startController({ ...world.options });
  await world.schedule("");
  await world.awaitWatched();
  const slots: number[] = [];
  for (let times = 0; times < 3; times++) {
    slots.push(world.advanceToNextSlot());
    await world.awaitChild(slots.at(-1)!);
  }
  assertEquals(await world.children(), slots.map((slot) => world.childName(slot)));
  await world.waitUntil("all are listed once", async () => {
    const { active = [] } = (await world.cron()).status ?? {};
    return active.length === 3 && new Set(active.map(({ uid }) => uid)).size === 3;
  });
  await other.close();
});

Deno.test("cron: an unrelated workflow with the slot's name is counted as a failure and left unchanged", async () => {
  await using world = new CronWorld();
  await world.start();
  await world.schedule("");
  await world.awaitWatched();
  const slot = world.slotAfter(1);
  await world.submit(
    `{metadata: {name: ${world.childName(slot)}}, spec: {entrypoint: main, templates: [{name: main, suspend: {}}]}}`,
  );
  world.advanceToNextSlot();
  await world.waitUntil("the failure is counted", async () => (await world.cron()).status?.failed === 1);
  assertEquals((await world.condition("SubmissionError"))?.includes("already exists"), true);
  assertEquals((await world.cron()).status?.active, undefined);
});

/** The log lines of the controller about skipped slots. */
function skippedSlotLines(world: CronWorld): string[] {
  return world.logLines.filter((line) => line.includes("A slot was skipped"));
}

Deno.test("cron: workflows submitted manually from a cron workflow are counted, count for Forbid, and old ones are deleted", async () => {
  await using world = new CronWorld();
  await world.start();
  await world.schedule("{concurrencyPolicy: Forbid, failedJobsHistoryLimit: 1}");
  await world.awaitWatched();
  const { uid } = (await world.cron()).metadata;
  const owner = `{apiVersion: ${API_VERSION}, kind: CronWorkflow, name: c, uid: ${uid}, controller: true}`;
  for (const [index, name] of ["by-hand-1", "by-hand-2"].entries()) {
    await world.submit(`
metadata: {name: ${name}, ownerReferences: [${owner}]}
spec: {entrypoint: main, templates: [{name: main, suspend: {}}]}`);
    await world.waitUntil("it is listed", async () => (await world.cron()).status?.active?.[0]?.name === name);
    world.advanceToNextSlot();
    await world.waitUntil("the slot is skipped", () => skippedSlotLines(world).length === index + 1);
    await world.stop(name);
    await world.waitUntil("it is not listed", async () => (await world.cron()).status?.active === undefined);
  }
  await world.waitUntil("the older is gone", async () => (await world.children()).length === 1);
  assertEquals([await world.children(), (await world.cron()).status?.failed], [["by-hand-2"], 2]);
});

Deno.test("cron: a controller that may not read cron workflows runs workflows nevertheless", async () => {
  await using world = new CronWorld();
  world.between = (sent, next) => sent.path.includes("cronworkflows") ? forbiddenResponse() : next();
  await world.start();
  await world.submit("{metadata: {name: w}, spec: {entrypoint: main, templates: [{name: main, suspend: {}}]}}");
  await world.waitUntil("the workflow runs", async () => (await world.workflow("w")).status?.phase === "Running");
});
