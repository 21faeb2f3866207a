/** Nodes that are stored in a database (offloaded), by the whole controller. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import type { PersistenceSettings, Workflow } from "@tiphys/model/api";
import { type OffloadedVersion, OpenArchive } from "@tiphys/storage/archive";
import { fakeClock } from "../../lib/base/clock/testing/fake_clock.ts";
import { systemClock } from "@tiphys/base/clock";
import { LABEL } from "@tiphys/base/constants";
import { type KubeObject, WORKFLOWS } from "@tiphys/kube";
import { silentLog } from "@tiphys/base/log";
import { Offload } from "../../controller/workflow/archive/offload.ts";
import { offloadRounds } from "../../controller/workflow/archive/offload_gc.ts";
import { compressNodes, unpackNodes } from "@tiphys/model/nodes";
import { ControllerWorld, sleepingWorkflow } from "./world.ts";

const secret = () => Promise.reject(new Error("SQLite needs no secret"));

/** A world whose controller offloads all nodes into its own file. */
class OffloadingWorld implements AsyncDisposable {
  readonly #folder = Deno.makeTempDirSync({ prefix: "offload" });
  readonly world = new ControllerWorld();
  readonly settings: PersistenceSettings = { sqlite: { file: `${this.#folder}/nodes.db` }, archive: true };

  async start(change: Partial<ControllerWorld["config"]> = { offload: "always", archived: {} }): Promise<void> {
    this.world.configure(change);
    await this.world.startController({
      archive: {
        open: (settings, world) => OpenArchive.open(settings, world),
        settings: () => this.settings,
        ownNamespace: "argo",
        collectEveryMillis: 0,
        estimateWithinMillis: 5000,
      },
    });
  }

  /** Runs the workflow's pod, offloads its nodes and stops the controller. */
  async runAndOffload(name: string): Promise<void> {
    const { world } = this;
    await this.start();
    await world.submit(sleepingWorkflow(name));
    await world.startPod(name);
    await world.waitUntil(
      "it is offloaded",
      async () => (await world.workflow(name)).status?.offloadNodeStatusVersion !== undefined,
    );
    await world.stopController();
  }

  async readArchive<T>(question: (archive: OpenArchive) => Promise<T>): Promise<T> {
    await using archive = await OpenArchive.open(this.settings, { clock: systemClock, log: silentLog, secret });
    return await question(archive);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.world[Symbol.asyncDispose]();
    await Deno.remove(this.#folder, { recursive: true });
  }
}

async function versionOf(workflow: Workflow, archive: OpenArchive): Promise<Record<string, { phase?: string }>> {
  const { offloadNodeStatusVersion: version = "" } = workflow.status ?? {};
  return await archive.nodes.load({ uid: workflow.metadata.uid ?? "", version }) as Record<string, { phase?: string }>;
}

Deno.test("offload: nodes are in the database, a restarted controller resumes from them, and the archive has them (LC-14)", async () => {
  await using offloading = new OffloadingWorld();
  const { world } = offloading;
  await offloading.start();
  await world.submit(sleepingWorkflow("w"));
  await world.startPod("w");
  await world.waitUntil("the node runs in the database", async () => {
    const nodes = await offloading.readArchive(async (archive) => await versionOf(await world.workflow("w"), archive));
    return nodes?.w?.phase === "Running";
  });
  const { status } = await world.workflow("w");
  assertEquals([status?.nodes, status?.compressedNodes], [undefined, undefined]);
  assertMatch(status?.offloadNodeStatusVersion ?? "", /^fnv:\d+$/);
  await world.stopController();
  await offloading.start();
  await world.report((await world.pod("w"))!, true);
  await world.endPod("w");
  const ended = await world.awaitEnd("w");
  assertEquals(ended.status?.phase, "Succeeded");
  await world.waitUntil("it is archived", async () => {
    const { metadata } = await world.workflow("w");
    return metadata.labels?.[LABEL.archivingStatus] === "Archived";
  });
  const archived = await offloading.readArchive((archive) => archive.get(ended.metadata.uid!));
  const nodes = archived?.status?.nodes as Record<string, { phase: string }>;
  assertEquals(nodes.w?.phase, "Succeeded");
  assertEquals(archived?.status?.offloadNodeStatusVersion, undefined);
});

Deno.test("offload: a workflow whose nodes are missing from the database ends in an error that names the reason (LC-15)", async () => {
  await using offloading = new OffloadingWorld();
  const { world } = offloading;
  await offloading.runAndOffload("w");
  const far = new Date(Date.now() + 1_000_000);
  await offloading.readArchive(async ({ nodes }) => await nodes.delete(await nodes.listOlderThan(far), far));
  await offloading.start();
  const { status } = await world.awaitEnd("w");
  assertEquals(status?.phase, "Error");
  assertMatch(status?.message ?? "", /offloaded nodes of version fnv:\d+ are missing/);
});

Deno.test("offload: a workflow with offloaded nodes ends in an error when offloading is disabled", async () => {
  await using offloading = new OffloadingWorld();
  const { world } = offloading;
  await offloading.runAndOffload("w");
  world.configure({ offload: undefined });
  await offloading.start({ archived: {} });
  const { status } = await world.awaitEnd("w");
  assertEquals([status?.phase, status?.nodes, status?.compressedNodes], ["Error", undefined, undefined]);
  assertMatch(status?.message ?? "", /^Workflow has offloaded nodes, but offloading has been disabled/);
});

Deno.test("offload: a workflow with offloaded nodes ends in an error when no database is configured", async () => {
  await using world = new ControllerWorld();
  await world.submit(
    sleepingWorkflow("w") +
      "\nstatus: {phase: Running, startedAt: 2026-01-01T00:00:00Z, offloadNodeStatusVersion: 'fnv:1'}\n",
  );
  await world.startController();
  const { status } = await world.awaitEnd("w");
  assertEquals([status?.phase, status?.nodes], ["Error", undefined]);
  assertMatch(status?.message ?? "", /offloading has been disabled/);
  assertEquals(await world.pod("w"), undefined);
});

Deno.test("offload: nodes that are small when compressed stay in the workflow, larger ones are stored in the database", async () => {
  const rows = new Map<string, string>();
  const nodes = {
    save: ({ version }: OffloadedVersion, json: string) => Promise.resolve(void rows.set(version, json)),
    load: ({ version }: { version: string }) => {
      const row = rows.get(version);
      return Promise.resolve(row === undefined ? undefined : JSON.parse(row));
    },
    listOlderThan: () => Promise.resolve([]),
    delete: () => Promise.resolve(),
  };
  const access = { open: () => Promise.resolve({ nodes }) };
  const offload = new Offload({ access, clock: fakeClock(), offloadMode: () => "large" });
  const workflow = { apiVersion: "v", kind: "Workflow", metadata: { name: "w", uid: "u", namespace: "n" } };
  const small = { status: { phase: "Running", compressedNodes: await compressNodes({}) } };
  assertEquals(await offload.deflate(workflow, small), {
    status: { ...small.status, offloadNodeStatusVersion: null },
  });
  const noise = (index: number) => crypto.getRandomValues(new Uint8Array(30_000)).toBase64() + index;
  const large = Object.fromEntries(
    Array.from(
      { length: 40 },
      (_, index) => [`n${index}`, { id: `n${index}`, name: "n", type: "Pod" as const, message: noise(index) }],
    ),
  );
  const compressedNodes = await compressNodes(large);
  assert(compressedNodes.length > 1_048_576);
  const patch = await offload.deflate(workflow, { status: { phase: "Running", nodes: null, compressedNodes } });
  const [version = ""] = rows.keys();
  assertEquals(patch, {
    status: { phase: "Running", nodes: null, compressedNodes: null, offloadNodeStatusVersion: version },
  });
  const read = await offload.inflate({ ...workflow, status: { phase: "Running", offloadNodeStatusVersion: version } });
  const { status } = read as KubeObject & { status: { compressedNodes: string } };
  assertEquals(await unpackNodes(status.compressedNodes), large as never);
});

Deno.test("offload: old versions without a reference are deleted, those of workflows of other controllers are kept (LC-16)", async () => {
  await using world = new ControllerWorld();
  const clock = fakeClock();
  const made = async (name: string, version: string) => {
    const { metadata: { uid = "" } } = await world.submit(sleepingWorkflow(name));
    await world.client.patch(WORKFLOWS, "default", name, { status: { offloadNodeStatusVersion: version } }, "merge");
    return { uid, version, namespace: "default" };
  };
  const own = await made("own", "fnv:2");
  const others = await made("others", "fnv:7");
  const stored = [own, { ...own, version: "fnv:1" }, others, { ...others, uid: "deleted" }];
  const deleted = Promise.withResolvers<readonly OffloadedVersion[]>();
  const nodes = {
    listOlderThan: (_time: Date, after?: unknown) => Promise.resolve(after ? [] : stored),
    delete: (versions: readonly OffloadedVersion[]) => Promise.resolve(deleted.resolve(versions)),
  };
  const gc = offloadRounds({
    client: world.client,
    clock,
    log: silentLog,
    access: { open: () => Promise.resolve({ nodes }) },
    which: () => "large",
    workflows: () => [{
      apiVersion: "v",
      kind: "Workflow",
      metadata: { name: "own", namespace: "default", uid: own.uid },
      status: { offloadNodeStatusVersion: "fnv:2" },
    }],
    everyMillis: 1000,
    youngMillis: 100,
  });
  gc.start();
  clock.advance(1001);
  assertEquals(await deleted.promise, [stored[1]!, stored[3]!]);
  await gc.close();
});
