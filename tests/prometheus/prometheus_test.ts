import { assert, assertEquals } from "@std/assert";
import { serveMetrics } from "../../controller/metrics/metrics_server.ts";
import { ownCertificate } from "@tiphys/base/x509";
import { controllerMetrics } from "../../controller/metrics/own_metrics.ts";
import { BUILT_IN_METRICS } from "@tiphys/base/metrics";
import { awaitFact } from "../await_fact.ts";
import { ControllerWorld } from "../controller/world.ts";
import { problemsOf, Prometheus, prometheusPrograms } from "./prometheus.ts";

const programs = await prometheusPrograms();

const WORKFLOW = `
metadata: {name: w}
spec:
  entrypoint: main
  metrics:
    prometheus:
    - {name: mine, help: "of \\"mine\\" \\\\ and more", labels: [{key: how, value: "a \\"b\\" \\\\ c"}], counter: {value: "2"}}
  templates: [{name: main, container: {image: busybox, command: [echo]}}]`;

Deno.test({
  name: "metrics: Prometheus scrapes the controller over TLS, and promtool reports no problem",
  ignore: programs === undefined,
  async fn() {
    const metrics = controllerMetrics({ now: Date.now });
    await using world = new ControllerWorld();
    await world.startController({ metrics });
    await world.submit(WORKFLOW);
    await world.report(await world.awaitPod("w"), true);
    await world.startPod("w");
    await world.endPod("w");
    await world.waitUntil(
      "the workflow has succeeded",
      async () => (await world.workflow("w")).status?.phase === "Succeeded",
    );
    const tls = ownCertificate("workflow-controller", new Date());
    const server = serveMetrics(metrics, { port: 0, path: "/metrics", hostname: "127.0.0.1", tls });
    const target = `https://localhost:${server.addr.port}/metrics`;
    using client = Deno.createHttpClient({ caCerts: [tls.cert] });
    const page = await (await fetch(target, { client })).text();
    assertEquals(await problemsOf(programs!.promtool, page), "");
    {
      await using prometheus = await Prometheus.start(programs!.prometheus, target.replace("localhost", "127.0.0.1"));
      await awaitFact("the workflow is counted", async () => {
        const [found] = await prometheus.query('argo_workflows_total_count{phase="Succeeded"}');
        return found?.value[1] === "1";
      }, { seconds: 120 });
      const [mine] = await prometheus.query("argo_workflows_mine");
      assertEquals([mine?.metric.how, mine?.value[1]], ['a "b" \\ c', "2"]);
      const [leader] = await prometheus.query("argo_workflows_is_leader");
      assertEquals(leader?.value[1], "1");
      const [quantile] = await prometheus.query(
        "histogram_quantile(0.9, sum by (le) (argo_workflows_queue_duration_bucket))",
      );
      assert(Number(quantile?.value[1]) >= 0);
      const types = await prometheus.types();
      const served = BUILT_IN_METRICS.filter(({ name }) => types.has(`argo_workflows_${name}`));
      assertEquals(served.filter(({ name, type }) => types.get(`argo_workflows_${name}`) !== type), []);
    }
    await server.shutdown();
  },
});
