import { assertEquals } from "@std/assert";
import { executorServiceAccount, tokenSecretOf } from "./service_account.ts";

Deno.test("executorServiceAccount() returns the template's, otherwise the workflow's, otherwise undefined", () => {
  const own = { executor: { serviceAccountName: "own" } };
  const shared = { executor: { serviceAccountName: "shared" } };
  assertEquals(executorServiceAccount(own, shared), "own");
  assertEquals(executorServiceAccount({}, shared), "shared");
  assertEquals(executorServiceAccount({ executor: { serviceAccountName: "" } }, {}), undefined);
});

Deno.test("tokenSecretOf() returns the first secret of the account, otherwise its annotation, otherwise the default name", () => {
  const annotations = { "workflows.argoproj.io/service-account-token.name": "annotated" };
  const account = { metadata: { name: "exec", annotations } };
  assertEquals(tokenSecretOf("exec", { ...account, secrets: [{ name: "first" }, { name: "second" }] }), "first");
  assertEquals(tokenSecretOf("exec", account), "annotated");
  assertEquals(tokenSecretOf("exec", { metadata: { name: "exec" } }), "exec.service-account-token");
  assertEquals(tokenSecretOf("exec", undefined), "exec.service-account-token");
});
