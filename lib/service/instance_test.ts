import { assertEquals } from "@std/assert";
import { createApiServer } from "../../local/api/mod.ts";
import type { Workflow } from "@tiphys/model/api";
import { LABEL } from "@tiphys/base/constants";
import { ClusterService } from "./cluster_service.ts";

const template = { entrypoint: "main", templates: [{ name: "main", suspend: {} }] };

function object(kind: string, name: string, spec: object = template) {
  return { apiVersion: "argoproj.io/v1alpha1", kind, metadata: { name }, spec };
}

Deno.test("instance: a service with an instance labels the objects that it creates, and lists only objects with that label", async () => {
  const api = createApiServer({ storePath: ":memory:" });
  try {
    const all = new ClusterService(api.client());
    const first = new ClusterService(api.client(), undefined, { instanceId: "one" });
    for (const [service, name] of [[all, "of-none"], [first, "of-one"]] as const) {
      const workflow = object("Workflow", name) as Workflow;
      await service.create("default", { ...workflow, status: { phase: "Failed" } } as Workflow);
      await service.resubmit("default", name);
      await service.templates.create("default", object("WorkflowTemplate", name));
      await service.clusterTemplates.create("default", object("ClusterWorkflowTemplate", name));
      const spec = { schedules: ["0 0 1 1 *"], workflowSpec: template };
      await service.cronWorkflows.create("default", object("CronWorkflow", name, spec));
    }
    for (const labelSelector of [undefined, LABEL.instanceId]) {
      const { items } = await first.list("default", { labelSelector });
      assertEquals(items.length, 2);
      assertEquals(new Set(items.map(({ metadata }) => metadata.labels?.[LABEL.instanceId])), new Set(["one"]));
    }
    for (const kind of ["templates", "clusterTemplates", "cronWorkflows"] as const) {
      const names = (items: readonly { readonly metadata: { readonly name?: string } }[]) =>
        items.map(({ metadata }) => metadata.name).sort();
      assertEquals(names(await first[kind].list("default")), ["of-one"]);
      assertEquals(names(await all[kind].list("default")), ["of-none", "of-one"]);
    }
    assertEquals((await all.list("default")).items.length, 4);
  } finally {
    api.close();
  }
});
