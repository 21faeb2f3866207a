/** Measures the memory of the executor's processes while a user's command sleeps. */
import type { Pod } from "@tiphys/model/api";
import { pause, systemClock } from "@tiphys/base/clock";
import { LABEL } from "@tiphys/base/constants";
import { type KubeClient, PODS, WORKFLOWS } from "@tiphys/kube";
import { awaitFact } from "../../await_fact.ts";
import type { Contender } from "./contender.ts";
import { createWorkflow } from "./run.ts";
import { SLEEP } from "./settings.ts";

/** The memory of one process in MB (10^6 bytes), from `/proc/PID/smaps_rollup`. */
export interface ProcessMemory {
  readonly rss: number;
  readonly anonymous: number;
  /** Proportional set size: a shared page counts as a fraction for each process. */
  readonly pss: number;
}

/** The parent process of the user's command, and the process in the other container, if any. */
export interface PodMemory {
  readonly emissary: ProcessMemory;
  readonly auxiliary?: ProcessMemory | undefined;
}

const AUXILIARY = ["supervisor", "wait"];

/** Idle time before the measurement, so that startup and a first garbage collection are done. */
const SETTLE_MILLIS = 3000;

/** Runs `sleep` as a workflow and measures the executor. Undefined if the node is another machine. */
export async function measureMemory(client: KubeClient, contender: Contender): Promise<PodMemory | undefined> {
  const { namespace } = contender;
  const name = await createWorkflow(client, contender, SLEEP);
  try {
    let pod: Pod | undefined;
    await awaitFact(`the pod of ${name} runs`, async () => {
      [pod] = (await client.list<Pod>(PODS, namespace, { labelSelector: `${LABEL.workflow}=${name}` })).items;
      return pod?.status?.phase === "Running";
    }, { seconds: 60 });
    const uid = pod!.metadata.uid!;
    if ((await processesOf(uid)).length === 0) return undefined;
    const sleeps = async () => (await processesOf(uid)).some(({ words }) => isUserCommand(words));
    await awaitFact(`${name} sleeps`, sleeps, { seconds: 60 });
    await pause(systemClock, SETTLE_MILLIS);
    const processes = await processesOf(uid);
    const weightOf = async (commands: string[]) => {
      const found = processes.find(({ words }) => words.some((word) => commands.includes(word)));
      return found && await readWeight(found.pid);
    };
    const [emissary, auxiliary] = [await weightOf(["emissary"]), await weightOf(AUXILIARY)];
    const hasAuxiliary = pod!.spec.containers.some(({ name }) => AUXILIARY.includes(name));
    if (!emissary || (hasAuxiliary && !auxiliary)) throw new Error(`Found no executor in the pod of ${name}`);
    return { emissary, auxiliary };
  } finally {
    await client.patch(WORKFLOWS, namespace, name, { spec: { shutdown: "Terminate" } });
  }
}

/** Whether a process is the user's command, with any path; not an executor that has it among its arguments. */
function isUserCommand([program = "", ...args]: readonly string[]): boolean {
  return program.split("/").at(-1) === SLEEP[0] && args.join(" ") === SLEEP.slice(1).join(" ");
}

interface Process {
  readonly pid: number;
  readonly words: readonly string[];
}

/** The processes of a pod's containers, found on this machine by their control group. */
async function processesOf(podUid: string): Promise<Process[]> {
  const group = new RegExp(`pod${podUid.replaceAll("-", "[-_]")}`);
  const found: Process[] = [];
  for await (const { name } of Deno.readDir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const groups = await Deno.readTextFile(`/proc/${name}/cgroup`).catch(() => "");
    if (!group.test(groups)) continue;
    const words = (await Deno.readTextFile(`/proc/${name}/cmdline`).catch(() => "")).split("\0").slice(0, -1);
    found.push({ pid: Number(name), words });
  }
  return found;
}

async function readWeight(pid: number): Promise<ProcessMemory> {
  const text = await Deno.readTextFile(`/proc/${pid}/smaps_rollup`);
  const megabytes = (field: string) => Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, "m").exec(text)?.[1]) * 1024 / 1e6;
  return { rss: megabytes("Rss"), anonymous: megabytes("Anonymous"), pss: megabytes("Pss") };
}
