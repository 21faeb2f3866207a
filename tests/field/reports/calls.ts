/** Reports that no run of a workflow shows: calls of the functions concerned. */
import { withPluralFields } from "../../../cli/input/plural_fields.ts";
import { Slots } from "../../../controller/cron/slots.ts";
import { Throttle, type WorkState } from "../../../controller/loop/throttle.ts";
import { kindOfCode } from "../../../lib/artifact/s3/errors.ts";
import { addressOf } from "../../../lib/artifact/s3/settings.ts";
import { kindOfStatus } from "../../../lib/artifact/store_request.ts";
import { LABEL } from "../../../lib/constants.ts";
import { reconnection } from "../../../lib/database/reconnection.ts";
import { GoZone } from "../../../lib/go/mod.ts";
import { isTransientMessage, parseFieldSelector } from "../../../lib/kube/mod.ts";
import { itemOfKey } from "../../../lib/locks/lock_item.ts";
import { LockTable } from "../../../lib/locks/mod.ts";
import { Redactor } from "../../../lib/net/redactor.ts";
import { permittedSpec } from "../../../lib/restrictions/mod.ts";
import { actorLabels } from "../../../lib/workflow_actions/mod.ts";
import { listingPage } from "../../../server/artifacts/listing.ts";
import { workflowOfEvent } from "../../../server/events/binding.ts";
import type { CallReport } from "../call_report.ts";

const CREATED = "2026-01-01T00:00:00Z";

/** A throttle with a limit, and the workflows that it has admitted after they waited. */
function throttled(limits: { parallelism: number }) {
  const admitted: string[] = [];
  const throttle = new Throttle(() => limits, (key) => admitted.push(key));
  const see = (key: string, state: WorkState) =>
    throttle.see(key, state, { namespace: "n", priority: 0, created: CREATED });
  return { throttle, admitted, see };
}

/** A lock table, a request for a mutex, and the workflows that hold it. */
function locked() {
  const table = new LockTable();
  const lock = { nodeId: "", locks: [itemOfKey("mutex", "n/Mutex/m")], priority: 0 };
  const holders = (...names: string[]) => names.filter((name) => table.answersOf(name)?.get("")?.kind === "held");
  return { table, lock, holders };
}

/** Reports that no run of a workflow shows. */
export const CALLS: readonly CallReport[] = [
  {
    issues: [16484, 16485, 16487, 14621],
    behavior: "API server: errors that pass are retried",
    argo: "fails the workflow before 4.1.1",
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
    argo: "fails the step before 4.0.5",
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
    issues: [14123, 16569, 14606],
    behavior: "parallelism: workflows that run are not postponed when the limit is lowered",
    argo: "postpones them before 4.1.1",
    call: () => {
      const { throttle, see } = throttled({ parallelism: 1 });
      for (const key of ["n/a", "n/b"]) see(key, "working");
      see("n/c", "waiting");
      return ["n/a", "n/b", "n/c"].map((key) => throttle.mayRun(key));
    },
    returns: [true, true, false],
  },
  {
    issues: [14690, 16486],
    behavior: "parallelism: a limit that is raised admits workflows without a restart",
    argo: "needs a restart before 3.7.1",
    call: () => {
      const limits = { parallelism: 1 };
      const { throttle, admitted, see } = throttled(limits);
      see("n/a", "working");
      for (const key of ["n/b", "n/c"]) see(key, "waiting");
      limits.parallelism = 2;
      throttle.reconsider();
      return admitted;
    },
    returns: ["n/b"],
  },
  {
    issues: [11098, 10286, 15609],
    behavior: "lock: after a restart the holder that the status names holds it",
    argo: "lost the first one before 4.0.2",
    call: () => {
      const { table, lock, holders } = locked();
      table.restore("n/a", CREATED, lock);
      table.ask("n/b", CREATED, lock);
      table.settle();
      return holders("n/a", "n/b");
    },
    returns: ["n/a"],
  },
  {
    issues: [16160, 16405],
    behavior: "semaphore: holders above a lowered limit keep it, and others wait until there is room",
    argo: "lets another one in before 4.1",
    call: () => {
      const semaphore = itemOfKey("semaphore", "n/ConfigMap/c/k");
      const request = { nodeId: "", locks: [semaphore], priority: 0 };
      const { table, holders } = locked();
      for (const name of ["n/a", "n/b"]) table.restore(name, CREATED, request);
      table.ask("n/c", CREATED, request);
      table.setLimit(semaphore, 1);
      return ["", "n/a", "n/b"].map((name) => {
        if (name) table.release(name, "");
        table.settle();
        return holders("n/a", "n/b", "n/c");
      });
    },
    returns: [["n/a", "n/b"], ["n/b"], ["n/c"]],
  },
  {
    issues: [15239, 15546],
    behavior: "mutex: a holder that releases it gives it to the next workflow, and waits no more",
    call: () => {
      const { table, lock, holders } = locked();
      for (const name of ["n/a", "n/b"]) table.ask(name, CREATED, lock);
      table.settle();
      table.release("n/a", "");
      table.settle();
      return holders("n/a", "n/b");
    },
    returns: ["n/b"],
  },
  {
    issues: [13786, 15653],
    behavior: "schedule: the latest moment is that of its time zone, in summer and in winter",
    argo: "the clock of the controller counted in 3.6.0",
    call: () => {
      const options = { timezone: "CET", local: GoZone.UTC, anchor: 0 };
      const slots = new Slots(["0 18 * * *"], options);
      return ["2026-01-15T00:00:00Z", "2026-07-15T00:00:00Z"].map((from) =>
        new Date(slots.next(Date.parse(from))!).toISOString()
      );
    },
    returns: ["2026-01-15T17:00:00.000Z", "2026-07-15T16:00:00.000Z"],
  },
  {
    issues: [13363, 13369],
    behavior: "schedules: several ones share the time zone and a common moment",
    call: () => {
      const schedules = ["0 9 * * *", "0 9 1 * *", "30 8 * * *"];
      const slots = new Slots(schedules, { timezone: "Asia/Tokyo", local: GoZone.UTC, anchor: 0 });
      const times: string[] = [];
      for (let at = Date.parse("2026-01-31T20:00:00Z"); times.length < 3;) {
        at = slots.next(at)!;
        times.push(new Date(at).toISOString().slice(0, 16));
      }
      return times;
    },
    returns: ["2026-01-31T23:30", "2026-02-01T00:00", "2026-02-01T23:30"],
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
    argo: "leaves out that of the template before 4.0.4",
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
    argo: "runs scripts in them before 4.0",
    call: () => listingPage({ names: [`<img src=x onerror="alert(1)">`], isCut: false }).includes("<img"),
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
      const { retries, delay } = reconnection({
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
    argo: "logged them before 4.1",
    call: () => new Redactor().redact("GET /oauth2/callback?code=1&id_token=abc.def.ghi Authorization: Bearer xyz123"),
    returns: "GET /oauth2/callback?code=1&id_token=*** Authorization: Bearer ***",
  },
  {
    issues: [16036],
    behavior: "CRDs: no description contains braces that Helm would evaluate",
    argo: "Helm fails on them before 4.0.6",
    call: () => {
      const folder = new URL("../../../manifests/crds/", import.meta.url);
      const names = Array.from(Deno.readDirSync(folder), ({ name }) => name).filter((name) => name.endsWith(".yaml"));
      return names.filter((name) => Deno.readTextFileSync(new URL(name, folder)).includes("{{"));
    },
    returns: [],
  },
];
