/** Tests of the command in its own process, bundled as in its image, so that nothing can be loaded from elsewhere. */
import { assertEquals, assertMatch } from "@std/assert";
import { CONFIGMAPS } from "@tiphys/kube";
import { awaitFact } from "../../tests/await_fact.ts";
import { startProgram } from "../testing/process.ts";
import { ownPod } from "../testing/own_pod.ts";

const MANIFEST = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: cm}\n";

Deno.test("argoexec resource: parses YAML and runs jq as a bundle", async () => {
  const parameters = [{ name: "name", valueFrom: { jqFilter: ".metadata.name" } }];
  await using pod = await ownPod({ resource: { manifest: MANIFEST }, outputs: { parameters } });
  const { status } = await startProgram(pod.world, ["resource", "create"], { env: pod.env });
  assertEquals([(await status).code, await pod.message()], [0, undefined]);
  const { outputs, isWhole } = await pod.report();
  assertEquals([outputs?.parameters?.[0]?.value, isWhole], ["cm", true]);
});

Deno.test("argoexec resource: on SIGTERM, closes its report and exits with 64", async () => {
  const resource = { manifest: MANIFEST, successCondition: "data.a == b" };
  await using pod = await ownPod({ resource });
  const process = await startProgram(pod.world, ["resource", "create"], { env: pod.env });
  const isMade = async () => (await pod.client.list(CONFIGMAPS, "ns")).items.length > 0;
  await awaitFact("the object is there, so its condition is waited for", isMade, { seconds: 60 });
  process.kill("SIGTERM");
  assertEquals((await process.status).code, 64);
  assertMatch(await pod.message() ?? "", /received SIGTERM before the work was done/);
  assertEquals((await pod.report()).isWhole, true);
});
