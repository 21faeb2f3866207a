/** Requests to the server with curl: the command that the page shows for each route, and each version of HTTP. */
import { assertEquals } from "@std/assert";
import json from "../../manifests/schema/api-routes.json" with { type: "json" };
import { locationOfRepository, withKey } from "@tiphys/model/artifact/location";
import {
  CLUSTER_WORKFLOW_TEMPLATES,
  CONFIGMAPS,
  CRON_WORKFLOWS,
  CUSTOM_RESOURCE_DEFINITIONS,
  EVENTS,
  type KubeObject,
  type Resource,
  WORKFLOW_TEMPLATES,
  WORKFLOWS,
} from "@tiphys/kube";
import { needs } from "../../lib/base/testing/needs.ts";
import { hasProgram, runCommand } from "../../scripts/command.ts";
import { EVENT_KINDS } from "../../server/argo_events/kinds.ts";
import { endedWorkflow } from "../../server/testing/archive_bench.ts";
import { NAMESPACE } from "../../server/testing/server_bench.ts";
import { type ApiRoute, curlLine, readRoutes } from "../../ui/model/api_routes.ts";
import { ACCESSES, serveBench, type ServedBench } from "./served.ts";

const ROUTES = readRoutes(json);
const HAS_CURL = await hasProgram("curl");

const SPEC = { entrypoint: "main", templates: [{ name: "main", container: { image: "busybox" } }] };
const CRON = { schedules: ["0 0 1 1 *"], workflowSpec: SPEC };
const API_VERSION = "argoproj.io/v1alpha1";

/** Values for the placeholders of a curl command: the names in its path, a required query, a body. */
interface RequestValues {
  readonly params: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly body?: unknown;
}

/** An output parameter that a user supplies, and a workflow that waits for it. */
const SUPPLIED = { parameters: [{ name: "a", valueFrom: { supplied: {} } }] };
const WAITING = { spec: { entrypoint: "main", templates: [{ name: "main", suspend: {}, outputs: SUPPLIED }] } };

/** A response as printed by curl: the status line and the headers, then the body. */
interface CurlResponse {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** Creates a folder with the settings of curl and the files that its commands name. */
async function curlFolder(settings: readonly string[]): Promise<AsyncDisposable & { readonly folder: string }> {
  const folder = await Deno.makeTempDir({ prefix: "curl-" });
  await Deno.writeTextFile(`${folder}/.curlrc`, ["silent", "show-error", "include", ...settings, ""].join("\n"));
  await Deno.writeTextFile(`${folder}/FILE`, "a file");
  return { folder, [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }) };
}

function parseResponse(text: string): CurlResponse {
  const index = text.indexOf("\r\n\r\n");
  const head = text.slice(0, index);
  return { status: Number(/^HTTP\/\S+ (\d+)/.exec(head)?.[1]), head, body: text.slice(index + 4) };
}

/** Runs a curl command in a shell until it exits. */
async function runCurl(line: string, { address, token }: ServedBench, folder: string): Promise<CurlResponse> {
  const { stdout, stderr, code } = await runCommand(["sh", "-c", line], {
    cwd: folder,
    env: envOf(address, token, folder),
  });
  assertEquals([code, stderr], [0, ""], line);
  return parseResponse(stdout);
}

/** Runs a curl command of a stream until its output satisfies `isEnough`, then kills it. */
async function runCurlStream(
  line: string,
  { address, token }: ServedBench,
  folder: string,
  isEnough: (text: string) => boolean = (text) => text.includes("\r\n\r\n"),
): Promise<CurlResponse> {
  await using child = new Deno.Command("sh", {
    args: ["-c", `exec ${line}`],
    cwd: folder,
    env: envOf(address, token, folder),
    stdin: "null",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  let text = "";
  for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    if (isEnough(text)) break;
  }
  return parseResponse(text);
}

function envOf(address: string, token: string, folder: string) {
  return { CURL_HOME: folder, ARGO_SERVER: new URL(address).host, ARGO_TOKEN: `Bearer ${token}` };
}

/** Creates the objects that a request to a route needs, with names that no other route uses, and returns the values. */
async function requestValues(route: ApiRoute, number: number, { bench }: ServedBench): Promise<RequestValues> {
  const { server: { admin }, archive, store } = bench;
  const name = `of-${number}`;
  const metadata = { name, namespace: NAMESPACE };
  const of = (kind: string, spec: unknown) => ({ apiVersion: API_VERSION, kind, metadata, spec });
  const put = async (resource: Resource, object: unknown) =>
    await admin.create<KubeObject>(resource, resource.namespaced ? NAMESPACE : undefined, object as KubeObject);
  const params = { namespace: NAMESPACE, name };
  const [service, verb = ""] = route.id.split("_");
  switch (service) {
    case "WorkflowService": {
      const isNew = ["CreateWorkflow", "LintWorkflow"].includes(verb);
      const ended = endedWorkflow(name, 1);
      const isAlive = /^(Suspend|Resume|Set|Stop|Terminate)Workflow$/.test(verb);
      const node = {
        ...ended.status!.nodes![name]!,
        type: "Suspend",
        phase: "Running",
        finishedAt: undefined,
        // A node that waits for a value cannot be resumed without it, so other routes get a node without one.
        ...(verb === "SetWorkflow" ? { outputs: SUPPLIED } : {}),
      };
      const status = { phase: "Running", startedAt: ended.status!.startedAt, nodes: { [name]: node } };
      const { uid: _, ...named } = ended.metadata;
      if (verb === "SubmitWorkflow") {
        await put(WORKFLOW_TEMPLATES, of("WorkflowTemplate", SPEC));
        return { params, body: { resourceKind: "WorkflowTemplate", resourceName: name } };
      }
      if (isNew) return { params, body: { workflow: of("Workflow", SPEC) } };
      // The stream sends its headers with its first event.
      if (verb === "WatchEvents") await put(EVENTS, { apiVersion: "v1", kind: "Event", metadata, reason: "Seen" });
      await put(WORKFLOWS, { ...ended, metadata: named, ...(isAlive ? { ...WAITING, status } : {}) });
      if (route.path.endsWith("/activity")) {
        return {
          params,
          query: `${new URLSearchParams({ since: ended.metadata.creationTimestamp!, step: "60", count: "1" })}`,
        };
      }
      const set = { nodeFieldSelector: `displayName=${name}`, outputParameters: '{"a":"b"}' };
      return { params: { ...params, podName: name }, ...(verb === "SetWorkflow" ? { body: set } : {}) };
    }
    case "ArchivedWorkflowService": {
      const uid = `uid-${name}`;
      await archive.archive(endedWorkflow(name, 1, { uid }));
      const query = new URLSearchParams({ namespace: NAMESPACE, "listOptions.labelSelector": "label" });
      return { params: { uid }, body: { name, namespace: NAMESPACE }, query: `${query}` };
    }
    case "ArtifactService": {
      const artifact = { name: "data", ...withKey(locationOfRepository(store.repository)!, `uploads/${name}`) };
      await put(WORKFLOW_TEMPLATES, of("WorkflowTemplate", { ...SPEC, arguments: { artifacts: [artifact] } }));
      if (route.method === "POST") return { params: { ...params, artifactName: "data" } };
      const places = { name: "w", uid: "uid-old", nodeId: "w", artifactName: "report.txt" };
      // A route with `rest` needs an artifact that is a folder. DELETE has its own artifact, which no other route
      // reads.
      if (route.path.includes("{rest")) {
        return { params: { ...params, ...places, artifactName: "folder", rest: "a.txt" } };
      }
      return { params: { ...params, ...places, ...(route.method === "DELETE" ? { artifactName: "old.txt" } : {}) } };
    }
    case "WorkflowTemplateService":
    case "ClusterWorkflowTemplateService":
    case "CronWorkflowService": {
      const kind = service.replace("Service", "");
      const resource = { WorkflowTemplateService: WORKFLOW_TEMPLATES, CronWorkflowService: CRON_WORKFLOWS }[
        service as string
      ] ?? CLUSTER_WORKFLOW_TEMPLATES;
      const spec = kind === "CronWorkflow" ? CRON : SPEC;
      const object = { ...of(kind, spec), metadata: resource.namespaced ? metadata : { name } };
      const field = kind === "CronWorkflow" ? "cronWorkflow" : "template";
      if (/^(Create|Lint)/.test(verb)) return { params, body: { [field]: object } };
      return { params, body: { [field]: await put(resource, object) } };
    }
    case "SyncService": {
      const limit = { type: "CONFIGMAP", cmName: name, key: "one", limit: 2 };
      if (verb !== "CreateSyncLimit") {
        await put(CONFIGMAPS, { apiVersion: "v1", kind: "ConfigMap", metadata, data: { one: "1" } });
      }
      return { params: { ...params, key: "one" }, body: limit, query: `type=CONFIGMAP&cmName=${name}` };
    }
    case "EventSourceService":
    case "SensorService": {
      const kind = EVENT_KINDS.find(({ resource }) => `${resource.kind}Service` === service)!;
      const object = of(kind.resource.kind, {});
      if (verb.startsWith("Create")) return { params, body: { [kind.field]: object } };
      return { params, body: { [kind.field]: await put(kind.resource, object) } };
    }
    case "StreamService":
      return { params, body: { subscriptions: [{ id: "runs", path: `/api/v1/workflow-events/${NAMESPACE}` }] } };
    default:
      return { params: { ...params, discriminator: "any" }, body: { name: "seen" } };
  }
}

/** The bench with the CRDs of Argo Events. Its certificate is self-signed, so curl needs the setting `insecure`. */
async function openBench() {
  const served = await serveBench(ACCESSES[0]!);
  for (const { resource: { group, plural, kind } } of EVENT_KINDS) {
    const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
    await served.bench.server.admin.create(CUSTOM_RESOURCE_DEFINITIONS, undefined, {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: `${plural}.${group}` },
      spec: {
        group,
        scope: "Namespaced",
        names: { plural, kind, singular: kind.toLowerCase(), listKind: `${kind}List` },
        versions: [{ name: "v1alpha1", served: true, storage: true, schema }],
      },
    });
  }
  return served;
}

Deno.test({
  ...needs("curl", HAS_CURL, "curl: the command that the page shows for a route is answered with 200, for every route"),
  async fn() {
    await using served = await openBench();
    await using place = await curlFolder(["insecure"]);
    const answers: [string, number, string][] = [];
    for (const [number, route] of ROUTES.entries()) {
      const { params, query, body = {} } = await requestValues(route, number, served);
      await Deno.writeTextFile(`${place.folder}/BODY.json`, JSON.stringify(body));
      const path = route.path.replace(/\{(\w+)(?:\.\.\.)?\}/g, (_, name) => encodeURIComponent(params[name] ?? name));
      const line = curlLine({ ...route, path: query && !path.includes("?") ? `${path}?${query}` : path });
      const answer = route.isStream
        ? await runCurlStream(line, served, place.folder)
        : await runCurl(line, served, place.folder);
      answers.push([`${route.method} ${route.path}`, answer.status, answer.status === 200 ? "" : answer.body]);
    }
    assertEquals(answers, ROUTES.map(({ method, path }) => [`${method} ${path}`, 200, ""]));
  },
});

/** Flags of curl, and the protocol of the response. */
const FORMS = [
  { flags: "--http1.1", tls: true, protocol: "HTTP/1.1" },
  { flags: "--http2", tls: true, protocol: "HTTP/2" },
  { flags: "--http1.1 --compressed", tls: false, protocol: "HTTP/1.1" },
  { flags: "--http2-prior-knowledge", tls: false, protocol: "HTTP/2" },
] as const;

for (const { flags, tls, protocol } of FORMS) {
  Deno.test({
    ...needs(
      "curl",
      HAS_CURL,
      `curl ${flags} ${tls ? "over TLS" : "in plain text"}: lists, watches, and is refused without a token`,
    ),
    async fn() {
      await using served = await serveBench(ACCESSES.find((access) => access.mode === "client" && access.tls === tls)!);
      await using place = await curlFolder(["insecure"]);
      const line = (path: string, more = '-H "Authorization: $ARGO_TOKEN"') =>
        `curl ${flags} ${more} ${tls ? "https" : "http"}://$ARGO_SERVER/api/v1/${path}`;
      const listed = await runCurl(line(`workflows/${NAMESPACE}`), served, place.folder);
      assertEquals([listed.status, listed.head.split(" ")[0]], [200, protocol]);
      assertEquals(JSON.parse(listed.body).items.map(nameOf).sort(), ["old", "w"]);
      const events = '-N -H "Accept: text/event-stream" -H "Authorization: $ARGO_TOKEN"';
      const isWhole = (text: string) => text.includes("\n\n");
      const seen = await runCurlStream(line(`workflow-events/${NAMESPACE}`, events), served, place.folder, isWhole);
      assertEquals(/^content-type: (\S+)/im.exec(seen.head)?.[1], "text/event-stream");
      const { result } = JSON.parse(/^data: (.*)$/m.exec(seen.body)?.[1] ?? "");
      assertEquals([result.type, nameOf(result.object)], ["ADDED", "w"]);
      const refused = await runCurl(line(`workflows/${NAMESPACE}`, ""), served, place.folder);
      assertEquals([refused.status, JSON.parse(refused.body).code], [401, 16]);
    },
  });
}

function nameOf({ metadata }: { readonly metadata: { readonly name: string } }): string {
  return metadata.name;
}
