import { assertEquals, assertStringIncludes } from "@std/assert";
import { memoryStore } from "../testing/memory_store.ts";
import { type OwnPod, ownPod } from "../testing/own_pod.ts";
import type { PodTemplate } from "../pod/template.ts";
import type { World } from "../world.ts";
import { data } from "./data.ts";

const { signal } = new AbortController();

/** A store that contains the given files below `files/`. */
function storeOf(files: readonly string[]): World["driverFor"] {
  const store = memoryStore();
  for (const file of files) store.objects.set(`files/${file}`, new Uint8Array());
  return store.driverFor;
}

const S3 = { endpoint: "e", bucket: "b", key: "files" };

function listing(expressions: readonly string[], store: Record<string, unknown> = { s3: S3 }): PodTemplate {
  const transformation = expressions.map((expression) => ({ expression }));
  return { data: { source: { artifactPaths: { name: "files", ...store } }, transformation } };
}

/** Runs a template that must fail, and returns the reason. */
async function failure(pod: OwnPod, driverFor = pod.world.driverFor): Promise<string | undefined> {
  assertEquals(await data({ ...pod.world, driverFor }, signal), 64);
  assertEquals((await pod.report()).isWhole, true);
  return await pod.message();
}

Deno.test("data: reports the transformed list of files as JSON", async () => {
  await using pod = await ownPod(listing(['filter(data, {# endsWith ".py"})', "map(data, {upper(#)})"]));
  assertEquals(await data({ ...pod.world, driverFor: storeOf(["a.py", "b.txt", "c/d.py"]) }, signal), 0);
  const report = await pod.report();
  assertEquals([report.outputs?.result, report.phase, report.isWhole], [
    '["FILES/A.PY","FILES/C/D.PY"]',
    "Succeeded",
    true,
  ]);
});

Deno.test("data: without transformation steps, reports all files", async () => {
  await using pod = await ownPod(listing([]));
  assertEquals(await data({ ...pod.world, driverFor: storeOf(["a", "b<c>"]) }, signal), 0);
  assertEquals((await pod.report()).outputs?.result, '["files/a","files/b\\u003cc\\u003e"]');
});

Deno.test("data: an artifact without a store uses the pod's artifact repository", async () => {
  for (const [own, key] of [[{}, "wf/pod"], [{ s3: { key: "own" } }, "own"]] as const) {
    const archiveLocation = { archiveLogs: true, s3: { ...S3, key: "wf/pod" } };
    await using pod = await ownPod({ ...listing([], own), archiveLocation });
    const store = memoryStore();
    store.objects.set(`${key}/a`, new Uint8Array());
    assertEquals(await data({ ...pod.world, driverFor: store.driverFor }, signal), 0);
    assertEquals(store.places, [{ store: "s3", key, settings: { endpoint: "e", bucket: "b" } }]);
    const report = await pod.report();
    assertEquals(report.outputs?.result, JSON.stringify([`${key}/a`]));
    // A data template has no other container that could close the report, even if the repository archives logs.
    assertEquals([report.isWhole, report.phase], [true, "Succeeded"]);
  }
});

Deno.test("data: an artifact without a key lists the whole bucket with the repository's settings", async () => {
  const archiveLocation = { s3: { ...S3, insecure: true, key: "wf/pod" } };
  const rows = [
    { own: { s3: { endpoint: "e", bucket: "mine" } }, settings: { endpoint: "e", bucket: "mine" } },
    {
      own: { s3: { bucket: "mine" } },
      archiveLocation,
      settings: { endpoint: "e", bucket: "mine", insecure: true },
    },
  ];
  for (const { own, archiveLocation, settings } of rows) {
    await using pod = await ownPod({ ...listing([], own), archiveLocation });
    const store = memoryStore();
    for (const key of ["b/c", "a"]) store.objects.set(key, new Uint8Array());
    assertEquals(await data({ ...pod.world, driverFor: store.driverFor }, signal), 0);
    assertEquals(store.places, [{ store: "s3", key: "", settings }]);
    assertEquals((await pod.report()).outputs?.result, '["a","b/c"]');
  }
});

Deno.test("data: a missing key, and a result above the size limit, are errors", async () => {
  await using pod = await ownPod(listing([]));
  assertStringIncludes(await failure(pod, storeOf([])) ?? "", "no key found of name files");
  await using other = await ownPod(listing([]));
  const many = storeOf(Array.from({ length: 9000 }, (_, index) => `${index}-${"x".repeat(150)}`));
  assertStringIncludes(await failure(other, many) ?? "", "the result for 9000 files has");
});

Deno.test("data: filters 100,000 files (AR-130)", async () => {
  await using pod = await ownPod(listing(['filter(data, {# endsWith "77777"})']));
  const many = storeOf(Array.from({ length: 100_000 }, (_, index) => `${index}`));
  assertEquals(await data({ ...pod.world, driverFor: many }, signal), 0);
  assertEquals((await pod.report()).outputs?.result, '["files/77777"]');
});

Deno.test("data: the error names the failed step", async () => {
  await using pod = await ownPod(listing(["data", "nope(data)"]));
  assertEquals(
    (await failure(pod, storeOf(["a"])))?.split("\n").at(0)?.replace(/: unknown.*/, ""),
    "unable to process data template: unable to process data transformation: error processing data step 1",
  );
});

Deno.test("data: a store that cannot list objects, and one without a driver, are errors", async () => {
  const prefix = "unable to process data template: unable to process data source: unable to source artifact paths: ";
  await using raw = await ownPod(listing([], { raw: { data: "x" } }));
  assertEquals(
    await failure(raw),
    `${prefix}artifact "files" is in a store of kind raw, which cannot be listed: ` +
      "a data template needs artifactPaths in a store that can",
  );
  await using pod = await ownPod(listing([]));
  assertEquals(
    await failure(pod, () => Promise.reject(new Error("no driver for user:secret@host"))),
    `${prefix}no driver for user:secret@host`,
  );
});

Deno.test("data: a template without a source is an error", async () => {
  await using pod = await ownPod({ data: { source: {} } });
  assertEquals(
    await failure(pod),
    "unable to process data template: unable to process data source: no valid source is used for data template",
  );
});
