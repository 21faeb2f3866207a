/** Workflows of the cluster that cannot be parsed, as a cluster with minimal CRDs may store them. */
import { assertEquals } from "@std/assert";
import type { Workflow } from "@tiphys/model/api";
import { LABEL } from "@tiphys/base/constants";
import { WORKFLOWS } from "@tiphys/kube";
import { asIs, showingAsIs } from "../../tests/controller/as_is.ts";
import { listen } from "../listen/listen.ts";
import { requesterFor } from "../testing/answers.ts";
import { faultyBench } from "../testing/faulty_bench.ts";
import { GrpcClient } from "../testing/grpc_client.ts";
import { NAMESPACE, type ServerBench } from "../testing/server_bench.ts";
import { CODE } from "../wire/errors.ts";

const SPEC = { entrypoint: "main", templates: [{ name: "main", suspend: {} }] };
const PATH = `/api/v1/workflows/${NAMESPACE}`;
const WHY = "the Workflow w cannot be read: status.nodes.x.name is required";

/** A server of a cluster with two unreadable workflows: `w` is running, `over` has finished. */
async function openBench(): Promise<ServerBench> {
  const bench = await faultyBench((method, path, next) => showingAsIs({ method, path, body: undefined }, next));
  for (const [name, phase] of [["w", "Running"], ["over", "Failed"]] as const) {
    const workflow = { apiVersion: "argoproj.io/v1alpha1", kind: "Workflow", metadata: { name }, spec: SPEC };
    await bench.admin.create(WORKFLOWS, NAMESPACE, asIs(workflow, { status: { phase, nodes: { x: { id: "x" } } } }));
  }
  return bench;
}

const ENDINGS = [["stop", "Stop"], ["terminate", "Terminate"]] as const;

/** The fields of the placeholder row of an unreadable workflow. */
const rowOf = ({ metadata, spec, status }: Workflow) => [metadata.name, spec, status?.phase, status?.message];

Deno.test("unreadable workflow: can be stopped, terminated and deleted, and the response contains the reason", async () => {
  await using bench = await openBench();
  const ask = (method: string, path: string, body?: unknown) =>
    requesterFor(bench, method, `${PATH}/${path}`, { body });
  for (const [word, shutdown] of ENDINGS) {
    const { status, json } = await ask("PUT", `w/${word}`, {});
    assertEquals([status, ...rowOf(json)], [200, "w", { arguments: {} }, "Error", WHY]);
    assertEquals(json.metadata.labels[LABEL.action], shutdown);
    const { spec } = await bench.admin.get<Workflow>(WORKFLOWS, NAMESPACE, "w");
    assertEquals<unknown>(spec, { ...SPEC, shutdown });
    const refused = await ask("PUT", `over/${word}`, {});
    assertEquals([refused.status, refused.json], [400, {
      code: CODE.failedPrecondition,
      message: `cannot shutdown a completed workflow: workflow: "over", namespace: "${NAMESPACE}"`,
    }]);
  }
  for (const word of ["suspend", "resume", "retry", "resubmit"]) {
    assertEquals((await ask("PUT", `w/${word}`, {})).json, { code: CODE.invalidArgument, message: WHY }, word);
  }
  assertEquals((await ask("DELETE", "w")).text, "{}");
  assertEquals((await ask("GET", "w")).status, 404);
});

Deno.test("unreadable workflow: can be stopped and terminated over gRPC, and the response contains the reason", async () => {
  await using bench = await openBench();
  const listening = await listen({ hostname: "127.0.0.1", port: 0, handler: bench.handler });
  try {
    using client = new GrpcClient(`127.0.0.1:${listening.port}`);
    for (const [word, shutdown] of ENDINGS) {
      const method = `/workflow.WorkflowService/${word[0]!.toUpperCase()}${word.slice(1)}Workflow`;
      const { answer } = await client.call(method, { name: "w", namespace: NAMESPACE });
      const [name, , phase, message] = rowOf(answer as Workflow);
      assertEquals([name, phase, message], ["w", "Error", WHY]);
      const { spec } = await bench.admin.get<Workflow>(WORKFLOWS, NAMESPACE, "w");
      assertEquals(spec.shutdown, shutdown);
    }
  } finally {
    await listening.close();
  }
});
