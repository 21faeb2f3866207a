/** The promises of the service, asked of Argo's own server: the CLI says of it what it says of ours, but for what is named. */
import { assertEquals, assertRejects } from "@std/assert";
import { NAMESPACES } from "@tiphys/kube";
import { needs } from "../../lib/base/testing/needs.ts";
import { PROMISES } from "../../lib/service/testing/contract.ts";
import { createApiServer } from "../../local/api/mod.ts";
import { type AskServer, contractBench } from "../../server/testing/contract_bench.ts";
import { ARGO_PROGRAM, startArgoServer } from "./argo_server.ts";

const NAMESPACE = "tenant";

/** Promises that Argo's server does not keep, each with what it does instead. */
const NOT_KEPT: Readonly<Record<string, string>> = {
  "pages follow each other until everything was listed once": "a page does not say where the next one begins",
  "a workflow says why it waits, and one that is over waits for nothing": "there is no such route",
  "what runs is stopped and terminated; what has ended is neither stopped nor suspended":
    "the refusal says that the server is at fault",
  "a suspended workflow goes on, as a whole or by the nodes that are chosen":
    "the refusal of a choice that means no node says that the server is at fault",
  "a failed workflow goes on, or is made again; what runs does not": "the phase that a retry makes empty is left out",
  "a retry that was planned on an older version is a conflict, and changes nothing": "there is no such field",
  "lint finds what is wrong, beside the templates that are stored":
    "a template counts once the server's copy has it, and one that is missing is not found instead of wrong",
};

Deno.test("each promise that Argo's server does not keep is one", () => {
  const titles = PROMISES.map(({ title }) => title);
  assertEquals(Object.keys(NOT_KEPT).filter((title) => !titles.includes(title)), []);
});

for (const { title, keep } of PROMISES) {
  const isKept = !(title in NOT_KEPT);
  Deno.test({
    ...needs(
      "ARGO_CLI, Argo's program",
      ARGO_PROGRAM !== undefined,
      `the service over Argo's server${isKept ? "" : " does not keep"}: ${title}`,
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
        await (isKept ? kept : assertRejects(() => kept));
      } finally {
        api.close();
      }
    },
  });
}
