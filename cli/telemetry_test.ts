/** Telemetry of the embedded cluster. */
import { assert, assertEquals } from "@std/assert";
import { needs } from "../lib/base/testing/needs.ts";

const MAIN = new URL("main.ts", import.meta.url).pathname;

const WORKFLOW = `apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: {name: w}
spec:
  entrypoint: main
  templates: [{name: main, container: {image: none, command: [sh, -c], args: ['test -n "$TRACEPARENT"']}}]
`;

/** The fields of a span in OTLP JSON that the test reads. */
interface OtlpSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
}

/** The body of a request to the collector. */
interface OtlpRequest {
  readonly resourceSpans?: readonly { readonly scopeSpans: readonly { readonly spans: readonly OtlpSpan[] }[] }[];
  readonly resourceMetrics?: readonly {
    readonly scopeMetrics: readonly { readonly metrics: readonly { readonly name: string }[] }[];
  }[];
}

/** Runs `tiphys run` with environment variables. */
async function run(variables: Readonly<Record<string, string>>) {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(`${folder}/w.yaml`, WORKFLOW);
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-check", MAIN, "run", "w.yaml", "--runtime", "host", "--data", `${folder}/data`],
      cwd: folder,
      env: variables,
      stdin: "null",
    }).output();
    return { code, output: new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr) };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test({
  ...needs(
    "Linux",
    Deno.build.os === "linux",
    "telemetry: a run sends a trace with spans for reconciliation and nodes, and metrics",
  ),
  async fn() {
    const requests: OtlpRequest[] = [];
    await using server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async (request) => {
      requests.push(await request.json());
      return Response.json({});
    });
    const { code, output } = await run({
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${server.addr.port}`,
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
    });
    assertEquals(code, 0, output);
    const spans = requests.flatMap(({ resourceSpans = [] }) => resourceSpans)
      .flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans));
    const workflow = spans.find(({ name }) => name === "workflow");
    assert(workflow, "no span of the workflow");
    const ofWorkflow = spans.filter(({ traceId }) => traceId === workflow.traceId);
    const under = new Set(
      ofWorkflow.filter((otlpSpan) => otlpSpan.parentSpanId === workflow.spanId).map(({ name }) => name),
    );
    assertEquals(["node", "reconcile_workflow"].filter((name) => !under.has(name)), []);
    const passes = new Set(ofWorkflow.filter(({ name }) => name === "reconcile_workflow").map(({ spanId }) => spanId));
    const writes = ofWorkflow.filter(({ name }) => name === "persist_updates");
    assertEquals([writes.length > 0, writes.filter((span) => !passes.has(span.parentSpanId ?? ""))], [true, []]);
    assert(ofWorkflow.some(({ name }) => name === "run_main_container"), "no span of the pod, which ends last");
    assert(spans.some(({ name }) => name === "startup_controller"), "no span of the start");
    const metrics = requests.flatMap(({ resourceMetrics = [] }) => resourceMetrics)
      .flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics));
    assert(metrics.some(({ name }) => name === "total_count"), "no metrics of workflows");
  },
});

Deno.test("telemetry: an invalid variable exits with 2 and an error that names it", async () => {
  const { code, output } = await run({
    OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1",
    OTEL_EXPORTER_OTLP_PROTOCOL: "smoke",
  });
  assertEquals([code, output.includes("OTEL_EXPORTER_OTLP_PROTOCOL")], [2, true], output);
});
