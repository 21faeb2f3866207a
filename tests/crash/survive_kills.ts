/** Kills the embedded cluster repeatedly, and checks that nothing was lost, done twice or left over. */
import { assertEquals } from "@std/assert";
import { connect } from "../../cli/connect/connect.ts";
import type { NodeStatus, Workflow } from "@tiphys/model/api";
import { pause, systemClock } from "@tiphys/base/clock";
import { WORKFLOWS } from "@tiphys/kube";
import { listAll } from "@tiphys/service";
import { openStore, type RuntimeName } from "../../local/mod.ts";
import { podsFolder } from "../../local/kubelet/mod.ts";
import { ControlGroups } from "../../local/kubelet/runtime/control_groups.ts";
import { removeTree } from "../../local/image/remove_tree.ts";
import { processesWith } from "../../local/kubelet/runtime/testing/promises.ts";
import { awaitFact } from "../await_fact.ts";
import { chainWorkflow, RESULT, STEPS } from "./chain_workflow.ts";
import { EmbeddedProcess } from "./embedded_process.ts";

const NAMESPACE = "default";

/** The longest life of a process, in milliseconds: about the duration of an undisturbed workflow of this size. */
const MAX_LIFE_MS = 2_500;
const PATIENCE_SECONDS = 60;

export interface KillOptions {
  readonly kills: number;
  readonly random: () => number;
  readonly runtime: RuntimeName;
  /** Called at each kill. */
  readonly onKill?: (subject: string) => void;
  /** XDG_CACHE_HOME, filled by {@link makeCache}: required for containers with images. */
  readonly cacheHome?: string;
}

/** Returns how many workflows ran to their end. @throws {Error} when a kill had a forbidden consequence */
export async function surviveKills(options: KillOptions): Promise<number> {
  const { kills, random, runtime, cacheHome, onKill = () => {} } = options;
  const folder = await Deno.makeTempDir({ prefix: "crash-" });
  const data = `${folder}/data`;
  const effects = `${folder}/effects`;
  const start = () => new EmbeddedProcess({ dataDir: data, runtime, cacheHome });
  try {
    await Deno.mkdir(effects);
    // Containers write to it as users that do not exist on this machine.
    await Deno.chmod(effects, 0o777);
    const settled = new Map<string, NodeStatus>();
    let workflows = 0;
    for (let kill = 1, open = false; kill <= kills; kill++) {
      if (!open) await create(data, chainWorkflow(`chain-${++workflows}`, effects));
      const process = start();
      // Most processes live for a while; some are killed before they are ready.
      if (random() < 0.75) await process.ready;
      const life = Math.round(random() * MAX_LIFE_MS);
      await pause(systemClock, life);
      await process.kill();
      await awaitNoProcesses(folder);
      const now = await read(data, `chain-${workflows}`);
      recordSettled(now, settled);
      open = now.status?.finishedAt === undefined;
      onKill(
        `${runtime}, kill ${kill}: ${now.metadata.name} ${
          now.status?.phase ?? "not begun"
        }, ${settled.size} nodes settled`,
      );
    }
    const last = start();
    await last.ready;
    await awaitFact("all workflows have ended", async () => await haveAllEnded(data), { seconds: PATIENCE_SECONDS });
    await last.end();
    await awaitNoProcesses(folder);
    assertEquals(ControlGroups.onThisMachine(podsFolder(data)).list(), []);
    for (let number = 1; number <= workflows; number++) {
      const workflow = await read(data, `chain-${number}`);
      recordSettled(workflow, settled);
      assertEquals([workflow.status?.phase, workflow.status?.message], ["Succeeded", undefined]);
      assertEquals(sumOf(workflow), RESULT);
    }
    checkLines(await Deno.readTextFile(`${effects}/lines`), workflows);
    return workflows;
  } finally {
    await removeTree(folder);
  }
}

async function create(dataDir: string, workflow: Workflow): Promise<void> {
  const store = await openStore(dataDir);
  await store.client().create(WORKFLOWS, NAMESPACE, workflow);
  store.close();
}

/** Reads a workflow while no process runs. */
async function read(dataDir: string, name: string): Promise<Workflow> {
  const store = await openStore(dataDir);
  try {
    return await store.client().get<Workflow>(WORKFLOWS, NAMESPACE, name);
  } finally {
    store.close();
  }
}

/** Reads the workflows from the running process. */
async function haveAllEnded(dataDir: string): Promise<boolean> {
  const { service, close } = await connect({ dataDir });
  try {
    return (await listAll(service, NAMESPACE)).every(({ status }) => status?.finishedAt !== undefined);
  } finally {
    close();
  }
}

async function awaitNoProcesses(folder: string): Promise<void> {
  const isFree = async () => (await processesWith(folder)).length === 0;
  await awaitFact("no process of the killed one is left, and no mount", isFree, { seconds: PATIENCE_SECONDS });
  const own = await Deno.readTextFile("/proc/self/mountinfo");
  assertEquals(own.split("\n").filter((mount) => mount.includes(folder)), []);
}

/** Checks that nodes which had ended before a kill are unchanged after it, and adds those that have ended since. */
function recordSettled({ status }: Workflow, settled: Map<string, NodeStatus>): void {
  for (const node of Object.values(status?.nodes ?? {})) {
    const known = settled.get(node.id);
    const { phase, finishedAt, outputs } = node;
    if (known) {
      assertEquals({ phase, finishedAt, outputs }, {
        phase: known.phase,
        finishedAt: known.finishedAt,
        outputs: known.outputs,
      });
    } else if (finishedAt !== undefined) settled.set(node.id, node);
  }
}

function sumOf({ metadata, status }: Workflow): string | undefined {
  const root = Object.values(status?.nodes ?? {}).find(({ name }) => name === metadata.name);
  return root?.outputs?.parameters?.find(({ name }) => name === "sum")?.value as string | undefined;
}

/** Checks that every step ran, and no pod more than once. */
function checkLines(text: string, workflows: number): void {
  const lines = text.trim().split("\n");
  const counts = Object.entries(Object.groupBy(lines, (line) => line)).map(([line, all]) => [line, all!.length]);
  assertEquals(counts.filter(([, count]) => count !== 1), [], "lines that a pod left more than once");
  const ran = new Set(lines.map((line) => line.split(" ").slice(0, 2).join(" ")));
  const names = Array.from({ length: workflows }, (_, index) => `chain-${index + 1}`);
  assertEquals([...ran].sort(), names.flatMap((name) => STEPS.map((step) => `${name} ${step}`)).sort());
}
