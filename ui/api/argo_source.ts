/** The source over Argo's API, as our server and Argo's own have it. */
import { patchedWorkflow, PATCHES } from "../../lib/api/workflow_patch.ts";
import type { CronWorkflow, Workflow } from "../../lib/api/mod.ts";
import type { Reason } from "../../lib/explain/mod.ts";
import { runOrderText } from "../../lib/status/mod.ts";
import { ask, askFile, type Exchange, type QueryValues, sendFile, streamOf } from "./exchange.ts";
import {
  itemsOf,
  namedObject,
  objectOf,
  readArtifact,
  readEvent,
  readEventEntry,
  readEventObject,
  readInfo,
  readLacks,
  readPatch,
  readPodTimes,
  readRun,
  readUser,
} from "./read.ts";
import { loadPart, Refusal } from "./refusal.ts";
import type {
  ArtifactPlace,
  Change,
  EventList,
  KubeEvent,
  LogQuery,
  RunAction,
  RunList,
  RunQuery,
  Source,
  StreamWatcher,
  SubmitRequest,
  TemplateKind,
  TemplateObjects,
  Window,
} from "./source.ts";

/** The fields of a run that a list shows: never its nodes. */
const LISTED = [
  "metadata.name",
  "metadata.namespace",
  "metadata.uid",
  "metadata.resourceVersion",
  "metadata.creationTimestamp",
  "metadata.labels",
  "metadata.annotations",
  "metadata.deletionTimestamp",
  "spec.suspend",
  "spec.shutdown",
  "spec.arguments",
  "spec.workflowTemplateRef",
  "status.phase",
  "status.message",
  "status.startedAt",
  "status.finishedAt",
  "status.progress",
  "status.estimatedDuration",
  "status.resourcesDuration",
] as const;

const LIST_FIELDS = ["metadata", ...LISTED.map((field) => `items.${field}`)].join(",");
const WATCH_FIELDS = ["result.type", ...LISTED.map((field) => `result.object.${field}`)].join(",");

interface TemplatePlace {
  readonly path: string;
  readonly isNamespaced: boolean;
  /** The field of a body that holds the object. */
  readonly field: string;
  readonly what: string;
}

const TEMPLATES: Readonly<Record<TemplateKind, TemplatePlace>> = {
  WorkflowTemplate: {
    path: "v1/workflow-templates",
    isNamespaced: true,
    field: "template",
    what: "workflow templates",
  },
  ClusterWorkflowTemplate: {
    path: "v1/cluster-workflow-templates",
    isNamespaced: false,
    field: "template",
    what: "cluster workflow templates",
  },
  CronWorkflow: { path: "v1/cron-workflows", isNamespaced: true, field: "cronWorkflow", what: "cron workflows" },
};

/** Makes the source. */
export function argoSource(exchange: Exchange): Source {
  const run = async (tried: string, method: string, path: string, body?: unknown) =>
    readRun(await ask(exchange, { tried, method, path, ...(body === undefined ? {} : { body }) }));

  return {
    async listRuns(query, window, signal) {
      const path = runsPath(query.namespace);
      const values = { ...queryOf(query), ...windowOf(window), fields: LIST_FIELDS };
      return readList(
        await ask(exchange, { tried: `list workflows${within(query.namespace)}`, path, query: values, signal }),
        window,
      );
    },
    async *watchRuns(query, from, signal, watcher) {
      const tried = `watch workflows${within(query.namespace)}`;
      const path = `v1/workflow-events/${encodeURIComponent(query.namespace)}`;
      const values = {
        "listOptions.labelSelector": labelsOf(query),
        "listOptions.resourceVersion": from,
        fields: WATCH_FIELDS,
      };
      yield* changes(exchange, { tried, path, query: values, signal }, watcher);
    },
    async getRun(namespace, name, uid, signal) {
      const tried = `get the workflow ${namespace}/${name}`;
      return readRun(await ask(exchange, { tried, path: runsPath(namespace, name), query: { uid }, signal }));
    },
    async *watchRun(namespace, name, signal, watcher) {
      const tried = `watch the workflow ${namespace}/${name}`;
      const path = `v1/workflow-events/${encodeURIComponent(namespace)}`;
      yield* changes(
        exchange,
        // Other servers pass over a query that they do not know, and tell of the whole run.
        { tried, path, query: { "listOptions.fieldSelector": `metadata.name=${name}`, patches: PATCHES }, signal },
        watcher,
      );
    },
    createRun: (namespace, workflow, { isDryRun = false } = {}) =>
      run(`create a workflow in ${namespace}`, "POST", runsPath(namespace), {
        namespace,
        workflow,
        ...(isDryRun ? { serverDryRun: true } : {}),
      }),
    submitRun: (namespace, request, { isDryRun = false } = {}) =>
      run(
        `submit ${request.name}${within(namespace)}`,
        "POST",
        `${runsPath(namespace)}/submit`,
        submission(namespace, request, isDryRun),
      ),
    async uploadArgument(namespace, template, artifact, file, signal) {
      const path = ["upload-artifacts", namespace, template, artifact].map(encodeURIComponent).join("/");
      const asked = { tried: `upload ${file.name} as ${artifact}`, path, signal };
      const answer = await sendFile(exchange, asked, "file", file);
      const { key } = objectOf(answer, "an upload");
      if (typeof key !== "string") throw new Refusal(`upload ${file.name}`, 0, "the server named no key for the file");
      return key;
    },
    actOnRun: (namespace, name, { verb, ...options }: RunAction) =>
      run(`${verb} the workflow ${namespace}/${name}`, "PUT", `${runsPath(namespace, name)}/${verb}`, {
        namespace,
        name,
        ...options,
      }),
    async deleteRun(namespace, name, uid) {
      await ask(exchange, {
        tried: `delete the workflow ${namespace}/${name}`,
        method: "DELETE",
        path: runsPath(namespace, name),
        query: { "deleteOptions.preconditions.uid": uid },
      });
    },
    actOnArchived: (namespace, name, uid, { verb, ...options }) =>
      run(`${verb} the archived workflow ${namespace}/${name}`, "PUT", `${archivedPath(uid)}/${verb}`, {
        namespace,
        name,
        uid,
        ...options,
      }),
    async deleteArchived(namespace, uid) {
      await ask(exchange, {
        tried: `delete the archived workflow ${uid}`,
        method: "DELETE",
        path: archivedPath(uid),
        query: { namespace },
      });
    },
    async readArtifact(place, most, signal) {
      const tried = `read the artifact ${place.artifact} of ${place.namespace}/${place.name}`;
      return readArtifact(await askFile(exchange, { tried, path: artifactPath(place), signal }, most));
    },
    async readArtifactPart(place, part, signal) {
      const tried = `read a part of the artifact ${place.artifact} of ${place.namespace}/${place.name}`;
      const asked = { tried, path: artifactPath(place), signal, part };
      return (await askFile(exchange, asked, () => part.to - part.from)).bytes;
    },
    artifactUrl: (place) => `${exchange.base}${artifactPath(place)}`,
    async *logs(namespace, name, query, signal) {
      // Loaded already with the page of a run, by `early_log.ts`.
      const { logBatches } = await loadPart(() => import("./log_lines.ts"));
      yield* logBatches(exchange, {
        tried: `read the logs of ${namespace}/${name}`,
        path: `${runsPath(namespace, name)}/log`,
        query: logQuery(query),
        signal,
      });
    },
    async why(namespace, name, signal) {
      const tried = `ask why ${namespace}/${name} waits`;
      const answer = objectOf(
        await ask(exchange, { tried, path: `${runsPath(namespace, name)}/why`, signal }),
        "reasons",
      );
      return Array.isArray(answer.reasons) ? answer.reasons as Reason[] : [];
    },
    async podTimes(namespace, name, signal) {
      const tried = `read the times of the pods of ${namespace}/${name}`;
      return readPodTimes(await ask(exchange, { tried, path: `${runsPath(namespace, name)}/pod-times`, signal }));
    },
    async lacks(kind, namespace, name, signal) {
      const tried = `ask what may be done to ${namespace}/${name}`;
      const path = kind === "Workflow" ? runsPath(namespace, name) : templatePath(kind, namespace, name);
      return readLacks(await ask(exchange, { tried, path: `${path}/can`, signal }));
    },
    async *events(namespace, name, signal, watcher): AsyncGenerator<KubeEvent> {
      const asked = {
        tried: `read the events of ${namespace}/${name}`,
        path: `v1/stream/events/${encodeURIComponent(namespace)}`,
      };
      for await (const values of streamOf(exchange, { ...asked, signal }, watcher)) {
        yield* values.map(readEvent).filter(({ involvedObject: { name: about } }) =>
          about === name || about.startsWith(`${name}-`)
        );
      }
    },
    async listTemplates<K extends TemplateKind>(
      kind: K,
      namespace: string,
      labels: readonly string[] = [],
      signal?: AbortSignal,
    ) {
      const { what } = TEMPLATES[kind];
      const asked = { tried: `list ${what}${within(namespace)}`, path: templatePath(kind, namespace), signal };
      const answer = await ask(exchange, { ...asked, query: { "listOptions.labelSelector": labels.join(",") } });
      return itemsOf(answer, what).map((item) => namedObject<TemplateObjects[K]>(item, what));
    },
    async getTemplate<K extends TemplateKind>(kind: K, namespace: string, name: string, signal?: AbortSignal) {
      const path = templatePath(kind, namespace, name);
      const answer = await ask(exchange, { tried: `get ${TEMPLATES[kind].what} ${name}`, path, signal });
      return namedObject<TemplateObjects[K]>(answer, TEMPLATES[kind].what);
    },
    async createTemplate(kind, namespace, object) {
      const tried = `create one of the ${TEMPLATES[kind].what}${within(namespace)}`;
      const body = { namespace, [TEMPLATES[kind].field]: object };
      await ask(exchange, { tried, method: "POST", path: templatePath(kind, namespace), body });
    },
    async updateTemplate<K extends TemplateKind>(kind: K, namespace: string, name: string, object: unknown) {
      const body = { namespace, name, [TEMPLATES[kind].field]: object };
      const path = templatePath(kind, namespace, name);
      const answer = await ask(exchange, { tried: `update ${name}`, method: "PUT", path, body });
      return namedObject<TemplateObjects[K]>(answer, TEMPLATES[kind].what);
    },
    async deleteTemplate(kind, namespace, name) {
      await ask(exchange, { tried: `delete ${name}`, method: "DELETE", path: templatePath(kind, namespace, name) });
    },
    async listEventObjects(list, namespace, signal) {
      const what = list.replaceAll("-", " ");
      const path = eventPath(list, namespace);
      return itemsOf(await ask(exchange, { tried: `list ${what}${within(namespace)}`, path, signal }), what)
        .map((item) => readEventObject(item, what));
    },
    async saveEventObject(list, namespace, name, object) {
      const body = { namespace, ...(name ? { name } : {}), [list === "sensors" ? "sensor" : "eventSource"]: object };
      const path = eventPath(list, namespace, name);
      const tried = name ? `update ${name}` : `create one of the ${list.replaceAll("-", " ")}${within(namespace)}`;
      await ask(exchange, { tried, method: name ? "PUT" : "POST", path, body });
    },
    async deleteEventObject(list, namespace, name) {
      await ask(exchange, { tried: `delete ${name}`, method: "DELETE", path: eventPath(list, namespace, name) });
    },
    async *eventLogs(list, namespace, { name, part, tailLines }, signal, watcher) {
      const asked = {
        tried: `read the logs of ${list.replaceAll("-", " ")}${within(namespace)}`,
        path: `v1/stream/${list}/${encodeURIComponent(namespace)}/logs`,
        query: {
          name,
          [list === "sensors" ? "triggerName" : "eventName"]: part,
          "podLogOptions.follow": true,
          "podLogOptions.tailLines": tailLines,
        },
        signal,
      };
      for await (const values of streamOf(exchange, asked, watcher)) {
        yield values.map((value) => readEventEntry(list, value));
      }
    },
    async setCronSuspended(namespace, name, isSuspended) {
      const verb = isSuspended ? "suspend" : "resume";
      const path = `${templatePath("CronWorkflow", namespace, name)}/${verb}`;
      const answer = await ask(exchange, { tried: `${verb} ${name}`, method: "PUT", path, body: { namespace, name } });
      return namedObject<CronWorkflow>(answer, "a cron workflow");
    },
    info: async (signal) =>
      readInfo(await ask(exchange, { tried: "read the server's settings", path: "v1/info", signal })),
    async version(signal) {
      const answer = objectOf(
        await ask(exchange, { tried: "ask for the version", path: "v1/version", signal }),
        "a version",
      );
      return typeof answer.version === "string" ? answer.version : "";
    },
    userInfo: async (signal) => readUser(await ask(exchange, { tried: "ask who I am", path: "v1/userinfo", signal })),
    async noteEvent(name) {
      await ask(exchange, { tried: "tell the server", method: "POST", path: "v1/tracking/event", body: { name } });
    },
  };
}

function eventPath(list: EventList, namespace: string, name?: string): string {
  return `v1/${list}/${encodeURIComponent(namespace)}${name ? `/${encodeURIComponent(name)}` : ""}`;
}

async function* changes(
  exchange: Exchange,
  asked: Parameters<typeof streamOf>[1],
  watcher: StreamWatcher | undefined,
): AsyncGenerator<Change<Workflow>> {
  /** The run that was told last: the one that a patch is of. */
  let told: Workflow | undefined;
  for await (const values of streamOf(exchange, asked, watcher)) {
    for (const value of values) {
      const { type, object } = objectOf(value, "a change");
      if (type === "ADDED" || type === "MODIFIED" || type === "DELETED") {
        yield { type, object: told = await readRun(object) };
      } else if (type === "PATCHED") {
        told = told && patchedWorkflow(told, await readPatch(object));
        // What it is of was missed: all is asked for anew.
        if (!told) throw new Refusal(asked.tried, 410, "a change of a state that was not told");
        yield { type: "MODIFIED", object: told };
      }
    }
  }
}

function runsPath(namespace: string, name?: string): string {
  const all = `v1/workflows/${encodeURIComponent(namespace)}`;
  return name === undefined ? all : `${all}/${encodeURIComponent(name)}`;
}

function archivedPath(uid: string): string {
  return `v1/archived-workflows/${encodeURIComponent(uid)}`;
}

function artifactPath({ namespace, name, archivedUid, nodeId, side, artifact, path }: ArtifactPlace): string {
  const run = archivedUid === undefined ? ["workflows", name] : ["archived-workflows", archivedUid];
  const parts = ["artifact-files", namespace, ...run, nodeId, side, artifact, ...path.split("/")];
  // The name alone is a file, or leads to the folder; within it a name that ends in a slash is a folder.
  return parts.slice(0, path === "" ? -1 : undefined).map(encodeURIComponent).join("/");
}

function templatePath(kind: TemplateKind, namespace: string, name?: string): string {
  const { path, isNamespaced } = TEMPLATES[kind];
  const all = isNamespaced ? `${path}/${encodeURIComponent(namespace)}` : path;
  return name === undefined ? all : `${all}/${encodeURIComponent(name)}`;
}

function within(namespace: string): string {
  return namespace === "" ? "" : ` in ${namespace}`;
}

const PHASE_LABEL = "workflows.argoproj.io/phase";

function labelsOf({ labels, phases }: RunQuery): string {
  const phase = phases.length === 0 ? [] : [`${PHASE_LABEL} in (${phases.join(",")})`];
  return [...labels, ...phase].join(",");
}

function queryOf(query: RunQuery): QueryValues {
  const { name } = query;
  const fields = ["ext.showRemainingItemCount=true", ...(name ? [`metadata.name=${name.text}`] : [])];
  return {
    "listOptions.labelSelector": labelsOf(query),
    "listOptions.fieldSelector": fields.join(","),
    nameFilter: name?.match,
    createdAfter: query.createdAfter,
    finishedBefore: query.finishedBefore,
  };
}

function windowOf({ offset, limit, order }: Window): QueryValues {
  return {
    "listOptions.limit": limit || undefined,
    "listOptions.continue": offset > 0 ? String(offset) : undefined,
    sort: order && runOrderText(order),
  };
}

async function readList(value: unknown, { offset }: Window): Promise<RunList> {
  const items: Workflow[] = [];
  for (const item of itemsOf(value, "workflows")) items.push(await readRun(item));
  const metadata = objectOf(objectOf(value, "workflows").metadata ?? {}, "a list's metadata");
  const remaining = Number(metadata.remainingItemCount ?? 0);
  const total = offset + items.length + (Number.isFinite(remaining) ? remaining : 0);
  return typeof metadata.resourceVersion === "string" && metadata.resourceVersion !== ""
    ? { items, total, resourceVersion: metadata.resourceVersion }
    : { items, total };
}

function submission(
  namespace: string,
  { kind, name, entrypoint, parameters, artifacts = [], labels }: SubmitRequest,
  isDryRun: boolean,
) {
  const submitOptions = {
    ...(entrypoint ? { entryPoint: entrypoint } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(artifacts.length > 0 ? { artifacts } : {}),
    ...(labels ? { labels } : {}),
    ...(isDryRun ? { serverDryRun: true } : {}),
  };
  return { namespace, resourceKind: kind, resourceName: name, submitOptions };
}

function logQuery(query: LogQuery): QueryValues {
  return {
    podName: query.podName,
    grep: query.grep,
    "logOptions.container": query.container ?? "main",
    "logOptions.follow": query.follow,
    "logOptions.timestamps": query.timestamps,
    "logOptions.sinceTime": query.sinceTime,
    "logOptions.tailLines": query.tailLines,
  };
}
