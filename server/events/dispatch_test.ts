import { assertEquals } from "@std/assert";
import type { Workflow } from "@tiphys/model/api";
import { KubeClient, KubeError, WORKFLOW_EVENT_BINDINGS, WORKFLOW_TEMPLATES, WORKFLOWS } from "@tiphys/kube";
import { silentLog } from "@tiphys/base/log";
import { createApiServer } from "../../local/api/mod.ts";
import { dispatch, type EventCall } from "./dispatch.ts";

const API_VERSION = "argoproj.io/v1alpha1";

/** Dispatches an event to a binding on a cluster that loses the response to the first creation of a workflow. */
async function workflowsAfterLostResponse(metadata: Record<string, string> = {}) {
  const api = createApiServer({ storePath: ":memory:" });
  const transport = api.transport();
  let isLost = false;
  const client = new KubeClient({
    ...transport,
    async fetch(path, init = {}) {
      const response = await transport.fetch(path, init);
      if (init.method !== "POST" || !path.includes("/workflows") || isLost) return response;
      isLost = true;
      throw new KubeError("connection reset", { status: 0, reason: "NetworkError" });
    },
  });
  const admin = api.client();
  await admin.create(WORKFLOW_TEMPLATES, "n", {
    apiVersion: API_VERSION,
    kind: "WorkflowTemplate",
    metadata: { name: "t" },
    spec: { entrypoint: "main", templates: [{ name: "main", suspend: {} }] },
  });
  const submit = { workflowTemplateRef: { name: "t" }, metadata };
  await admin.create(WORKFLOW_EVENT_BINDINGS, "n", {
    apiVersion: API_VERSION,
    kind: "WorkflowEventBinding",
    metadata: { name: "b" },
    spec: { event: { selector: "true" }, submit },
  });
  const caller = { client, claims: { subject: "somebody", groups: [] } };
  const call = { caller, served: { log: silentLog, own: client }, gate: { check: () => Promise.resolve() } };
  const event = { namespace: "n", discriminator: "", payload: null, metadata: {} };
  const failures = await dispatch(call as unknown as EventCall, event);
  const { items } = await admin.list<Workflow>(WORKFLOWS, "n");
  api.close();
  return { isLost, failures, made: items.length };
}

Deno.test("dispatch: creates one workflow even if the response to its creation is lost", async () => {
  assertEquals(await workflowsAfterLostResponse(), { isLost: true, failures: [], made: 1 });
});
