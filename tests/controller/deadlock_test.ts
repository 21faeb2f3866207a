/** Deadlocks of locks between workflows, by the real controller over the embedded API. */
import { assert, assertEquals } from "@std/assert";
import type { Workflow } from "@tiphys/model/api";
import { DEADLOCK, LABEL } from "@tiphys/base/constants";
import type { Controller } from "../../controller/mod.ts";
import { ClusterService } from "@tiphys/service";
import { explain, type Reason } from "@tiphys/engine/explain";
import { PODS, WORKFLOWS } from "@tiphys/kube";
import { lockingWorkflow } from "./lock_taker.ts";
import { ControllerWorld, type SentRequest } from "./world.ts";

/** A controller with three workflows in a deadlock: each holds the lock that the previous one waits for. */
class DeadlockRing implements AsyncDisposable {
  static readonly names = ["w1", "w2", "w3"];
  readonly world = new ControllerWorld();
  /** The number of passes that the controller made over these workflows, and of writes to them. */
  passes = 0;
  writes = 0;

  async begin(): Promise<Controller> {
    const { world } = this;
    world.between = ({ method, path }: SentRequest, next) => {
      if (method === "PATCH" && /\/workflows\/w[123]$/.test(path)) this.writes++;
      return next();
    };
    const controller = await this.startController();
    for (const [at, name] of DeadlockRing.names.entries()) {
      await world.submit(lockingWorkflow(name, `{name: m${at}}`, `{name: m${(at + 1) % 3}}`));
      const holds = async () => (await world.workflow(name)).status?.synchronization?.mutex?.holding !== undefined;
      await world.waitUntil(`${name} holds m${at}`, holds);
    }
    for (const name of DeadlockRing.names) {
      await world.client.patch(WORKFLOWS, "default", name, { spec: { suspend: null } });
    }
    return controller;
  }

  async startController(): Promise<Controller> {
    return await this.world.startController({
      onWork: ({ name, workflow }) => {
        const { metadata } = workflow as Workflow;
        if (name === "reconcile_workflow" && DeadlockRing.names.includes(metadata.name ?? "")) this.passes++;
      },
    });
  }

  async messageOf(name: string): Promise<string | undefined> {
    const { status } = await this.world.workflow(name);
    return Object.values(status?.nodes ?? {}).find((node) => node.displayName === "take")?.message;
  }

  /** The description of the deadlock, starting with one of the workflows. */
  descriptionFrom(first: number): string {
    return [first, first + 1, first + 2].map((at) => {
      const w = `w${at % 3 + 1}`;
      return `workflow ${w} holds default/Mutex/m${at % 3}, and ${w}[0].take in it waits for default/Mutex/m${
        (at + 1) % 3
      }`;
    }).join("; ");
  }

  /** Resolves when all three messages describe the deadlock, each starting with the workflow that it waits for. */
  async awaitDeadlockMessages(): Promise<void> {
    await this.world.waitUntil("all three messages describe the deadlock", async () => {
      const messages = await Promise.all(DeadlockRing.names.map((name) => this.messageOf(name)));
      return messages.every((message, index) => {
        const lock = `default/Mutex/m${(index + 1) % 3}`;
        return message === `Waiting for ${lock} lock. Lock status: 0/1${DEADLOCK}${this.descriptionFrom(index + 1)}`;
      });
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.world[Symbol.asyncDispose]();
  }
}

Deno.test("deadlock: three workflows report it until one of them is stopped, also under a new controller", async () => {
  await using ring = new DeadlockRing();
  const { world } = ring;
  await ring.begin();
  await ring.awaitDeadlockMessages();
  const [reason] = explain(await world.workflow("w1"), {}, new Date());
  assertEquals([reason?.code, reason?.text], [
    "Deadlock",
    `waits for default/Mutex/m1 in a deadlock: ${ring.descriptionFrom(1)}`,
  ]);
  await world.stopController();
  await ring.startController();
  await ring.awaitDeadlockMessages();
  await world.client.patch(WORKFLOWS, "default", "w2", { spec: { shutdown: "Terminate" } });
  assertEquals((await world.awaitEnd("w2")).status?.phase, "Failed");
  await world.waitUntil("w1 resumes with the lock of w2", async () => {
    const labelSelector = `${LABEL.workflow}=w1`;
    return (await world.client.list(PODS, "default", { labelSelector })).items.length === 1;
  });
  const waits = "Waiting for default/Mutex/m0 lock. Lock status: 0/1";
  await world.waitUntil("w3 no longer reports the deadlock", async () => await ring.messageOf("w3") === waits);
});

Deno.test("deadlock: the reasons of a workflow that is queued behind one describe it", async () => {
  await using ring = new DeadlockRing();
  const { world } = ring;
  const controller = await ring.begin();
  await ring.awaitDeadlockMessages();
  await world.submit(lockingWorkflow("behind", "{name: m1}", "{name: other}"));
  const message = "Waiting for default/Mutex/m1 lock. Lock status: 0/1";
  await world.waitUntil("the workflow waits", async () => (await world.workflow("behind")).status?.message === message);
  const deadlockTexts = (reasons: readonly Reason[] = []) =>
    reasons.flatMap(({ code, text }) => code === "Deadlock" ? [text] : []);
  const text = "waits for default/Mutex/m1 in a deadlock: ";
  assertEquals(deadlockTexts(await controller.why("default/behind")), [text + ring.descriptionFrom(1)]);
  // Without the controller, the reasons come from the message of the lock's holder, which starts with the workflow that
  // it waits for.
  assertEquals(deadlockTexts(await new ClusterService(world.client).why("default", "behind")), [
    text + ring.descriptionFrom(2),
  ]);
});

Deno.test("deadlock: found in a few passes, after which no pass is made", async () => {
  await using ring = new DeadlockRing();
  await ring.begin();
  await ring.awaitDeadlockMessages();
  // The holder of the locks is written once more after one second.
  await awaitHolderUpdate(ring.world, "a");
  const { passes, writes } = ring;
  assert(passes <= 50 && writes <= 15, `${passes} passes with ${writes} writes`);
  await awaitHolderUpdate(ring.world, "b");
  assertEquals([ring.passes, ring.writes], [passes, writes]);
});

/** A suspended workflow that holds a mutex. */
const holder = (name: string, mutex: string) => `
metadata: {name: ${name}}
spec:
  entrypoint: main
  synchronization: {mutexes: [{name: ${mutex}}]}
  templates: [{name: main, suspend: {}}]
`;

/**
 * Resolves when the controller has updated the holder in the status of a waiting workflow that is not in the deadlock.
 */
async function awaitHolderUpdate(world: ControllerWorld, name: string): Promise<void> {
  const names = [1, 2, 3].map((at) => `${name}${at}`);
  const held = async (at: number) => (await world.workflow(names[at]!)).status?.synchronization?.mutex;
  for (const [at, one] of names.entries()) {
    await world.submit(holder(one, name));
    await world.waitUntil(`${one} holds or waits`, async () => await held(at) !== undefined);
  }
  await world.client.patch(WORKFLOWS, "default", names[0]!, { spec: { shutdown: "Terminate" } });
  const next = `default/${names[1]}`;
  await world.waitUntil(
    "the third names the second as the holder",
    async () => (await held(2))?.waiting?.[0]?.holder === next,
  );
}
