import { assertEquals, assertThrows } from "@std/assert";
import type { Workflow } from "@tiphys/model/api";
import { OpenArchive } from "@tiphys/storage/archive";
import { systemClock } from "@tiphys/base/clock";
import { silentLog } from "@tiphys/base/log";
import { endedWorkflow } from "../testing/archive_bench.ts";
import { WireError } from "../wire/errors.ts";
import { mergedPage } from "./merged_page.ts";
import { compareKeys, pageKey, readContinue } from "./page.ts";

/** Calls `work` with an archive in a temporary file. */
async function withArchive(work: (archive: OpenArchive) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "merged-" });
  try {
    const secret = () => Promise.reject(new Error("a file needs no secret"));
    const world = { clock: systemClock, log: silentLog, secret };
    await using archive = await OpenArchive.open({ archive: true, sqlite: { file: `${folder}/archive.db` } }, world);
    await work(archive);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("pages: a number as continue token skips exactly that many live and archived workflows", () =>
  withArchive(async (archive) => {
    const all = Array.from(
      { length: 900 },
      (_, index) => endedWorkflow(`w-${String(index).padStart(3, "0")}`, index % 450),
    );
    // Every third workflow is in the cluster; some of those are also in the archive.
    const live = all.filter((_, index) => index % 3 === 0);
    for (const [index, workflow] of all.entries()) {
      if (index % 3 !== 0 || index % 30 === 0) await archive.archive(workflow);
    }
    const inOrder = (some: readonly Workflow[]) => some.toSorted((a, b) => compareKeys(pageKey(a), pageKey(b)));
    const names = (some: readonly Workflow[]) => some.map(({ metadata }) => metadata.name);
    const covered = new Set(live.map(({ metadata }) => metadata.uid ?? ""));
    const merge = { live: inOrder(live), covered, filters: {}, counts: false };
    for (const skip of [0, 3, 250, 501, 620, 888, 895, 2000]) {
      const page = await mergedPage(archive, { ...merge, start: { skip }, limit: 7 });
      assertEquals(names(page.items), names(inOrder(all).slice(skip, skip + 7)), String(skip));
      assertEquals(page.continue !== undefined, skip + 7 < all.length, String(skip));
    }
    const rest = await mergedPage(archive, { ...merge, start: { skip: 600 }, limit: 0 });
    assertEquals(names(rest.items), names(inOrder(all).slice(600)));
  }));

Deno.test("pages: a late page reads only its own rows, and counts the rest only on request", () =>
  withArchive(async (archive) => {
    for (let index = 0; index < 60; index++) await archive.archive(endedWorkflow(`w-${index}`, index));
    const requests: string[] = [];
    const { count, list } = archive;
    archive.count = async (filters) => {
      requests.push("count");
      return await count.call(archive, filters);
    };
    archive.list = async (query) => {
      const page = await list.call(archive, query);
      requests.push(`${page.items.length} rows`);
      return page;
    };
    const merge = { live: [], covered: new Set<string>(), filters: {}, start: { skip: 40 }, limit: 10 };
    const page = await mergedPage(archive, { ...merge, counts: false });
    assertEquals([page.items.length, requests], [10, ["11 rows"]]);
    const counted = await mergedPage(archive, { ...merge, counts: true });
    assertEquals([counted.remaining, requests], [10, ["11 rows", "11 rows", "count"]]);
  }));

Deno.test("pages: a number as continue beyond all workflows returns an empty page, and one of more than 64 bits is invalid", () =>
  withArchive(async (archive) => {
    await archive.archive(endedWorkflow("w", 1));
    const merge = { live: [], covered: new Set<string>(), filters: {}, limit: 10, counts: true };
    for (const text of ["1", "5000000000", "9007199254740993", "9223372036854775807", "+07"]) {
      const page = await mergedPage(archive, { ...merge, start: readContinue(text) });
      assertEquals(page, { items: [], remaining: 0 }, text);
    }
    for (const text of ["9223372036854775808", "-9223372036854775809", "9".repeat(400)]) {
      assertThrows(() => readContinue(text), WireError, "listOptions.continue must be int");
    }
    assertThrows(() => readContinue("-1"), WireError, "listOptions.continue must >= 0");
  }));
