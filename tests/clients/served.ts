/** Starts servers for each kind of access: with or without authentication, with or without TLS. */
import { ownCertificate } from "@tiphys/base/x509";
import { CLUSTER_WORKFLOW_TEMPLATES, CRON_WORKFLOWS, WORKFLOW_TEMPLATES, WORKFLOWS } from "@tiphys/kube";
import { TEMPLATE_TYPES, type TemplateType } from "@tiphys/model/templates";
import type { Workflow } from "@tiphys/model/api";
import { listen } from "../../server/listen/listen.ts";
import { endedWorkflow } from "../../server/testing/archive_bench.ts";
import { NAMESPACE } from "../../server/testing/server_bench.ts";
import { type ArtifactBench, artifactBench } from "../../server/testing/artifact_bench.ts";

/** A combination of auth mode and TLS with which clients access a server. */
export interface Access {
  readonly name: string;
  readonly mode: "client" | "server";
  readonly tls: boolean;
  /** Whether `hera_examples` runs with this combination. One per auth mode is enough. */
  readonly hasExamples: boolean;
}

/** The combinations of auth mode and TLS that are tested. */
export const ACCESSES: readonly Access[] = [
  { name: "with a token over TLS", mode: "client", tls: true, hasExamples: true },
  { name: "with a token", mode: "client", tls: false, hasExamples: false },
  { name: "without a token over TLS", mode: "server", tls: true, hasExamples: false },
  { name: "without a token", mode: "server", tls: false, hasExamples: true },
];

/** A listening server, and its bench. */
export interface ServedBench extends AsyncDisposable {
  /** Without a slash at the end. */
  readonly address: string;
  /** The token of a user with all rights; empty if requests are anonymous. */
  readonly token: string;
  readonly bench: ArtifactBench;
}

/** The artifacts of the workflow "w", by key. Each is an input and an output of its node; one is a folder. */
export const FILES = { "report.txt": "all is well", "old.txt": "it was", "folder/a.txt": "within" };

const KINDS = [
  ...["workflows", "workflowtemplates", "clusterworkflowtemplates", "cronworkflows", "workfloweventbindings"].map(
    (resource) => ({ group: "argoproj.io", resource }),
  ),
  ...["eventsources", "sensors"].map((resource) => ({ group: "argoproj.io", resource })),
  ...["pods", "configmaps", "secrets", "events", "serviceaccounts"].map((resource) => ({ group: "", resource })),
];

/** All rights that the routes check. */
const RIGHTS = [
  ...["get", "list", "watch", "create", "update", "patch", "delete"].flatMap((verb) =>
    KINDS.map((kind) => ({ verb, ...kind }))
  ),
  { verb: "get", group: "", resource: "pods", subresource: "log" },
];

/** A template of each type, without the fields that Argo's clients require and that the minimal CRDs let users omit. */
const TEMPLATES: Readonly<Record<TemplateType, object>> = {
  container: {
    container: { image: "busybox" },
    metrics: { prometheus: [{ name: "m", help: "h", gauge: { value: "1", realtime: false } }] },
  },
  containerSet: { containerSet: { containers: [{ name: "main", image: "busybox" }] } },
  steps: { steps: [[{ name: "a", template: "container" }]] },
  dag: { dag: { tasks: [{ name: "a", template: "container", hooks: { exit: { template: "script" } } }] } },
  script: { script: { image: "busybox", source: "true" }, memoize: { key: "k", cache: { configMap: { name: "c" } } } },
  resource: { resource: { action: "get", manifest: "{}" } },
  data: { data: { source: { artifactPaths: { s3: { key: "k" } } }, transformation: [{ expression: "data" }] } },
  suspend: { suspend: {} },
  http: { http: { url: "http://example.com", headers: [{ name: "a" }] } },
  plugin: { plugin: { hello: {} } },
};

/**
 * Stores objects named "every" with a template of every type: a workflow, its archived copy, templates and a schedule.
 */
export async function storeEveryType({ server: { admin }, archive }: ArtifactBench): Promise<void> {
  const templates = Object.entries(TEMPLATES).map(([name, template]) => ({ name, ...template }));
  const spec = { entrypoint: "steps", templates };
  const ended = endedWorkflow("every", 2);
  const nodes = Object.fromEntries(
    Object.entries(TEMPLATE_TYPES).map(([templateName, { node: type }]) => {
      const node = { ...ended.status!.nodes!.every!, id: `every-${templateName}`, type, templateName };
      return [node.id, node];
    }),
  );
  const workflow = { ...ended, spec, status: { ...ended.status, nodes } } as Workflow;
  const { apiVersion, metadata: { uid: _, ...metadata } } = workflow;
  const created = await admin.create<Workflow>(WORKFLOWS, NAMESPACE, { ...workflow, metadata });
  await archive.archive({ ...workflow, metadata: created.metadata });
  const named = { apiVersion, metadata: { name: "every" } };
  await admin.create(WORKFLOW_TEMPLATES, NAMESPACE, { ...named, kind: "WorkflowTemplate", spec });
  await admin.create(CLUSTER_WORKFLOW_TEMPLATES, undefined, { ...named, kind: "ClusterWorkflowTemplate", spec });
  const schedule = { schedules: ["0 0 1 1 *"], workflowSpec: spec };
  await admin.create(CRON_WORKFLOWS, NAMESPACE, { ...named, kind: "CronWorkflow", spec: schedule });
}

/**
 * Starts a server with an archive and an artifact store. The workflow "w" has failed; the archive has a copy named
 * "old" with the UID "uid-old".
 */
export async function serveBench({ mode, tls }: Access): Promise<ServedBench> {
  await using opened = new AsyncDisposableStack();
  const bench = opened.use(await artifactBench(FILES, [mode]));
  const listening = await listen({
    hostname: "127.0.0.1",
    port: 0,
    tls: tls ? ownCertificate("ArgoProj", new Date()) : undefined,
    handler: bench.server.handler,
  });
  opened.defer(() => listening.close(0));
  const token = mode === "client" ? (await bench.server.account(RIGHTS)).token : "";
  const address = `${tls ? "https" : "http"}://127.0.0.1:${listening.port}`;
  const all = opened.move();
  return { address, token, bench, [Symbol.asyncDispose]: () => all.disposeAsync() };
}
