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
  "pages follow each other until everything was listed once": "a page has no token for the next one",
  "a workflow says why it waits, and one that is over waits for nothing": "the route does not exist",
  "what runs is stopped and terminated; what has ended is neither stopped nor suspended":
    "the error is that of a server error",
  "a suspended workflow goes on, as a whole or by the nodes that are chosen":
    "an error about a selector without a matching node is that of a server error",
  "a failed workflow goes on, or is made again; what runs does not": "the empty phase of a retried workflow is omitted",
  "a retry that was planned on an older version is a conflict, and changes nothing": "the field does not exist",
  "lint finds what is wrong, beside the templates that are stored":
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
