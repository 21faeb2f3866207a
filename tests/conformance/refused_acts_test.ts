import { assertEquals } from "@std/assert";
import { refusedActs } from "./refused_acts.ts";

const CONTROLLER = "system:serviceaccount:argo:workflow-controller";

/** Kubernetes' own message, as the API server says it. */
function refusal(account: string, verb: string, resource: string): string {
  return `${resource} is forbidden: User "${account}" cannot ${verb} resource "${resource}" in API group "" in the namespace "argo"`;
}

Deno.test("refusedActs() names each refused act once, whether its message stands alone or in a quoted field of a log", () => {
  const text = [
    refusal(CONTROLLER, "list", "secrets"),
    `level=WARN msg="A watch failed" error=${JSON.stringify(`Error: ${refusal(CONTROLLER, "list", "secrets")}`)}`,
    `level=WARN error=${JSON.stringify(JSON.stringify(refusal(CONTROLLER, "create", "pods/exec")))}`,
  ].join("\n");
  assertEquals(refusedActs(text, CONTROLLER), ["create pods/exec", "list secrets"]);
});

Deno.test("refusedActs() leaves alone what was refused to others, and failures that no role is to blame for", () => {
  const text = [
    refusal("system:serviceaccount:argo:default", "create", "jobs"),
    refusal(`${CONTROLLER}-2`, "create", "jobs"),
    'pods "a" is forbidden: exceeded quota: small, requested: pods=1',
  ].join("\n");
  assertEquals(refusedActs(text, CONTROLLER), []);
});
