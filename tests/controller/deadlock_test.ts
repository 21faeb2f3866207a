/** Deadlocks of locks between workflows, by the real controller over the embedded API. */
import { assert, assertEquals } from "@std/assert";
import type { Workflow } from "@tiphys/model/api";
import { DEADLOCK, LABEL } from "@tiphys/base/constants";
import type { Controller } from "../../controller/mod.ts";
import { ClusterService } from "@tiphys/service";
import { explain, type Reason } from "@tiphys/engine/explain";
import { PODS, WORKFLOWS } from "@tiphys/kube";
import { taker } from "./lock_taker.ts";
import { ControllerWorld, type Sent } from "./world.ts";

/** A controller over three workflows, of which each holds what the one before it waits for. */
class Ring implements AsyncDisposable {
  static readonly names = ["w1", "w2", "w3"];
  readonly world = new ControllerWorld();
  /** The numbers of passes over the ring, and of writes of it, by the controller. */
  passes = 0;
  writes = 0;

  async begin(): Promise<Controller> {
    const { world } = this;
    world.between = ({ method, path }: Sent, next) => {
      if (method === "PATCH" && /\/workflows\/w[123]$/.test(path)) this.writes++;
      return next();
    };
    const controller = await this.startController();
    for (const [at, name] of Ring.names.entries()) {
      await world.submit(taker(name, `{name: m${at}}`, `{name: m${(at + 1) % 3}}`));
      const holds = async () => (await world.workflow(name)).status?.synchronization?.mutex?.holding !== undefined;
      await world.until(`${name} holds m${at}`, holds);
    }
    for (const name of Ring.names) await world.client.patch(WORKFLOWS, "default", name, { spec: { suspend: null } });
    return controller;
  }

  async startController(): Promise<Controller> {
    return await this.world.startController({
      onWork: ({ name, workflow }) => {
        const { metadata } = workflow as Workflow;
        if (name === "reconcile_workflow" && Ring.names.includes(metadata.name ?? "")) this.passes++;
      },
    });
  }

  async messageOf(name: string): Promise<string | undefined> {
    const { status } = await this.world.workflow(name);
    return Object.values(status?.nodes ?? {}).find((node) => node.displayName === "take")?.message;
  }

  /** The words about the ring, from one workflow on. */
  wordsFrom(first: number): string {
    return [first, first + 1, first + 2].map((at) => {
      const w = `w${at % 3 + 1}`;
      return `workflow ${w} holds default/Mutex/m${at % 3}, and ${w}[0].take in it waits for default/Mutex/m${
        (at + 1) % 3
      }`;
    }).join("; ");
  }

  /** Resolves as soon as all three say the ring, each from the one that it waits for on. */
  async isTold(): Promise<void> {
    await this.world.until("all three say the ring", async () => {
      const messages = await Promise.all(Ring.names.map((name) => this.messageOf(name)));
      return messages.every((message, at) => {
        const lock = `default/Mutex/m${(at + 1) % 3}`;
        return message === `Waiting for ${lock} lock. Lock status: 0/1${DEADLOCK}${this.wordsFrom(at + 1)}`;
      });
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.world[Symbol.asyncDispose]();
  }
}

Deno.test("three workflows in a ring of locks say so until one of them is ended, also by a controller that is new", async () => {
  await using ring = new Ring();
  const { world } = ring;
  await ring.begin();
  await ring.isTold();
  const [reason] = explain(await world.workflow("w1"), {}, new Date());
  assertEquals([reason?.code, reason?.text], [
    "Deadlock",
    `waits for default/Mutex/m1 in a deadlock: ${ring.wordsFrom(1)}`,
  ]);
  await world.stopController();
  await ring.startController();
  await ring.isTold();
  await world.client.patch(WORKFLOWS, "default", "w2", { spec: { shutdown: "Terminate" } });
  assertEquals((await world.ended("w2")).status?.phase, "Failed");
  await world.until("w1 goes on with the lock of w2", async () => {
    const labelSelector = `${LABEL.workflow}=w1`;
    return (await world.client.list(PODS, "default", { labelSelector })).items.length === 1;
  });
  const waits = "Waiting for default/Mutex/m0 lock. Lock status: 0/1";
  await world.until("w3 takes it back", async () => await ring.messageOf("w3") === waits);
});

Deno.test("a workflow that is queued behind a ring of locks names the ring where it is asked why it waits", async () => {
  await using ring = new Ring();
  const { world } = ring;
  const controller = await ring.begin();
  await ring.isTold();
  await world.submit(taker("behind", "{name: m1}", "{name: other}"));
  const message = "Waiting for default/Mutex/m1 lock. Lock status: 0/1";
  await world.until("it waits", async () => (await world.workflow("behind")).status?.message === message);
  const said = (reasons: readonly Reason[] = []) =>
    reasons.flatMap(({ code, text }) => code === "Deadlock" ? [text] : []);
  const text = "waits for default/Mutex/m1 in a deadlock: ";
  assertEquals(said(await controller.why("default/behind")), [text + ring.wordsFrom(1)]);
  // Whoever reads the workflows has it from the holder, which tells the ring from the one that it waits for on.
  assertEquals(said(await new ClusterService(world.client).why("default", "behind")), [text + ring.wordsFrom(2)]);
});

Deno.test("a ring of locks between workflows is told in a few passes, and then there are none", async () => {
  await using ring = new Ring();
  await ring.begin();
  await ring.isTold();
  // Whoever holds what they wait for is told once more, when a second is over.
  await tellsHolders(ring.world, "a");
  const { passes, writes } = ring;
  assert(passes <= 50 && writes <= 15, `${passes} passes with ${writes} writes`);
  await tellsHolders(ring.world, "b");
  assertEquals([ring.passes, ring.writes], [passes, writes]);
});

/** A workflow that waits for a person under a mutex. */
const holder = (name: string, mutex: string) => `
metadata: {name: ${name}}
spec:
  entrypoint: main
  synchronization: {mutexes: [{name: ${mutex}}]}
  templates: [{name: main, suspend: {}}]
`;

/** Resolves when the controller has brought up to date who holds what others wait for: others than the ring. */
async function tellsHolders(world: ControllerWorld, name: string): Promise<void> {
  const names = [1, 2, 3].map((at) => `${name}${at}`);
  const held = async (at: number) => (await world.workflow(names[at]!)).status?.synchronization?.mutex;
  for (const [at, one] of names.entries()) {
    await world.submit(holder(one, name));
    await world.until(`${one} holds or waits`, async () => await held(at) !== undefined);
  }
  await world.client.patch(WORKFLOWS, "default", names[0]!, { spec: { shutdown: "Terminate" } });
  const next = `default/${names[1]}`;
  await world.until("the third is told of the second", async () => (await held(2))?.waiting?.[0]?.holder === next);
}
