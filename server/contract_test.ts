/** The contract tests of the service, run against this server: the CLI and the page see the same behavior. */
import { PROMISES } from "../lib/service/testing/contract.ts";
import { contractBench } from "./testing/contract_bench.ts";
import { NAMESPACE, serverBench } from "./testing/server_bench.ts";

for (const { title, keep } of PROMISES) {
  Deno.test(`the service over a server: ${title}`, async () => {
    await using bench = await serverBench(["server"]);
    await keep(contractBench(bench.api, bench.admin, NAMESPACE, bench.ask));
  });
}
