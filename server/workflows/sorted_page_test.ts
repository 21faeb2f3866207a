import { assertEquals } from "@std/assert";
import type { Workflow } from "@tiphys/model/api";
import { OpenArchive } from "@tiphys/storage/archive";
import { systemClock } from "@tiphys/base/clock";
import { silentLog } from "@tiphys/base/log";
import { readRunOrder } from "@tiphys/model/status";
import { endedWorkflow } from "../testing/archive_bench.ts";
import { sortedPage } from "./sorted_page.ts";

Deno.test("sorted pages: contain live and archived workflows in order, each once, on any page", async () => {
  const folder = await Deno.makeTempDir({ prefix: "sorted-" });
  try {
    const secret = () => Promise.reject(new Error("a file needs no secret"));
    const world = { clock: systemClock, log: silentLog, secret };
    await using archive = await OpenArchive.open({ archive: true, sqlite: { file: `${folder}/archive.db` } }, world);
    const all = Array.from({ length: 200 }, (_, index) => workflowLasting(`w-${index}`, 1 + (index * 37) % 200));
    // Every third workflow is in the cluster; some of those are also in the archive, with another duration.
    const live = all.filter((_, index) => index % 3 === 0);
    for (const [index, { metadata }] of all.entries()) {
      if (index % 3 !== 0) await archive.archive(all[index]);
      else if (index % 12 === 0) await archive.archive(workflowLasting(metadata.name!, 5));
    }
    const covered = new Set(live.map(({ metadata }) => metadata.uid ?? ""));
    const longestFirst = all.toSorted((a, b) => secondsOf(b) - secondsOf(a)).map(({ metadata }) => metadata.name);
    for (const [sort, names] of [["-duration", longestFirst], ["duration", longestFirst.toReversed()]] as const) {
      for (const skip of [0, 5, 66, 67, 120, 193, 300]) {
        const asked = { live, filters: {}, covered, order: readRunOrder(sort)!, skip, limit: 7, now: 0 };
        const page = await sortedPage(archive, asked);
        assertEquals(page.items.map(({ metadata }) => metadata.name), names.slice(skip, skip + 7), `${sort} ${skip}`);
        assertEquals(page.remaining, Math.max(0, 200 - skip - 7), `${sort} ${skip}`);
      }
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

function workflowLasting(name: string, seconds: number): Workflow {
  const ended = endedWorkflow(name, 0);
  const finishedAt = new Date(Date.parse(ended.status!.startedAt!) + seconds * 1000).toISOString().replace(".000", "");
  return { ...ended, status: { ...ended.status, finishedAt } };
}

function secondsOf({ status }: Workflow): number {
  return (Date.parse(status!.finishedAt!) - Date.parse(status!.startedAt!)) / 1000;
}
