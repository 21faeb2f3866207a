/**
 * All of `artifactGC` was allowed, including the patch, service account and metadata of the pod that deletes artifacts.
 */
import { assertEquals } from "@std/assert";
import {
  AS_GUARDED,
  awaitOutcome,
  notPermittedMessage,
  restrictedWorld,
  runFacts,
  submit,
} from "../controller/restricted_world.ts";

for (const mode of ["Strict", "Secure"]) {
  Deno.test(`CVE-2026-54526: ${mode} rejects fields of artifactGC that reach its pod, and accepts the others`, async () => {
    await using world = await restrictedWorld(mode);
    world.configure({ allowedOverrides: new Set(["artifactGC"]) }); // does not allow these nested fields
    await world.startController();
    const nested = { podSpecPatch: "{}", serviceAccountName: "admin", podMetadata: { labels: { a: "b" } } };
    const seen = await Promise.all(
      Object.entries(nested).map(async ([field, value], index) => {
        await submit(world, `w${index}`, { spec: { artifactGC: { strategy: "Never", [field]: value } } });
        return await awaitOutcome(world, `w${index}`);
      }),
    );
    const names = ["PodSpecPatch", "ServiceAccountName", "PodMetadata"];
    assertEquals(seen, names.map((name) => notPermittedMessage(`ArtifactGC.${name}`)));
    await submit(world, "w", { spec: { artifactGC: { strategy: "OnWorkflowDeletion", forceFinalizerRemoval: true } } });
    const pods = await awaitOutcome(world, "w");
    assertEquals(typeof pods === "string" ? pods : pods.map(runFacts), [AS_GUARDED]);
  });
}
