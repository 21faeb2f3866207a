import { assert, assertEquals } from "@std/assert";
import type { Workflow } from "@tiphys/model/api";
import type { Cursor, ListOptions } from "@tiphys/storage/archive";
import { kubernetesTime, storedTime } from "@tiphys/storage/database/stored_time";
import { chanceOf } from "../../tests/random_workflows/workflow_of.ts";
import { compareKeys, type PageKey, pageKey } from "./page.ts";
import { keyOfRow, skipWorkflows } from "./skip_workflows.ts";

const rowOf = (uid: string, second: number): Cursor => ({ startedAt: storedTime(second * 1000), uid });
const workflowOf = ({ startedAt, uid }: Cursor): Workflow => ({
  apiVersion: "argoproj.io/v1alpha1",
  kind: "Workflow",
  metadata: { uid },
  spec: {},
  status: { startedAt: kubernetesTime(startedAt) },
});
const inOrder = (keys: readonly PageKey[]) => keys.toSorted(compareKeys);

/** An archive of rows in order, and counts of its queries and returned rows. */
function archiveOf(rows: readonly Cursor[]) {
  const count = { questions: 0, rows: 0 };
  const keys = ({ uids, after, skip = 0, limit }: ListOptions) => {
    count.questions++;
    const place = after && keyOfRow(after);
    const found = rows.filter((row) =>
      (!uids || uids.includes(row.uid)) && (!place || compareKeys(keyOfRow(row), place) > 0)
    ).slice(skip, limit && skip + limit);
    count.rows += found.length;
    return Promise.resolve(found);
  };
  return { archive: { listKeys: keys }, count };
}

/** Workflows that are live, archived or both, with few different start times. */
function stores(seed: number, { live, archived, both }: Record<"live" | "archived" | "both", number>) {
  const chance = chanceOf(seed);
  // Some start in the same second, and all workflows of one store may be newer than those of the other.
  const [spread, ahead] = [1 + chance(20_000), chance(2) * chance(20_000)];
  const some = (kind: string, count: number, from: number) =>
    Array.from({ length: count }, (_, index) => rowOf(`${kind}-${index}`, 1e9 + from + chance(spread)));
  const liveOnes = [...some("live", live, ahead), ...some("both", both, ahead)];
  const rows = [...some("archived", archived, 0), ...some("both", both, 0)]
    .toSorted((a, b) => compareKeys(keyOfRow(a), keyOfRow(b)));
  const sorted = liveOnes.map(workflowOf).toSorted((a, b) => compareKeys(pageKey(a), pageKey(b)));
  return { live: sorted, rows, covered: new Set(sorted.map(({ metadata }) => metadata.uid ?? "")) };
}

const SIZES = [
  { live: 1_500, archived: 3_000, both: 0 },
  { live: 1_500, archived: 3_000, both: 40 },
  { live: 0, archived: 3_000, both: 900 },
  { live: 3_000, archived: 200, both: 5 },
  { live: 0, archived: 3_000, both: 0 },
  { live: 3_000, archived: 0, both: 0 },
];

Deno.test("skipWorkflows: finds the position of a number, whatever the order of the two stores", async () => {
  for (const [seed, sizes] of [...SIZES, ...SIZES, ...SIZES].entries()) {
    const { live, rows, covered } = stores(seed, sizes);
    const { archive } = archiveOf(rows);
    const all = inOrder([...live.map(pageKey), ...rows.map(keyOfRow).filter(({ uid }) => !covered.has(uid))]);
    const chance = chanceOf(seed + 1_000);
    for (
      const skip of [
        0,
        1,
        500,
        501,
        all.length - 1,
        ...Array.from({ length: 8 }, () => chance(all.length)),
      ]
    ) {
      const place = await skipWorkflows(archive, { live, filters: {}, covered }, skip);
      assert(place && place.passed <= 500, `${seed}, ${skip}`);
      const { liveAt, after, passed } = place;
      const behind = rows.map(keyOfRow)
        .filter((key) => !covered.has(key.uid) && (!after || compareKeys(key, keyOfRow(after)) > 0));
      const rest = inOrder([...live.slice(liveAt).map(pageKey), ...behind]);
      assertEquals([rest.length - passed, rest[passed]], [all.length - skip, all[skip]], `${seed}, ${skip}`);
    }
  }
});

Deno.test("skipWorkflows: returns undefined after the last workflow", async () => {
  const { live, rows, covered } = stores(1, { live: 800, archived: 900, both: 10 });
  const { archive } = archiveOf(rows);
  assertEquals(await skipWorkflows(archive, { live, filters: {}, covered }, 5_000), undefined);
  const { archive: empty } = archiveOf([]);
  assertEquals(await skipWorkflows(empty, { live, filters: {}, covered }, 5_000), undefined);
});

Deno.test("skipWorkflows: needs a logarithmic number of queries, and reads no row twice", async () => {
  const { live, rows, covered } = stores(2, { live: 4_000, archived: 4_000, both: 0 });
  const { archive, count } = archiveOf(rows);
  await skipWorkflows(archive, { live, filters: {}, covered }, 7_000);
  const forDoubles = Math.ceil(covered.size / 500);
  // 7,000 halved until it is 500.
  assert(count.questions - forDoubles <= 5, `${count.questions - forDoubles} questions for places`);
  assert(count.rows <= 5, `${count.rows} rows`);
});
