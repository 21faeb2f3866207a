import { assert, assertEquals } from "@std/assert";
import json from "../../manifests/schema/api-routes.json" with { type: "json" };
import { curlLine, readRoutes, routesWith, servicesOf } from "./api_routes.ts";

const ROUTES = readRoutes(json);
const found = (words: string) => routesWith(ROUTES, words).map(({ id }) => id);

Deno.test("routesWith: finds routes that contain all words, each in any field", () => {
  assertEquals(found(""), ROUTES.map(({ id }) => id));
  assertEquals(found("DELETE  cron-workflows"), ["CronWorkflowService_DeleteCronWorkflow"]);
  assertEquals(found("workflowservice stream core.event"), ["WorkflowService_WatchEvents"]);
  assert(found("pods/log").includes("WorkflowService_PodLogs"));
  assertEquals(found("nothing of the kind"), []);
});

Deno.test("servicesOf: lists every route once", () => {
  const services = servicesOf(ROUTES);
  assertEquals(services.flatMap(({ routes }) => routes).length, ROUTES.length);
  assertEquals(new Set(services.map(({ name }) => name)).size, services.length);
});

Deno.test("ApiRoute: has the rights, the request and the response of a route", () => {
  const submit = ROUTES.find(({ id }) => id === "WorkflowService_SubmitWorkflow")!;
  assertEquals(submit.rights, ["create workflows", "get workflowtemplates"]);
  assertEquals([submit.body?.kind, submit.answer], ["workflow.WorkflowSubmitRequest", "argo.Workflow"]);
  assert(submit.body?.fields.includes("resourceKind: string"), String(submit.body?.fields));
  assertEquals(
    curlLine(submit),
    'curl -X POST -H "Authorization: $ARGO_TOKEN" -d @BODY.json ' +
      '"https://$ARGO_SERVER/api/v1/workflows/{namespace}/submit"',
  );
});

Deno.test("curlLine: prints a stream without buffering, and sends a file as a form", () => {
  const lineOf = (id: string) => curlLine(ROUTES.find((route) => route.id === id)!);
  assertEquals(
    lineOf("WorkflowService_WatchWorkflows"),
    'curl -N -H "Authorization: $ARGO_TOKEN" "https://$ARGO_SERVER/api/v1/workflow-events/{namespace}"',
  );
  assertEquals(
    lineOf("ArtifactService_UploadInputArtifact"),
    'curl -H "Authorization: $ARGO_TOKEN" -F file=@FILE ' +
      '"https://$ARGO_SERVER/upload-artifacts/{namespace}/{name}/{artifactName}"',
  );
});
