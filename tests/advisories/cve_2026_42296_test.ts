/**
 * With `podSpecPatch` rejected, other fields of a workflow still overrode its template: network, service account, user,
 * …
 */
import { assertEquals } from "@std/assert";
import { awaitOutcome, notPermittedMessage, restrictedWorld, submit } from "../controller/restricted_world.ts";

const FIELDS: Record<string, unknown> = {
  HostNetwork: true,
  ServiceAccountName: "admin",
  SecurityContext: { runAsUser: 0 },
  AutomountServiceAccountToken: true,
  Volumes: [{ name: "machine", hostPath: { path: "/" } }],
  Tolerations: [{ operator: "Exists" }],
  Templates: [{ name: "main", container: { image: "evil" } }],
  TemplateDefaults: { securityContext: { runAsUser: 0 } },
};

for (const mode of ["Strict", "Secure"]) {
  Deno.test(`CVE-2026-42296: fields that reach a pod are refused where templateReferencing is ${mode}`, async () => {
    await using world = await restrictedWorld(mode);
    await world.startController();
    const all = Object.keys(FIELDS);
    const wire = (field: string) => field[0]?.toLowerCase() + field.slice(1);
    const seen = await Promise.all(all.map(async (field, index) => {
      await submit(world, `w${index}`, { spec: { [wire(field)]: FIELDS[field] } });
      return await awaitOutcome(world, `w${index}`);
    }));
    assertEquals(seen, all.map((field) => notPermittedMessage(field)));
    const together = Object.fromEntries(all.map((field) => [wire(field), FIELDS[field]]));
    await submit(world, "together", { spec: together });
    assertEquals(await awaitOutcome(world, "together"), notPermittedMessage(...all.toSorted()));
  });
}
