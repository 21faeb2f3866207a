/**
 * Runs the contract of the service on Argo's own server, so that the CLI behaves the same with it as with ours, except
 * for listed differences.
 */
import { assertEquals, assertRejects } from "@std/assert";
import { NAMESPACES } from "@tiphys/kube";
import { needs } from "../../lib/base/testing/needs.ts";
import { PROMISES } from "../../lib/service/testing/contract.ts";
import { createApiServer } from "../../local/api/mod.ts";
import { type AskServer, contractBench } from "../../server/testing/contract_bench.ts";
import { ARGO_PROGRAM, startArgoServer } from "./argo_server.ts";

const NAMESPACE = "tenant";

/** Statements of the contract that Argo's server violates, with its behavior. */
const VIOLATED: Readonly<Record<string, string>> = {
  "list: the pages together contain every workflow exactly once": "a page has no token for the next one",
  "why: returns the reason why a workflow waits, and nothing for a completed one": "the route does not exist",
  "stop, terminate, suspend: change a running workflow and reject a completed one":
    "the error is that of a server error",
  "resume: resumes the whole workflow or only the selected nodes":
    "an error about a selector without a matching node is that of a server error",
  "retry, resubmit: accept a failed workflow, and retry rejects a running one":
    "the empty phase of a retried workflow is omitted",
  "retry: an outdated resourceVersion is a conflict and changes nothing": "the field does not exist",
  "lint: resolves stored templates and reports a missing one":
    "a template is used once it is in the server's cache, and a missing one is reported as not found instead of invalid",
};

Deno.test("contract: each listed difference is a statement of the contract", () => {
  const titles = PROMISES.map(({ title }) => title);
  assertEquals(Object.keys(VIOLATED).filter((title) => !titles.includes(title)), []);
});

for (const { title, keep } of PROMISES) {
  const isFulfilled = !(title in VIOLATED);
  Deno.test({
    ...needs(
      "ARGO_CLI, Argo's program",
      ARGO_PROGRAM !== undefined,
      `contract with Argo's server${isFulfilled ? "" : " (violated)"}: ${title}`,
    ),
    async fn() {
      const api = createApiServer({ storePath: ":memory:" });
      const admin = api.client();
      try {
        await admin.create(NAMESPACES, undefined, {
          apiVersion: "v1",
          kind: "Namespace",
          metadata: { name: NAMESPACE },
        });
        await using server = await startArgoServer(api, { authMode: "server" });
        const ask: AskServer = (method, path, options) => {
          const headers = { ...options?.headers, "content-type": "application/json" };
          return fetch(`${server.address}${path}`, { ...options, method, headers });
        };
        const kept = keep(contractBench(api, admin, NAMESPACE, ask));
        await (isFulfilled ? kept : assertRejects(() => kept));
      } finally {
        api.close();
      }
    },
  });
}
