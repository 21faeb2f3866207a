import { assertEquals } from "@std/assert";
import type { Workflow } from "@tiphys/model/api";
import { API_VERSION, LABEL } from "@tiphys/base/constants";
import { type KubeClient, WORKFLOW_TASK_RESULTS, WORKFLOWS } from "@tiphys/kube";
import { createApiServer } from "../../local/api/mod.ts";
import { awaitFact } from "../../tests/await_fact.ts";
import { KnownWorkflows } from "./known_workflow.ts";
import { listen } from "./listen.ts";
import { makeCaches, sharedCopies } from "./observe/caches.ts";

const NAMESPACE = "default";

/** A finished workflow for which nothing remains to be done. */
async function finished(client: KubeClient, name: string): Promise<Workflow> {
  return await client.create<Workflow>(WORKFLOWS, NAMESPACE, {
    apiVersion: API_VERSION,
    kind: "Workflow",
    metadata: { name, labels: { [LABEL.completed]: "true" } },
    spec: {},
    status: { phase: "Succeeded" },
  });
}

async function report(client: KubeClient, name: string, workflow: string): Promise<void> {
  const metadata = { name, labels: { [LABEL.workflow]: workflow } };
  await client.create(WORKFLOW_TASK_RESULTS, NAMESPACE, {
    apiVersion: API_VERSION,
    kind: "WorkflowTaskResult",
    metadata,
  });
}

Deno.test("listen(): the deletion of a report wakes its workflow, unless that has finished and was released", async () => {
  const api = createApiServer({ storePath: ":memory:" });
  const stop = new AbortController();
  try {
    const client = api.client();
    const names = ["let-go", "kept", "vanished"];
    const letGo = await finished(client, "let-go");
    const kept = await finished(client, "kept");
    for (const name of names) await report(client, `report-of-${name}`, name);
    const log = { debug() {}, info() {}, warn() {}, error() {} };
    const copies = sharedCopies({ client, log });
    const { caches, start } = makeCaches({ client, log, copies });
    const known = new KnownWorkflows();
    known.of(`${NAMESPACE}/kept`, kept);
    const woken: string[] = [];
    await Promise.all(Object.values(copies).map((informer) => informer.start(stop.signal)));
    listen(caches, {
      knownWorkflows: known,
      loop: { add: (key) => void woken.push(key), forget() {} },
      throttle: { recordState() {}, forget() {} },
      orphans: { onPod() {} },
      terminator: { recheckPod() {} },
    });
    await start(stop.signal);
    woken.length = 0;
    for (const name of names) await client.delete(WORKFLOW_TASK_RESULTS, NAMESPACE, `report-of-${name}`);
    // Reports are delivered in order: after the last one, all others have been processed.
    await report(client, "report", letGo.metadata.name!);
    await awaitFact("a new report wakes its workflow", () => woken.includes(`${NAMESPACE}/let-go`), { seconds: 10 });
    assertEquals(woken, [`${NAMESPACE}/kept`, `${NAMESPACE}/vanished`, `${NAMESPACE}/let-go`]);
  } finally {
    stop.abort();
    api.close();
  }
});
