import { assertEquals, assertStringIncludes } from "@std/assert";
import { memoryStore } from "../testing/memory_store.ts";
import { type OwnPod, ownPod } from "../testing/own_pod.ts";
import type { PodTemplate } from "../pod/template.ts";
import type { World } from "../world.ts";
import { data } from "./data.ts";

const { signal } = new AbortController();

/** A store that holds these files below `files/`. */
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

/** Runs a template that must fail, and answers why. */
async function failure(pod: OwnPod, driverFor = pod.world.driverFor): Promise<string | undefined> {
  assertEquals(await data({ ...pod.world, driverFor }, signal), 64);
  assertEquals((await pod.report()).isWhole, true);
  return await pod.message();
}

Deno.test("data() reports what the steps of its transformation make of the files, as JSON", async () => {
  await using pod = await ownPod(listing(['filter(data, {# endsWith ".py"})', "map(data, {upper(#)})"]));
  assertEquals(await data({ ...pod.world, driverFor: storeOf(["a.py", "b.txt", "c/d.py"]) }, signal), 0);
  const report = await pod.report();
  assertEquals([report.outputs?.result, report.phase, report.isWhole], [
    '["FILES/A.PY","FILES/C/D.PY"]',
    "Succeeded",
    true,
  ]);
});

Deno.test("data() without steps reports all files", async () => {
  await using pod = await ownPod(listing([]));
  assertEquals(await data({ ...pod.world, driverFor: storeOf(["a", "b<c>"]) }, signal), 0);
  assertEquals((await pod.report()).outputs?.result, '["files/a","files/b\\u003cc\\u003e"]');
});

Deno.test("data() looks where the pod's artifacts go when its artifact names no store, or a key only", async () => {
  for (const [own, key] of [[{}, "wf/pod"], [{ s3: { key: "own" } }, "own"]] as const) {
    const archiveLocation = { archiveLogs: true, s3: { ...S3, key: "wf/pod" } };
    await using pod = await ownPod({ ...listing([], own), archiveLocation });
    const store = memoryStore();
    store.objects.set(`${key}/a`, new Uint8Array());
    assertEquals(await data({ ...pod.world, driverFor: store.driverFor }, signal), 0);
    assertEquals(store.places, [{ store: "s3", key, settings: { endpoint: "e", bucket: "b" } }]);
    const report = await pod.report();
    assertEquals(report.outputs?.result, JSON.stringify([`${key}/a`]));
    // No container beside main could end the report, whatever the repository says of logs.
    assertEquals([report.isWhole, report.phase], [true, "Succeeded"]);
  }
});

Deno.test("data() lists all of a bucket where its artifact names a store and no key, with what the repository adds", async () => {
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

Deno.test("data() says that there is nothing of a key, and how many files were too many for a result", async () => {
  await using pod = await ownPod(listing([]));
  assertStringIncludes(await failure(pod, storeOf([])) ?? "", "no key found of name files");
  await using other = await ownPod(listing([]));
  const many = storeOf(Array.from({ length: 9000 }, (_, index) => `${index}-${"x".repeat(150)}`));
  assertStringIncludes(await failure(other, many) ?? "", "the list of 9000 files comes to a result of");
});

Deno.test("data() looks through 100,000 files, of which a few may be left (AR-130)", async () => {
  await using pod = await ownPod(listing(['filter(data, {# endsWith "77777"})']));
  const many = storeOf(Array.from({ length: 100_000 }, (_, index) => `${index}`));
  assertEquals(await data({ ...pod.world, driverFor: many }, signal), 0);
  assertEquals((await pod.report()).outputs?.result, '["files/77777"]');
});

Deno.test("data() names the step that fails", async () => {
  await using pod = await ownPod(listing(["data", "nope(data)"]));
  assertEquals(
    (await failure(pod, storeOf(["a"])))?.split("\n").at(0)?.replace(/: unknown.*/, ""),
    "unable to process data template: unable to process data transformation: error processing data step 1",
  );
});

Deno.test("data() says of a store that cannot be listed, and of one without a driver, what is wrong", async () => {
  const prefix = "unable to process data template: unable to process data source: unable to source artifact paths: ";
  await using raw = await ownPod(listing([], { raw: { data: "x" } }));
  assertEquals(
    await failure(raw),
    `${prefix}artifact "files" lies in a store of kind raw, which cannot be listed: ` +
      "a data template needs artifactPaths in a store that can",
  );
  await using pod = await ownPod(listing([]));
  assertEquals(
    await failure(pod, () => Promise.reject(new Error("no driver for user:secret@host"))),
    `${prefix}no driver for user:secret@host`,
  );
});

Deno.test("data() needs a source", async () => {
  await using pod = await ownPod({ data: { source: {} } });
  assertEquals(
    await failure(pod),
    "unable to process data template: unable to process data source: no valid source is used for data template",
  );
});
