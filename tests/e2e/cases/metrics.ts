/** The metrics of the installed controller, read by a real Prometheus. */
import { assertEquals } from "@std/assert";
import { awaitFact } from "../../await_fact.ts";
import { problemsOf, Prometheus, prometheusPrograms } from "../../prometheus/prometheus.ts";
import type { Case, Stage } from "../case.ts";
import { WorkflowRun } from "../workflow_run.ts";

export const METRICS: readonly Case[] = [
  {
    title: "metrics: a real Prometheus reads them from the controller, and counts a workflow that succeeded",
    async run(stage) {
      const programs = await prometheusPrograms();
      if (!programs) throw new Error("Expected Prometheus: install it, or run apt-get download prometheus");
      const before = succeeded(await pageOf(stage));
      const run = await WorkflowRun.create(stage, "hello.yaml");
      await run.awaitSuccess();
      const page = await pageOf(stage);
      assertEquals(await problemsOf(programs.promtool, page), "");
      // A proxy through the API server, so that the pod is reachable from wherever the cluster is.
      await using server = Deno.serve(
        { port: 0, hostname: "127.0.0.1", onListen() {} },
        async () => new Response(await pageOf(stage), { headers: { "content-type": "text/plain; version=0.0.4" } }),
      );
      const target = `http://127.0.0.1:${(server.addr as Deno.NetAddr).port}/metrics`;
      await using prometheus = await Prometheus.start(programs.prometheus, target);
      await awaitFact("the workflow is counted", async () => {
        const [found] = await prometheus.query('sum(argo_workflows_total_count{phase="Succeeded"})');
        return Number(found?.value[1]) > before;
      }, { seconds: 120 });
      return `${(await prometheus.types()).size} metrics`;
    },
  },
];

/** The metrics page of the controller's pod, over TLS. */
async function pageOf({ kubectl, namespace }: Stage): Promise<string> {
  const pods = await kubectl.json<{ items: { metadata: { name: string }; status: { phase: string } }[] }>(
    "-n",
    namespace,
    "get",
    "pods",
    "-l",
    "app=workflow-controller",
  );
  const pod = pods.items.find(({ status }) => status.phase === "Running");
  return await kubectl.output(
    "get",
    "--raw",
    `/api/v1/namespaces/${namespace}/pods/https:${pod?.metadata.name}:9090/proxy/metrics`,
  );
}

function succeeded(page: string): number {
  const lines = page.split("\n").filter((line) => /^argo_workflows_total_count\{.*phase="Succeeded"/.test(line));
  return lines.reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
}
