/** Reports that no run of a workflow shows: calls of the functions concerned. */
import { parseControllerConfig } from "../../../controller/config/config.ts";
import { controllerMetrics, readWorkflows } from "../../../controller/metrics/own_metrics.ts";
import { serveLockMetrics } from "../../../controller/workflow/sync/lock_metrics.ts";
import { withPluralFields } from "../../../cli/input/plural_fields.ts";
import { kindOfCode } from "../../../lib/stores/s3/errors.ts";
import { addressOf } from "../../../lib/stores/s3/settings.ts";
import { kindOfStatus } from "@tiphys/artifacts/store_request";
import { LABEL } from "@tiphys/base/constants";
import { exposition } from "@tiphys/base/metrics";
import { createReconnection } from "../../../lib/storage/database/reconnection.ts";
import { handlerTransport, KubeClient, PODS } from "@tiphys/kube";
import { isTransientMessage } from "@tiphys/base/transient";
import { Informer } from "@tiphys/kube/informers";
import { parseFieldSelector } from "@tiphys/kube/selectors";
import { Redactor } from "../../../lib/base/net/redactor.ts";
import { LockTable } from "@tiphys/engine/lock_table";
import { parseLockItem } from "../../../lib/engine/lock_table/lock_item.ts";
import { resolveArchiveLocation } from "../../../lib/engine/pod/parts/archive_location.ts";
import { imageOfThisMachine } from "../../../lib/registry/manifest.ts";
import { buildAgentPod } from "@tiphys/engine/pod";
import { CONFIG } from "../../../lib/engine/pod/testing/pod_request.ts";
import { permittedSpec } from "@tiphys/language/restrictions";
import { actorLabels } from "@tiphys/engine/workflow_actions";
import { listingPage } from "../../../server/artifacts/listing.ts";
import { workflowOfEvent } from "../../../server/events/binding.ts";
import type { CallReport } from "../call_report.ts";

/** Reports that no run of a workflow shows. */
export const CALLS: readonly CallReport[] = [
  {
    issues: [16484, 16485, 16487, 14621],
    behavior: "API server: errors that pass are retried",
    call: () =>
      [
        "unexpected error when reading response body. Please retry. Original error: http2: client connection lost",
        "client rate limiter Wait returned an error: context deadline exceeded",
        "rpc error: code = Unavailable desc = etcdserver: request timed out",
        "etcdserver: too many requests",
        "pods is forbidden",
      ].map((text) => isTransientMessage(text)),
    returns: [true, true, true, true, false],
  },
  {
    issues: [15565, 16016],
    behavior: "S3: an answer of 500, 502, 503 or 504 without a body is retried",
    call: () => [500, 502, 503, 504, 403].map((status) => kindOfCode(status, undefined) ?? kindOfStatus(status)),
    returns: ["transient", "transient", "transient", "transient", "forbidden"],
  },
  {
    issues: [10851, 15734],
    behavior: "S3: addressingStyle puts the bucket into the host",
    call: () =>
      (["path", "virtual-hosted"] as const).map((addressingStyle) =>
        addressOf({ endpoint: "minio:9000", bucket: "b", addressingStyle }).url.host
      ),
    returns: ["minio:9000", "b.minio:9000"],
  },
  {
    issues: [15098, 13476, 15089],
    behavior: "field selector: name and namespace may be compared with =, == and !=",
    call: () => parseFieldSelector("metadata.namespace!=a,metadata.name==b,metadata.name=c"),
    returns: [
      { field: "metadata.namespace", equal: false, value: "a" },
      { field: "metadata.name", equal: true, value: "b" },
      { field: "metadata.name", equal: true, value: "c" },
    ],
  },
  {
    issues: [14996, 15092],
    behavior: "convert: single schedules, mutexes and semaphores become lists",
    call: () => {
      const limit = { configMapKeyRef: { name: "c", key: "k" } };
      const synchronization = { mutex: { name: "m" }, semaphore: limit };
      const spec = { entrypoint: "main", templates: [{ name: "main", synchronization }] };
      return withPluralFields({
        apiVersion: "argoproj.io/v1alpha1",
        kind: "CronWorkflow",
        spec: { schedule: "@daily", workflowSpec: spec },
      });
    },
    returns: {
      apiVersion: "argoproj.io/v1alpha1",
      kind: "CronWorkflow",
      spec: {
        schedules: ["@daily"],
        workflowSpec: {
          entrypoint: "main",
          templates: [{
            name: "main",
            synchronization: { mutexes: [{ name: "m" }], semaphores: [{ configMapKeyRef: { name: "c", key: "k" } }] },
          }],
        },
      },
    },
  },
  {
    issues: [15798],
    behavior: "event binding: the workflow has the metadata that its template declares, and the binding counts more",
    call: () => {
      const { metadata } = workflowOfEvent(
        { metadata: { name: "b" }, spec: { event: { selector: "true" } } },
        { workflowTemplateRef: { name: "t" }, metadata: { labels: { env: "'binding'" } } },
        { spec: { workflowMetadata: { labels: { env: "template", own: "yes" }, annotations: { note: "n" } } } },
        { namespace: "n", discriminator: "", payload: {}, metadata: {} },
        () => "1",
      );
      return [metadata.labels?.env, metadata.labels?.own, metadata.annotations];
    },
    returns: ["binding", "yes", { note: "n" }],
  },
  {
    issues: [15201, 14102],
    behavior: "retry through the server: labels name the person and the action",
    call: () => {
      const labels = actorLabels("Retry", { subject: "system:serviceaccount:n:me", email: "me@example.com" });
      return [labels[LABEL.actor], labels[LABEL.actorEmail], labels[LABEL.action]];
    },
    returns: ["system-serviceaccount-n-me", "me.at.example.com", "Retry"],
  },
  {
    issues: [15255],
    behavior: "artifacts: the page of a folder escapes the names of its files",
    call: () => listingPage({ names: [`<img src=x onerror="alert(1)">`], isTruncated: false }).includes("<img"),
    returns: false,
  },
  {
    issues: [16344],
    behavior: "templateReferencing: an administrator may open fields, but not the pod of artifactGC",
    call: () => {
      const own = { priority: 1, hostNetwork: true, artifactGC: { serviceAccountName: "admin" } };
      return [new Set<string>(), new Set(["hostNetwork", "artifactGC"])].map((open) =>
        permittedSpec(own, open).refused
      );
    },
    returns: [["ArtifactGC.ServiceAccountName", "HostNetwork"], ["ArtifactGC.ServiceAccountName"]],
  },
  {
    issues: [15011, 15006],
    behavior: "database: a connection that broke is opened again, later from time to time",
    call: () => {
      const { retries, delay } = createReconnection({
        maxRetries: 3,
        baseDelaySeconds: 1,
        retryMultiple: 2,
        maxDelaySeconds: 5,
      });
      return [retries, delay(1), delay(2), delay(3)];
    },
    returns: [3, 2000, 4000, 5000],
  },
  {
    issues: [16268],
    behavior: "log: tokens of a login do not appear",
    call: () => new Redactor().redact("GET /oauth2/callback?code=1&id_token=abc.def.ghi Authorization: Bearer xyz123"),
    returns: "GET /oauth2/callback?code=1&id_token=*** Authorization: Bearer ***",
  },
  {
    issues: [16036],
    behavior: "CRDs: no description contains braces that Helm would evaluate",
    call: () => {
      const folder = new URL("../../../manifests/crds/", import.meta.url);
      const names = Array.from(Deno.readDirSync(folder), ({ name }) => name).filter((name) => name.endsWith(".yaml"));
      return names.filter((name) => Deno.readTextFileSync(new URL(name, folder)).includes("{{"));
    },
    returns: [],
  },
  {
    issues: [15869],
    behavior: "agent: templateDefaults place its pod, as they place those of other templates",
    argo: "leaves them out",
    call: () => {
      const built = buildAgentPod({
        workflow: { name: "w", namespace: "n", uid: "u" },
        spec: { templateDefaults: { nodeSelector: { pool: "calls" } } },
        podName: "w-agent",
        config: CONFIG,
        settings: { patchRate: "10s", cpuLimit: "100m", memoryLimit: "256M" },
        plugins: [],
      });
      return built.ok && built.pod.spec.nodeSelector;
    },
    returns: { pool: "calls" },
  },
  {
    issues: [15844, 7891],
    behavior: "disableAgentPodCreation: the controller creates no agent, and reads the results of another one",
    call: () => {
      const parse = (data: Record<string, string>) =>
        parseControllerConfig({ metadata: { name: "c" }, data }, { executorImage: "argoexec:v1" }).engine
          .createsAgentPods;
      return [parse({ disableAgentPodCreation: "true" }), parse({})];
    },
    returns: [false, undefined],
  },
  {
    issues: [15059, 15058],
    behavior: "entrypoint of an image: looked up in the image for the platform of the machine",
    argo: "before 4.0: that of linux/amd64, which may not exist",
    call: () => {
      const manifests = ["s390x", "arm64", "amd64"].map((architecture) => ({
        mediaType: "application/vnd.oci.image.manifest.v1+json",
        digest: `sha256:${architecture}`,
        size: 1,
        platform: { os: "linux", architecture },
      }));
      return imageOfThisMachine({ manifests }, "image").digest.slice("sha256:".length);
    },
    returns: Deno.build.arch === "aarch64" ? "arm64" : "amd64",
  },
  {
    issues: [14976],
    behavior: "metrics: the gauge of workflows has the label phase",
    argo: "before 4.0: status",
    call: () => {
      const registry = controllerMetrics({ now: () => 0 });
      readWorkflows(registry, () => [{ metadata: { name: "w" }, spec: {}, status: { phase: "Running" } }]);
      return [...exposition(registry.instruments(), "")].join("").split("\n").filter((line) =>
        line.startsWith('gauge{phase="Running"')
      );
    },
    returns: ['gauge{phase="Running"} 1'],
  },
  {
    issues: [14906],
    behavior: "metrics: mutexes and semaphores are counted by their holders and their queue",
    call: () => {
      const registry = controllerMetrics({ now: () => 0 });
      const table = new LockTable();
      const locks = [parseLockItem("mutex", "n/Mutex/m")];
      for (const name of ["n/a", "n/b", "n/c"]) {
        table.request(name, "2026-01-01T00:00:00Z", { nodeId: "", locks, priority: 0 });
      }
      table.grantAndAnswer();
      serveLockMetrics(registry, table);
      return [...exposition(registry.instruments(), "")].join("").split("\n").filter((line) => /^locks_/.test(line));
    },
    returns: [
      'locks_held{lock_name="m",namespace="n",storage="configmap",type="mutex"} 1',
      'locks_pending{lock_name="m",namespace="n",storage="configmap",type="mutex"} 2',
    ],
  },
  {
    issues: [15004, 14990],
    behavior: "data template: an artifact of its source without a location is in the artifact repository",
    argo: "before 4.0: the template needs an output artifact, or archived logs",
    call: () => {
      const source = { artifactPaths: { name: "in", s3: { key: "folder" } } };
      const repository = { s3: { bucket: "b", endpoint: "minio:9000", keyFormat: "k" } };
      return resolveArchiveLocation({ name: "d", data: { source, transformation: [] } }, {}, repository)?.s3?.bucket;
    },
    returns: "b",
  },
  {
    issues: [16099],
    behavior: "lists: the next page is requested by its token alone, without a version",
    argo: "before 4.0.6: the API server refuses the request, and the controller does not start",
    async call() {
      const queries: string[] = [];
      const stop = new AbortController();
      const transport = handlerTransport((request) => {
        const query = new URL(request.url).searchParams;
        if (query.has("watch")) return new Promise(() => {});
        queries.push([...query.keys()].sort().join(" "));
        const next = query.has("continue") ? {} : { continue: "token" };
        return Promise.resolve(Response.json({ metadata: { resourceVersion: "7", ...next }, items: [] }));
      });
      await new Informer(new KubeClient(transport), PODS).start(stop.signal);
      stop.abort();
      return queries;
    },
    returns: ["limit", "continue limit"],
  },
];
