/**
 * A workflow's `podSpecPatch` overrode every setting of the referenced template, although `templateReferencing` was
 * Strict.
 */
import { assertEquals } from "@std/assert";
import { WORKFLOWS } from "@tiphys/kube";
import { awaitOutcome, notPermittedMessage, podsOf, restrictedWorld, submit } from "../controller/restricted_world.ts";

const PATCH = JSON.stringify({
  containers: [{ name: "main", image: "evil", securityContext: { privileged: true } }],
});

for (const mode of ["Strict", "Secure"]) {
  Deno.test(`CVE-2026-31892: a workflow's podSpecPatch is refused where templateReferencing is ${mode}`, async () => {
    await using world = await restrictedWorld(mode);
    await world.startController();
    await submit(world, "at-start", { spec: { podSpecPatch: PATCH } });
    assertEquals(await awaitOutcome(world, "at-start"), notPermittedMessage("PodSpecPatch"));
    await submit(world, "later", { spec: { suspend: true } });
    await world.waitUntil(
      "the workflow is running",
      async () => (await world.workflow("later")).status?.phase === "Running",
    );
    await world.client.patch(WORKFLOWS, "default", "later", { spec: { podSpecPatch: PATCH, suspend: null } });
    assertEquals((await world.awaitEnd("later")).status?.message, notPermittedMessage("PodSpecPatch"));
    assertEquals(await podsOf(world, "later"), []);
  });
}
