import { assertEquals, assertRejects } from "@std/assert";
import { ENV, PATH } from "@tiphys/base/constants";
import { openReport } from "./report.ts";
import { type TestWorld, testWorld } from "../testing/world.ts";

interface Api extends AsyncDisposable {
  readonly world: TestWorld;
  readonly requests: string[];
  /** The request bodies, in order. */
  readonly sent: Record<string, unknown>[];
}

/** An API server that returns the given responses in order, and repeats the last one. */
async function startApi(...answers: [status: number, message: string][]): Promise<Api> {
  const asked: string[] = [];
  const sent: Record<string, unknown>[] = [];
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async (request) => {
    const [status, message] = answers[asked.length] ?? answers.at(-1) ?? [500, "no answer is left"];
    const body = await request.json();
    asked.push(`${request.method} ${body.metadata?.name ?? ""}`.trim());
    sent.push(body);
    return Response.json({ kind: "Status", code: status, reason: REASONS[status], message }, { status });
  });
  const world = await testWorld({
    env: {
      KUBERNETES_SERVICE_HOST: "127.0.0.1",
      KUBERNETES_SERVICE_PORT: String(server.addr.port),
      [ENV.apiScheme]: "http",
      [ENV.nodeId]: "wf-1",
      [ENV.workflowName]: "wf",
      [ENV.workflowUid]: "u",
    },
    // Timers fire immediately.
    clock: {
      now: Date.now,
      after(_, act) {
        queueMicrotask(act);
        return () => {};
      },
    },
  });
  await world.write(`${PATH.serviceAccount}/namespace`, "ns");
  await world.write(`${PATH.serviceAccount}/token`, "t");
  return {
    world,
    requests: asked,
    sent,
    async [Symbol.asyncDispose]() {
      await server.shutdown();
      await world[Symbol.asyncDispose]();
    },
  };
}

const REASONS: Record<number, string> = {
  201: "",
  403: "Forbidden",
  404: "NotFound",
  409: "AlreadyExists",
  500: "InternalError",
  503: "ServiceUnavailable",
};

const FORBIDDEN = 'workflowtaskresults.argoproj.io is forbidden: User "default" cannot create resource';

Deno.test("openReport: retries for as long as the API server fails", async () => {
  const trouble: [number, string][] = Array.from({ length: 12 }, () => [503, "not now"]);
  await using api = await startApi(...trouble, [201, ""]);
  await openReport(api.world);
  assertEquals(api.requests.length, 13);
});

Deno.test("openReport: does not retry Forbidden, and the error begins with the API server's and links to the required permissions", async () => {
  await using api = await startApi([403, FORBIDDEN]);
  const error = await assertRejects(() => openReport(api.world), Error);
  assertEquals(
    error.message,
    `${FORBIDDEN}; failed to patch task result, see https://argo-workflows.readthedocs.io/en/latest/workflow-rbac/`,
  );
  assertEquals(api.requests.length, 1);
});

Deno.test("openReport: reopens an existing report", async () => {
  await using api = await startApi([409, "there already"], [200, ""]);
  await openReport(api.world);
  assertEquals(api.requests, ["POST wf-1", "PATCH"]);
});

Deno.test("report: a deleted report is created again by the next write", async () => {
  await using api = await startApi([201, ""], [404, "gone"], [201, ""]);
  const report = await openReport(api.world);
  await report.progress("1/2");
  assertEquals(api.requests, ["POST wf-1", "PATCH", "POST wf-1"]);
});

Deno.test("report: closing removes a phase and outputs that another client wrote in the meantime", async () => {
  await using api = await startApi([201, ""], [200, ""], [200, ""]);
  const report = await openReport(api.world);
  await report.close({ outputs: { result: "mine" }, succeeded: false });
  const [, closing] = api.sent;
  assertEquals(closing?.phase, null);
  assertEquals(closing?.outputs, { result: "mine", parameters: null, artifacts: null, exitCode: null });
});
