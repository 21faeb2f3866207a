import { assertEquals } from "@std/assert";
import { type Driver, NoDriverError } from "../../lib/artifact/mod.ts";
import { type OwnPod, ownPod } from "../testing/own_pod.ts";
import type { PodTemplate } from "../template.ts";
import type { World } from "../world.ts";
import { data } from "./data.ts";

const { signal } = new AbortController();

/** A store that holds these files, whatever it is asked for. */
function storeOf(files: readonly string[]): World["driverFor"] {
  const driver: Driver = {
    load: () => Promise.resolve(),
    save: () => Promise.resolve(),
    listObjects: () => Promise.resolve(files),
  };
  return () => Promise.resolve(driver);
}

function listing(expressions: readonly string[], store: Record<string, unknown> = { s3: {} }): PodTemplate {
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
  assertEquals([report.outputs?.result, report.phase, report.isWhole], ['["A.PY","C/D.PY"]', "Succeeded", true]);
});

Deno.test("data() without steps reports all files", async () => {
  await using pod = await ownPod(listing([]));
  assertEquals(await data({ ...pod.world, driverFor: storeOf(["a", "b<c>"]) }, signal), 0);
  assertEquals((await pod.report()).outputs?.result, '["a","b\\u003cc\\u003e"]');
});

Deno.test("data() looks where the pod's artifacts go when its artifact names no store", async () => {
  await using pod = await ownPod({ ...listing([], {}), archiveLocation: { s3: { bucket: "b" } } });
  const asked: unknown[] = [];
  const find: World["driverFor"] = (artifact) => {
    asked.push(artifact);
    return storeOf([])(artifact);
  };
  assertEquals(await data({ ...pod.world, driverFor: find }, signal), 0);
  assertEquals(asked, [{ name: "files", s3: { bucket: "b" } }]);
});

Deno.test("data() names the step that fails", async () => {
  await using pod = await ownPod(listing(["data", "nope(data)"]));
  assertEquals(
    (await failure(pod, storeOf([])))?.split("\n")[0].replace(/: unknown.*/, ""),
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
  await using hdfs = await ownPod(listing([], { hdfs: {} }));
  const find: World["driverFor"] = () => Promise.reject(new NoDriverError("no driver"));
  assertEquals(await failure(hdfs, find), `${prefix}no driver`);
});

Deno.test("data() needs a source", async () => {
  await using pod = await ownPod({ data: { source: {} } });
  assertEquals(
    await failure(pod),
    "unable to process data template: unable to process data source: no valid source is used for data template",
  );
});
