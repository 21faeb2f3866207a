/** Restrictions of workflows: the server refuses before it creates a workflow (SEC-4). */
import { assertEquals } from "@std/assert";
import { WORKFLOW_TEMPLATES, WORKFLOWS } from "@tiphys/kube";
import type { Restriction } from "@tiphys/language/restrictions";
import { openServer } from "../testing/answers.ts";
import { archiveBench, endedWorkflow } from "../testing/archive_bench.ts";
import { NAMESPACE } from "../testing/server_bench.ts";

const PATH = `/api/v1/workflows/${NAMESPACE}`;
const NO_REFERENCE = "workflows must use workflowTemplateRef to be executed when the controller is in reference mode";
const notPermitted = (fields: string) =>
  `fields [${fields}] are not permitted when using workflowTemplateRef with templateReferencing restriction`;
const TEMPLATE = {
  apiVersion: "argoproj.io/v1alpha1",
  kind: "WorkflowTemplate",
  metadata: { name: "t" },
  spec: { entrypoint: "main", templates: [{ name: "main", container: { image: "busybox" } }] },
};
const SECRET_BUCKET = { name: "a", s3: { key: "k", accessKeySecret: { name: "s", key: "k" } } };

async function serverWithRestriction(restriction: Restriction | undefined) {
  const server = await openServer({ restriction: () => restriction });
  await server.bench.admin.create(WORKFLOW_TEMPLATES, NAMESPACE, TEMPLATE);
  const create = async (spec: Record<string, unknown>, more: Record<string, unknown> = {}) => {
    const workflow = { metadata: { generateName: "w-" }, spec };
    const { status, json } = await server.ask("POST", PATH, { workflow, ...more });
    return [status, json.message];
  };
  const there = async () => (await server.bench.admin.list(WORKFLOWS, NAMESPACE)).items.length;
  return { ...server, create, there, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

for (const templateReferencing of ["Strict", "Secure"] as const) {
  Deno.test(`restriction: a workflow with fields that ${templateReferencing} does not allow is refused before it is created`, async () => {
    await using server = await serverWithRestriction({ templateReferencing });
    const workflowTemplateRef = { name: "t" };
    assertEquals(await server.create(TEMPLATE.spec), [400, NO_REFERENCE]);
    const patched = { workflowTemplateRef, podSpecPatch: "{}", hostNetwork: true };
    assertEquals(await server.create(patched), [400, notPermitted("HostNetwork PodSpecPatch")]);
    assertEquals(await server.create(patched, { serverDryRun: true }), [400, notPermitted("HostNetwork PodSpecPatch")]);
    const dryRun = { createOptions: { dryRun: ["All"] } };
    assertEquals(await server.create(patched, dryRun), [400, notPermitted("HostNetwork PodSpecPatch")]);
    assertEquals(await server.create({ workflowTemplateRef, arguments: { artifacts: [SECRET_BUCKET] } }), [
      400,
      notPermitted("Arguments.Artifacts.S3.AccessKeySecret"),
    ]);
    assertEquals(await server.there(), 0);
    assertEquals(await server.create({ workflowTemplateRef, priority: 3 }), [200, undefined]);
    assertEquals(await server.there(), 1);
  });
}

Deno.test("restriction: a submission is checked by the fields that it sets in addition to its template", async () => {
  await using server = await serverWithRestriction({ templateReferencing: "Strict" });
  const submit = async (submitOptions: Record<string, unknown>) => {
    const body = { resourceKind: "WorkflowTemplate", resourceName: "t", submitOptions };
    const { status, json } = await server.ask("POST", `${PATH}/submit`, body);
    return [status, json.message];
  };
  assertEquals(await submit({ serviceAccount: "admin" }), [400, notPermitted("ServiceAccountName")]);
  assertEquals(await submit({ entryPoint: "main", priority: 1 }), [200, undefined]);
  assertEquals(await server.there(), 1);
});

Deno.test("restriction: fields that the administrator has allowed may be set", async () => {
  await using server = await serverWithRestriction({ templateReferencing: "Strict", opened: new Set(["hostNetwork"]) });
  const workflowTemplateRef = { name: "t" };
  assertEquals(await server.create({ workflowTemplateRef, hostNetwork: true }), [200, undefined]);
  assertEquals(await server.create({ workflowTemplateRef, nodeSelector: { a: "b" } }), [
    400,
    notPermitted("NodeSelector"),
  ]);
});

Deno.test("restriction: without one, any workflow may be created", async () => {
  await using server = await serverWithRestriction(undefined);
  assertEquals(await server.create({ ...TEMPLATE.spec, hostNetwork: true }), [200, undefined]);
});

Deno.test("restriction: an older workflow that violates it cannot be resubmitted, from the cluster or the archive", async () => {
  await using bench = await archiveBench(["server"], { restriction: () => ({ templateReferencing: "Strict" }) });
  const old = endedWorkflow("old", 1);
  await bench.archive.archive(old);
  await bench.server.admin.create(WORKFLOWS, NAMESPACE, { ...endedWorkflow("live", 2), status: undefined });
  for (
    const path of [`/api/v1/archived-workflows/${old.metadata.uid}/resubmit`, `${PATH}/live/resubmit`]
  ) {
    const body = { namespace: NAMESPACE };
    const response = await bench.server.ask("PUT", path, { body });
    assertEquals([response.status, (await response.json()).message], [400, NO_REFERENCE], path);
  }
});
