import { assertEquals } from "@std/assert";
import { refusedActs } from "./refused_acts.ts";

const CONTROLLER = "system:serviceaccount:argo:workflow-controller";

/** The message of the API server for a refused request. */
function refusal(account: string, verb: string, resource: string): string {
  return `${resource} is forbidden: User "${account}" cannot ${verb} resource "${resource}" in API group "" in the namespace "argo"`;
}

Deno.test("refusedActs: returns each refused request once, whether its message is plain or a quoted field of a log", () => {
  const text = [
    refusal(CONTROLLER, "list", "secrets"),
    `level=WARN msg="A watch failed" error=${JSON.stringify(`Error: ${refusal(CONTROLLER, "list", "secrets")}`)}`,
    `level=WARN error=${JSON.stringify(JSON.stringify(refusal(CONTROLLER, "create", "pods/exec")))}`,
  ].join("\n");
  assertEquals(refusedActs(text, CONTROLLER), ["create pods/exec", "list secrets"]);
});

Deno.test("refusedActs: ignores refusals to other accounts, and failures that are not caused by a role", () => {
  const text = [
    refusal("system:serviceaccount:argo:default", "create", "jobs"),
    refusal(`${CONTROLLER}-2`, "create", "jobs"),
    'pods "a" is forbidden: exceeded quota: small, requested: pods=1',
  ].join("\n");
  assertEquals(refusedActs(text, CONTROLLER), []);
});
