/** An invalid ConfigMap: the controller keeps running, and runs nothing that the ConfigMap might have forbidden. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { readSettings, runProgram } from "../../controller/program.ts";
import { lineLog } from "@tiphys/base/log";
import { startController } from "../../controller/mod.ts";
import { CONFIGMAPS, EVENTS, type KubeObject } from "@tiphys/kube";
import { ControllerWorld, sleepingWorkflow } from "./world.ts";

const CONFIGMAP = "settings";

/** The controller's program with a ConfigMap. */
class Program implements AsyncDisposable {
  readonly #world: ControllerWorld;
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;
  readonly log: string[] = [];
  held: string | undefined;
  isAtWork = false;

  constructor(world: ControllerWorld) {
    this.#world = world;
    this.#running = this.#run();
  }

  async #run(): Promise<void> {
    const options = {
      client: this.#world.client,
      namespace: "argo",
      configmap: CONFIGMAP,
      base: { executorImage: "argoexec:test" },
      log: lineLog({ level: "info", format: "text", write: (line) => this.log.push(line) }),
      onPaused: (reason: string | undefined) => {
        this.held = reason;
      },
    };
    try {
      const config = await readSettings(options, this.#stop.signal);
      const start: typeof startController = async (options, signal) => {
        const controller = await startController(options, signal);
        this.isAtWork = true;
        return controller;
      };
      await runProgram({ ...options, config, identity: () => "only", start }, this.#stop.signal);
    } catch (error) {
      if (!this.#stop.signal.aborted) throw error;
    }
  }

  /** Returns the number of lines of the log that contain a text. */
  logCount(text: string): number {
    return this.log.filter((line) => line.includes(text)).length;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }
}

async function settings(world: ControllerWorld, data: Record<string, string | null>): Promise<void> {
  await world.client.create(CONFIGMAPS, "argo", { metadata: { name: CONFIGMAP }, data });
}

async function changeSettings(world: ControllerWorld, data: Record<string, string | null>): Promise<void> {
  await world.client.patch(CONFIGMAPS, "argo", CONFIGMAP, { data });
}

async function eventsOf(world: ControllerWorld): Promise<string[]> {
  const { items } = await world.client.list<KubeObject>(EVENTS, "argo");
  return items.filter(({ reason }) => reason === "UnreadableSetting").map(({ message }) => String(message));
}

const PLACE = 'workflowRestrictions.templateReferencing: expected one of "", "Strict", "Secure", got "strict" (line 1)';

Deno.test("settings: at the start, an unknown restriction holds all workflows, is reported, and they resume when it is corrected", async () => {
  await using world = new ControllerWorld();
  await settings(world, { workflowRestrictions: "templateReferencing: strict" });
  await using program = new Program(world);
  await world.submit(sleepingWorkflow("one"));
  await world.waitUntil("the workflow waits", () => program.held !== undefined);
  assertEquals([program.held, program.isAtWork], [PLACE, false]);
  await world.waitUntil("the event is recorded", async () => (await eventsOf(world)).length > 0);
  assertStringIncludes((await eventsOf(world))[0] ?? "", `${PLACE}: no workflow is processed until it is fixed`);
  assertEquals(program.logCount("The controller's ConfigMap has problems"), 1);
  await changeSettings(world, { parallelism: "many" });
  await world.waitUntil("the second mistake is logged", () => program.logCount("parallelism: expected number") > 0);
  assertEquals((await world.workflow("one")).status, undefined);
  await changeSettings(world, { workflowRestrictions: null, parallelism: "1" });
  await world.awaitPod("one");
  assertEquals(program.held, undefined);
});

Deno.test("settings: at the start, a harmless mistake is reported and the default is used", async () => {
  await using world = new ControllerWorld();
  await settings(world, { nodeEvents: "enabled: maybe", nodEvents: "{}" });
  await using program = new Program(world);
  await world.submit(sleepingWorkflow("one"));
  await world.awaitPod("one");
  assertEquals(program.logCount("nodeEvents.enabled: expected boolean"), 1);
  assertStringIncludes((await eventsOf(world)).join(), "the default is used");
});

Deno.test("settings: a change to an unknown restriction stops all work, which resumes when it is corrected", async () => {
  await using world = new ControllerWorld();
  await settings(world, {});
  await using program = new Program(world);
  await world.submit(sleepingWorkflow("one"));
  const pod = await world.startPod("one");
  await changeSettings(world, { workflowRestrictions: "templateReferencing: strict" });
  await world.waitUntil("the change is applied", () => program.logCount("Configuration updated") > 0);
  assertEquals(program.held, PLACE);
  await world.submit(sleepingWorkflow("two"));
  await world.report(pod, true);
  await world.endPod("one");
  await changeSettings(world, { nodeEvents: "enabled: false" });
  await world.waitUntil("the other key is applied", () => program.logCount("Configuration updated") > 1);
  assertEquals((await world.workflow("two")).status, undefined);
  await changeSettings(world, { workflowRestrictions: null });
  await world.awaitPod("two");
  assertEquals((await world.awaitEnd("one")).status?.phase, "Succeeded");
  assertEquals(program.held, undefined);
});

Deno.test("settings: a change to a limit that cannot be parsed keeps the previous limit", async () => {
  await using world = new ControllerWorld();
  await settings(world, { parallelism: "1" });
  await using program = new Program(world);
  await world.submit(sleepingWorkflow("one"));
  await world.awaitPod("one");
  await changeSettings(world, { parallelism: "a few" });
  await world.waitUntil("the mistake is logged", () => program.logCount("Configuration updated") > 0);
  await world.submit(sleepingWorkflow("two"));
  const postponed = /postponed/;
  await world.waitUntil(
    "the workflow waits",
    async () => postponed.test((await world.workflow("two")).status?.message ?? ""),
  );
  await changeSettings(world, { parallelism: "2" });
  await world.awaitPod("two");
});
