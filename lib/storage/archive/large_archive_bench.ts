/**
 * Measures lists over a large archive on each kind of database: `deno run -A lib/storage/archive/large_archive_bench.ts
 * [ROWS] [KIND]`.
 */
import { LABEL } from "@tiphys/base/constants";
import type { Database } from "../database/mod.ts";
import { connect, SERVER_KINDS } from "../database/testing/servers.ts";
import { silentLog } from "@tiphys/base/log";
import { parseRequirements } from "@tiphys/base/selector/label_selector";
import { prepareArchive } from "./schema.ts";
import { storedTime } from "../database/stored_time.ts";
import type { ArchiveTables } from "./tables.ts";
import { type ListOptions, WorkflowArchive } from "./workflow_archive.ts";

const ROWS = Number(Deno.args[0] ?? 100_000);
const BATCH = 1000;
const RUNS = 21;

async function fill(database: Database): Promise<void> {
  for (let from = 0; from < ROWS; from += BATCH) {
    const workflows = Array.from({ length: BATCH }, (_, index) => workflowOf(from + index));
    await database.transaction<ArchiveTables, void>(async (tx) => {
      await tx.insertInto("argo_archived_workflows").values(workflows.map(({ row }) => row)).execute();
      await tx.insertInto("argo_archived_workflows_labels").values(workflows.flatMap(({ labels }) => labels)).execute();
    });
  }
}

/** About four kilobytes each; one in fifty has a team, one has a unique label, and five start in each second. */
function workflowOf(index: number) {
  const [name, namespace, uid] = [`run-${index}`, `ns-${index % 10}`, crypto.randomUUID()];
  const started = storedTime(Date.UTC(2026, 0, 1) + Math.floor(index / 5) * 1000);
  const team = { team: `t-${index % 50}`, [LABEL.completed]: "true", [LABEL.phase]: "Succeeded" };
  const labels = { ...team, [LABEL.archivingStatus]: "Persisted", ...(index === 17 ? { rare: "yes" } : {}) };
  const nodes = Object.fromEntries(
    Array.from({ length: 10 }, (_, i) => [`${name}-${i}`, { message: "x".repeat(300) }]),
  );
  const times = { startedAt: started, finishedAt: started };
  const json = {
    metadata: { name, namespace, uid, labels },
    spec: {},
    status: { phase: "Succeeded", ...times, nodes },
  };
  return {
    row: {
      ...{ clustername: "default", uid, instanceid: "", name, namespace, phase: "Succeeded" },
      ...{ startedat: started, finishedat: started, creationtimestamp: started, workflow: JSON.stringify(json) },
    },
    labels: Object.entries(labels).map(([name, value]) => ({ clustername: "default", uid, name, value })),
  };
}

async function measure(title: string, work: () => Promise<unknown>): Promise<void> {
  const times: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    const begin = performance.now();
    await work();
    times.push(performance.now() - begin);
  }
  times.sort((a, b) => a - b);
  console.log(`  ${title.padEnd(36)} p50 ${times[RUNS >> 1]!.toFixed(1)} ms, most ${times.at(-1)!.toFixed(1)} ms`);
}

for (const kind of SERVER_KINDS) {
  if (kind.test("").ignore || (Deno.args[1] ?? kind.name) !== kind.name) continue;
  await using server = await kind.start();
  await using database = connect(server);
  await prepareArchive(database, { tableName: "argo_workflows", clusterName: "default", log: silentLog });
  await fill(database);
  const archive = new WorkflowArchive(database, { clusterName: "default" });
  const { next: after } = await archive.list({ limit: 50, skip: ROWS * 0.9 });
  const labels = (text: string) => ({ labels: parseRequirements(text) });
  const lists: Readonly<Record<string, ListOptions>> = {
    "the first page": {},
    "a page at 90 %, by its key": { after },
    "a page at 90 %, by its offset": { skip: ROWS * 0.9 },
    "of a namespace": { namespace: "ns-3" },
    "of a namespace, a page at 90 %": { namespace: "ns-3", after },
    "of an empty namespace": { namespace: "nobody" },
    "of a team": labels("team=t-7"),
    "of two teams": labels("team in (t-7,t-8)"),
    "of a label key that does not exist": labels("nobody=x"),
    "of a label value that does not exist": labels("team=nobody"),
    "of a label of one workflow": labels("rare"),
    "without a label": labels("!nobody"),
    "of a phase": labels(`${LABEL.phase}=Succeeded`),
    "of a phase without workflows": labels(`${LABEL.phase} in (Failed,Error)`),
    "by name": { name: "run-777" },
    "by the beginning of a name": { namePrefix: "run-777" },
    "by a part of a name": { name: "n-9999", nameFilter: "Contains" },
    "by a part that does not occur": { name: "nobody", nameFilter: "Contains" },
  };
  console.log(`${kind.name}, ${ROWS} workflows, pages of 50`);
  for (const [title, options] of Object.entries(lists)) {
    await measure(title, () => archive.list({ limit: 50, ...options }));
  }
  await measure("count of all", () => archive.count());
  await measure("label keys", () => archive.labelKeys());
  await measure("label keys of a namespace", () => archive.labelKeys("ns-3"));
  await measure("label values", () => archive.labelValues("team"));
  await measure("get by name", () => archive.getByName("ns-7", "run-777"));
}
