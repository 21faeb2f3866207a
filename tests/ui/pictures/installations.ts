/** The three installations of the pictures: an empty one, one of a small team, and a huge one. */
import type { NodeStatus, Workflow } from "@tiphys/model/api";
import {
  CLUSTER_WORKFLOW_TEMPLATES,
  CRON_WORKFLOWS,
  CUSTOM_RESOURCE_DEFINITIONS,
  type KubeObject,
  NAMESPACES,
  type Resource,
  WORKFLOW_EVENT_BINDINGS,
  WORKFLOW_TEMPLATES,
  WORKFLOWS,
} from "@tiphys/kube";
import { EVENT_KINDS } from "../../../server/argo_events/kinds.ts";
import { largeRun } from "../bench/played/large_run.ts";
import { type Feed, NAMESPACE, NOW, seededRun, type SeenRequest, startFeed } from "../feed/feed.ts";
import { failedRun, waitingRun } from "../played/played_runs.ts";
import { seedTellingRuns } from "./telling_runs.ts";

/** The name of an installation. */
export type Size = "empty" | "small" | "huge";

/** Starts an installation. Disposing it stops it. */
export async function startInstallation(size: Size): Promise<Feed> {
  const columns = [{ name: "Team", type: "label", key: "team" }];
  const links = [
    { name: "Wiki", scope: "workflow-list", url: "https://wiki.example/" },
    { name: "Metrics", scope: "workflow", url: "https://metrics.example/${metadata.name}" },
    { name: "Get help", scope: "chat", url: "https://chat.example/" },
  ];
  const prices = { currency: "EUR", perHour: { cpu: 0.04, memory: 0.005 } };
  const feed = await startFeed({
    withStores: size === "small",
    info: size === "empty"
      ? { modals: { firstTimeUser: true } }
      : { links, prices, columns: size === "huge" ? columns : [] },
  });
  feed.fault = answer;
  await SEEDS[size](feed);
  return feed;
}

const SEEDS: Readonly<Record<Size, (feed: Feed) => Promise<void>>> = {
  empty: () => Promise.resolve(),
  small: seedSmall,
  huge: seedHuge,
};

/** The time a number of minutes before the pictures are taken. */
const before = (minutes: number) => new Date(NOW - minutes * 60_000).toISOString().replace(".000", "");

async function seedSmall(feed: Feed): Promise<void> {
  const failed = await failedRun("etl-7wq");
  const label = { "workflows.argoproj.io/workflow-template": "etl", team: "data" };
  const put = (run: Workflow, phase: string, more: object = {}) =>
    feed.put([
      WORKFLOWS,
      {
        ...run,
        apiVersion: "argoproj.io/v1alpha1",
        kind: "Workflow",
        metadata: {
          name: run.metadata.name,
          namespace: NAMESPACE,
          labels: { "workflows.argoproj.io/phase": phase, ...label },
        },
        ...more,
      } as unknown as KubeObject,
    ]);
  await put(failed, "Failed", { status: statusMinutesAgo(failed, 42) });
  const waiting = waitingRun("release-12");
  await put(waiting, "Running", { status: { ...statusMinutesAgo(waiting, 12), progress: "1/3" } });
  const ada = { "workflows.argoproj.io/creator-preferred-username": "ada" };
  await feed.run("etl-7x2", {
    labels: { ...label, ...ada },
    status: { message: "load(3:eu) waits for lock data/ConfigMap/locks/db", progress: "12/40", estimatedDuration: 300 },
  });
  await feed.run("nightly-1774742400", {
    phase: "Pending",
    status: { startedAt: null, message: "waits for lock data/ConfigMap/locks/db, held by etl-7x2", progress: null },
  });
  const over: readonly (readonly [name: string, phase: string, minutes: number, message?: string])[] = [
    ["import-3", "Error", 65, "pod deleted"],
    ["report-9", "Succeeded", 70],
    ["report-8", "Succeeded", 70 + 24 * 60],
    ["report-7", "Failed", 70 + 48 * 60, "render: exit code 1: no font is called Fira"],
    ["backfill-2025", "Succeeded", 5 * 24 * 60],
    ["publish-4", "Failed", 6 * 24 * 60, "Stopped with strategy 'Terminate'"],
  ];
  for (const [name, phase, minutes, message] of over) {
    await feed.run(name, { phase, startedAt: before(minutes), labels: { team: "web", ...ada }, status: { message } });
  }
  const title = {
    "workflows.argoproj.io/title": "Loads **one day**",
    "workflows.argoproj.io/description": DESCRIPTION,
  };
  await feed.run("load-day-17", { phase: "Succeeded", startedAt: before(200), annotations: title });
  for (let index = 0; index < 14; index++) await addCompletedRun(feed, index);
  await feed.runWithArtifacts("export-5", {
    "table.csv": "day,region,rows\n2026-03-27,eu,18233\n2026-03-27,us,9211\n2026-03-28,eu,18401\n",
    "report.json": JSON.stringify({ rows: 18401, regions: ["eu", "us"], slowest: { task: "load", seconds: 41 } }),
    "page.html": "<h1>Report</h1><p>18,401 rows.</p>",
    "notes.txt": "Loaded the whole day.\nNothing was left out.\n",
  });
  await feed.progress("export-5", { phase: "Succeeded", progress: "1/1", finishedAt: before(1) });
  await feed.put(
    [WORKFLOW_TEMPLATES, template("etl", FORM, title)],
    [WORKFLOW_TEMPLATES, template("publish", {}, {})],
    [CLUSTER_WORKFLOW_TEMPLATES, template("housekeeping", {}, {}, "ClusterWorkflowTemplate")],
    [CRON_WORKFLOWS, cron("nightly", "30 2 * * *", { lastScheduledTime: before(570) })],
    [CRON_WORKFLOWS, cron("hourly-report", "5 * * * *", {})],
    [CRON_WORKFLOWS, cron("paused", "0 6 * * 1-5", {}, true)],
  );
  await seedEvents(feed, 1);
  await seedTellingRuns(feed);
}

const LONG_NAME = "customer-data-platform-ingestion-of-clickstream-events";

async function seedHuge(feed: Feed): Promise<void> {
  for (let index = 0; index < 40; index++) {
    const name = `team-${String(index).padStart(2, "0")}-${index % 3 === 0 ? "analytics-and-reporting" : "web"}`;
    await feed.put([NAMESPACES, { apiVersion: "v1", kind: "Namespace", metadata: { name } }]);
    await feed.put([WORKFLOWS, {
      ...seededRun(`${name}-first`),
      metadata: { name: `${name}-first`, namespace: name },
    }]);
  }
  const phases = ["Succeeded", "Succeeded", "Failed", "Succeeded", "Running", "Error", "Pending", "Succeeded"];
  for (let index = 0; index < 10_000; index++) {
    const phase = phases[index % phases.length]!;
    const startedAt = before(index * 7);
    await feed.run(`${index % 4 === 0 ? LONG_NAME : "etl"}-${10_000 - index}`, {
      phase,
      startedAt,
      labels: { team: `team-${index % 40}`, "workflows.argoproj.io/workflow-template": LONG_NAME },
      status: {
        progress: `${index % 4000}/${4000}`,
        finishedAt: phase === "Running" || phase === "Pending" ? null : before(index * 7 - 3 - index % 90),
        message: phase === "Failed"
          ? `child 'load-${index}(17:region=eu-west-1,day=2026-03-27)' failed: exit code 137`
          : null,
        resourcesDuration: { cpu: index % 977 * 60, memory: index % 1931 * 600 },
      },
    });
  }
  const { metadata, ...large } = largeRun({ namespace: NAMESPACE, name: "large-1", nodes: 3_000 });
  const labels = metadata.labels ?? {};
  await feed.put([
    WORKFLOWS,
    {
      ...large,
      apiVersion: "argoproj.io/v1alpha1",
      kind: "Workflow",
      metadata: { name: "large-1", namespace: NAMESPACE, labels },
    } as unknown as KubeObject,
  ]);
  const parameters = Array.from({ length: 300 }, (_, index) => ({
    name: `parameter-${index}-${index % 5 === 0 ? "of-the-normalization-step-and-its-regions" : "x"}`,
    value: index % 7 === 0
      ? JSON.stringify({ region: "eu-west-1", tables: ["orders", "customers"], at: index })
      : String(index),
    ...(index % 4 === 0
      ? { description: "Says which partitions are read, and in what order they are written again." }
      : {}),
    ...(index % 9 === 0 ? { value: "eu", enum: ["eu", "us", "ap"] } : {}),
  }));
  await feed.put([WORKFLOW_TEMPLATES, template(LONG_NAME, { arguments: { parameters } }, {})]);
  for (let index = 0; index < 2_000; index++) {
    await feed.put([
      WORKFLOW_TEMPLATES,
      template(`${index % 3 === 0 ? LONG_NAME : "etl"}-${index}`, index % 2 ? FORM : {}, {}),
    ]);
  }
  for (let index = 0; index < 200; index++) {
    await feed.put([
      CRON_WORKFLOWS,
      cron(
        `nightly-${index}-${index % 3 === 0 ? "of-the-clickstream" : "x"}`,
        `${index % 60} 2 * * *`,
        {},
        index % 11 === 0,
      ),
    ]);
  }
  await seedEvents(feed, 12);
}

const DESCRIPTION =
  "Loads a day of orders, and says how many rows there were.\n\n- skips days that are there\n- see the [manual](https://wiki.example/etl)";

const FORM = {
  arguments: {
    parameters: [
      { name: "day", value: "2026-03-28", description: "The day that is loaded, in UTC." },
      { name: "region", value: "eu", enum: ["eu", "us", "ap"], description: "Where its orders were made." },
      { name: "tables", value: '["orders"]', enum: ["orders", "customers", "returns"] },
      { name: "full", value: "false", enum: ["true", "false"] },
      { name: "query", value: "select *\nfrom orders\nwhere day = :day" },
    ],
    artifacts: [{ name: "extra-rows", optional: true }],
  },
};

function template(name: string, more: object, annotations: Record<string, string>, kind = "WorkflowTemplate") {
  return {
    apiVersion: "argoproj.io/v1alpha1",
    kind,
    metadata: { name, ...(kind === "WorkflowTemplate" ? { namespace: NAMESPACE } : {}), annotations },
    spec: {
      entrypoint: "main",
      ...more,
      templates: [
        {
          name: "main",
          dag: {
            tasks: [{ name: "extract", template: "work" }, { name: "load", template: "work", depends: "extract" }],
          },
        },
        { name: "work", container: { image: "alpine:3.20", command: ["sh", "-c"], args: ["echo done"] } },
      ],
    },
  } as unknown as KubeObject;
}

function cron(name: string, schedule: string, status: object, suspend = false) {
  return {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "CronWorkflow",
    metadata: { name, namespace: NAMESPACE },
    spec: {
      schedules: [schedule],
      timezone: "Europe/Berlin",
      suspend,
      workflowSpec: { workflowTemplateRef: { name: "etl" } },
    },
    status,
  } as unknown as KubeObject;
}

/** A run for reports and step grids. Some of its steps fail, and some succeed at the second attempt. */
async function addCompletedRun(feed: Feed, position: number): Promise<void> {
  const name = `etl-6${String.fromCharCode(97 + position)}k`;
  const from = NOW - (position + 1) * 6 * 3600_000;
  const isBad = position % 6 === 4;
  const node = (task: string, offset: number, seconds: number, more: Partial<NodeStatus> = {}): NodeStatus => ({
    id: `${name}-${task}`,
    name: `${name}.${task}`,
    displayName: task,
    type: "Pod",
    phase: "Succeeded",
    templateName: task.replace(/\(.*/, ""),
    boundaryID: name,
    startedAt: new Date(from + offset * 1000).toISOString().replace(".000", ""),
    finishedAt: new Date(from + (offset + seconds) * 1000).toISOString().replace(".000", ""),
    resourcesDuration: { cpu: seconds * 2, memory: seconds * 20 },
    outputs: { parameters: [{ name: "rows", value: String(18_000 + position * 31) }] },
    ...more,
  });
  const nodes = [
    {
      ...node(name, 0, 190 + position * 9),
      id: name,
      name,
      displayName: name,
      type: "DAG" as const,
      boundaryID: undefined,
      phase: isBad ? "Failed" as const : "Succeeded" as const,
    },
    node("extract", 0, 40 + position * 3),
    node(
      "load",
      45 + position * 3,
      90 + position * 5,
      isBad ? { phase: "Failed", message: "Error (exit code 1): duplicate key" } : {},
    ),
    node("verify", 140 + position * 8, 12),
    node("report", 160 + position * 8, 25),
  ];
  await feed.run(name, {
    phase: isBad ? "Failed" : "Succeeded",
    startedAt: new Date(from).toISOString().replace(".000", ""),
    labels: {
      "workflows.argoproj.io/workflow-template": "etl",
      "workflows.argoproj.io/cron-workflow": "nightly",
      team: "data",
    },
    status: {
      progress: isBad ? "3/4" : "4/4",
      finishedAt: new Date(from + (190 + position * 9) * 1000).toISOString().replace(".000", ""),
      resourcesDuration: { cpu: 334 + position, memory: 3340 + position * 10 },
      message: isBad ? "child 'load' failed" : undefined,
      nodes: Object.fromEntries(nodes.map((node) => [node.id, node])),
    },
  });
}

/** The status of a run, shifted so that it started a number of minutes ago. */
function statusMinutesAgo({ status }: Workflow, minutes: number): object {
  const by = NOW - minutes * 60_000 - Date.parse(String(status?.startedAt));
  const text = JSON.stringify(status).replaceAll(
    /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g,
    (time) => new Date(Date.parse(time) + by).toISOString().replace(/\.\d+/, ""),
  );
  return { ...JSON.parse(text), resourcesDuration: { cpu: 410, memory: 4100 } };
}

async function seedEvents(feed: Feed, times: number): Promise<void> {
  for (const { resource: { group, plural, kind } } of EVENT_KINDS) {
    const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
    const names = { plural, kind, singular: kind.toLowerCase(), listKind: `${kind}List` };
    const versions = [{ name: "v1alpha1", served: true, storage: true, schema }];
    await feed.put([CUSTOM_RESOURCE_DEFINITIONS, {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: `${plural}.${group}` },
      spec: { group, scope: "Namespaced", names, versions },
    } as KubeObject]);
  }
  const [sources, sensors] = EVENT_KINDS.map(({ resource }) => resource) as [Resource, Resource];
  const object = (kind: string, name: string, spec: unknown) =>
    ({
      apiVersion: "argoproj.io/v1alpha1",
      kind,
      metadata: { name, namespace: NAMESPACE },
      spec,
    }) as unknown as KubeObject;
  for (let index = 0; index < times; index++) {
    const suffix = index === 0 ? "" : `-${index}-of-the-clickstream-platform`;
    await feed.put(
      [
        sources,
        object("EventSource", `github${suffix}`, { webhook: { push: { port: "12000" }, release: { port: "12000" } } }),
      ],
      [
        sensors,
        object("Sensor", `ci${suffix}`, {
          dependencies: [
            { name: "pushed", eventSourceName: `github${suffix}`, eventName: "push" },
            { name: "released", eventSourceName: `github${suffix}`, eventName: "release" },
          ],
          triggers: [
            {
              template: {
                name: "build",
                conditions: "pushed && released",
                argoWorkflow: { source: { resource: { spec: { workflowTemplateRef: { name: "etl" } } } } },
              },
            },
            { template: { name: "notify", conditions: "released", http: { url: "https://chat.example" } } },
          ],
        }),
      ],
      [
        WORKFLOW_EVENT_BINDINGS,
        object("WorkflowEventBinding", `on-push${suffix}`, {
          event: { selector: 'payload.kind == "push" && payload.branch == "main"' },
          submit: {
            workflowTemplateRef: { name: "etl" },
            arguments: { parameters: [{ name: "day", valueFrom: { event: "payload.day" } }] },
          },
        }),
      ],
    );
  }
}

/** Responses that need pods: logs, events, and the reasons why a run waits. */
function answer({ path }: SeenRequest): Response | undefined {
  const [, name, part] = /^\/api\/v1\/workflows\/[^/]+\/([^/]+)\/(log|why)$/.exec(path) ?? [];
  if (part === "log" && name) return eventStream(logOf(name));
  if (part === "why" && name === "etl-7x2") return Response.json({ reasons: REASONS });
  if (/^\/api\/v1\/stream\/events\//.test(path)) return eventStream(EVENTS);
  if (/\/stream\/(event-sources|sensors)\/[^/]+\/logs$/.test(path)) return eventStream(ENTRIES);
  return undefined;
}

function eventStream(values: readonly unknown[]): Response {
  const body = `:\n\n${values.map((result) => `data: ${JSON.stringify({ result })}\n\n`).join("")}`;
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}

function logOf(name: string): readonly unknown[] {
  return Array.from({ length: 180 }, (_, index) => {
    const time = new Date(NOW - 40 * 60_000 + index * 310).toISOString().replace("Z", "000001Z");
    const json = JSON.stringify({
      level: index % 17 === 0 ? "error" : "info",
      msg: `batch ${index} written`,
      http: { status: index % 17 === 0 ? 503 : 200 },
      took: index * 3,
    });
    const text = index % 3 === 0
      ? json
      : index % 11 === 0
      ? `\u001b[31mERROR\u001b[0m connection refused, retrying in ${index} s`
      : `loaded ${index * 100} rows of orders into eu.orders_${index}`;
    return { podName: `${name}-work-${index % 4}`, content: `${time} ${text}` };
  });
}

const REASONS = [
  {
    code: "Lock",
    node: "etl-7x2.load(3:eu)",
    since: before(2),
    text: "waits for lock data/ConfigMap/locks/db, held by data/etl-7wp",
    blocks: [],
    unblock: "data/etl-7wp finishes, or the limit in ConfigMap locks is raised",
  },
];

const EVENTS = [
  ["Normal", "WorkflowRunning", "Workflow", "Workflow Running", 1],
  ["Normal", "Scheduled", "Pod", "Successfully assigned data/etl-7wq-work-1 to node-3", 1],
  [
    "Warning",
    "FailedScheduling",
    "Pod",
    "0/3 nodes are available: 3 Insufficient memory. preemption: 0/3 nodes are available: 3 No preemption victims found for incoming pod.",
    14,
  ],
  ["Warning", "WorkflowFailed", "Workflow", "child 'validate' failed: 2 rows have no id", 1],
].map(([type, reason, kind, message, count], index) => ({
  type,
  reason,
  message,
  count,
  metadata: { name: `e${index}`, uid: `e${index}`, namespace: NAMESPACE },
  involvedObject: { kind, name: kind === "Pod" ? "etl-7wq-work-1" : "etl-7wq", namespace: NAMESPACE },
  firstTimestamp: before(42),
  lastTimestamp: before(40 - index),
}));

const ENTRIES = ["Succeeded to publish an event", "Connection lost, dialling again"].map((msg, index) => ({
  namespace: NAMESPACE,
  eventSourceName: "github",
  sensorName: "ci",
  level: index === 0 ? "info" : "error",
  time: before(index),
  msg,
}));
