/** The source for Argo's API, as served by Tiphys and by Argo's own server. */
import { patchedWorkflow, PATCHES } from "@tiphys/model/api/workflow_patch";
import type { CronWorkflow, Workflow } from "@tiphys/model/api";
import type { Extension } from "@tiphys/model/api/extensions";
import type { Reason } from "@tiphys/engine/explain";
import { runOrderText } from "@tiphys/model/status";
import { startStream } from "./started_request.ts";
import {
  bytesOf,
  type Exchange,
  type QueryValues,
  requestFile,
  requestJson,
  sendFile,
  type SharedOptions,
  sharedStreamOf,
  streamOf,
} from "./exchange.ts";
import {
  itemsOf,
  namedObject,
  objectOf,
  readActivity,
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
import type { StreamWatcher } from "./stream_talk.ts";
import type {
  ArtifactPlace,
  Change,
  EventList,
  KubeEvent,
  LogQuery,
  RunAction,
  RunList,
  RunQuery,
  ServerInfo,
  Source,
  SubmitRequest,
  TemplateKind,
  TemplateObjects,
  Window,
} from "./source.ts";

/** The fields of a run that lists request: never its nodes. */
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
  "status.waitsOnly",
  "status.message",
  "status.conditions",
  "status.startedAt",
  "status.finishedAt",
  "status.progress",
  "status.estimatedDuration",
  "status.resourcesDuration",
] as const;

const LIST_FIELDS = ["metadata", ...LISTED.map((field) => `items.${field}`)].join(",");
const WATCH_FIELDS = ["result.type", ...LISTED.map((field) => `result.object.${field}`)].join(",");

/** Returns an object without the empty fields that Go's JSON encoder always writes. Argo's server ignores this. */
const STORED = { stored: "true" } as const;

interface TemplateRoute {
  readonly path: string;
  readonly isNamespaced: boolean;
  /** The field of the request body that contains the object. */
  readonly field: string;
  readonly what: string;
}

const TEMPLATES: Readonly<Record<TemplateKind, TemplateRoute>> = {
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

/** Creates the source. */
export function argoSource(exchange: Exchange): Source {
  const run = async (tried: string, method: string, path: string, body?: unknown) =>
    readRun(await requestJson(exchange, { tried, method, path, ...(body === undefined ? {} : { body }) }));

  /** The latest request for the settings, which list the supported extensions. */
  let settings: Promise<ServerInfo> | undefined;
  const info = (signal?: AbortSignal) => {
    const asked = requestJson(exchange, { tried: "read the server's settings", path: "v1/info", signal }).then(
      readInfo,
    );
    settings = asked;
    // A failed request is repeated, for example after a login.
    asked.catch(() => settings === asked && (settings = undefined));
    return asked;
  };
  /** The refusal of a server that cannot send events; it is not requested again. */
  let withoutEvents: Refusal | undefined;
  const offers = async (extension: Extension) => {
    const { extensions } = await (settings ?? info());
    return extensions?.includes(extension) === true;
  };
  /** @throws {Refusal} as `unknown-route`, without a request, if the server lacks the extension */
  const needs = async (extension: Extension, tried: string) => {
    if (!await offers(extension)) throw new Refusal(tried, 501, "the server has no such route");
  };

  const source: Source = {
    async listRuns(query, window, signal) {
      const path = runsPath(query.namespace);
      const listed = async (window: Window) => {
        const values = { ...queryOf(query), ...windowOf(window), fields: LIST_FIELDS };
        const asked = { tried: `list workflows${inNamespace(query.namespace)}`, path, query: values, signal };
        return await readList(await requestJson(exchange, asked), window);
      };
      const list = await listed(window);
      // A page beyond the end does not contain the total; the first page does.
      return list.items.length === 0 && window.offset > 0
        ? { ...list, total: (await listed({ ...window, offset: 0, limit: 1 })).total }
        : list;
    },
    async *watchRuns(query, from, signal, watcher) {
      const tried = `watch workflows${inNamespace(query.namespace)}`;
      const path = `v1/workflow-events/${encodeURIComponent(query.namespace)}`;
      const values = { "listOptions.labelSelector": labelsOf(query), fields: WATCH_FIELDS };
      // Without a version the stream starts with the existing runs, which tabs cannot share.
      const shared = { sharing: from === undefined ? "alone" : "list", from } as const;
      yield* watchChanges(exchange, { tried, path, query: values, signal }, shared, watcher);
    },
    async getRun(namespace, name, uid, signal, onLarge) {
      const tried = `get the workflow ${namespace}/${name}`;
      return readRun(
        await requestJson(exchange, { tried, path: runsPath(namespace, name), query: { uid }, signal, onLarge }),
      );
    },
    async *watchRun(namespace, name, knownRun, signal, watcher) {
      const tried = `watch the workflow ${namespace}/${name}`;
      const path = `v1/workflow-events/${encodeURIComponent(namespace)}`;
      // Other servers ignore unknown parameters, and send the whole run.
      const query = { "listOptions.fieldSelector": `metadata.name=${name}`, patches: PATCHES };
      const watchFrom = (base: Workflow | undefined) =>
        watchChanges(
          exchange,
          { tried, path, query, signal },
          { sharing: "run", from: base?.metadata.resourceVersion },
          watcher,
          base,
        );
      let hasChanged = false;
      try {
        for await (const change of watchFrom(knownRun)) {
          hasChanged = true;
          yield change;
        }
      } catch (error) {
        // The version of a run that has not changed for long has expired: the stream begins with the run itself.
        if (!knownRun || hasChanged || !(error instanceof Refusal && error.status === 410)) throw error;
        yield* watchFrom(undefined);
      }
    },
    createRun: (namespace, workflow, { isDryRun = false } = {}) =>
      run(`create a workflow in ${namespace}`, "POST", runsPath(namespace), {
        namespace,
        workflow,
        ...(isDryRun ? { serverDryRun: true } : {}),
      }),
    submitRun: (namespace, request, { isDryRun = false } = {}) =>
      run(
        `submit ${request.name}${inNamespace(namespace)}`,
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
      const tried = `delete the workflow ${namespace}/${name}`;
      // Argo's server ignores the precondition, and would delete any run of the name.
      const { extensions } = await (settings ?? info());
      if (extensions?.length === 0 && (await source.getRun(namespace, name)).metadata.uid !== uid) {
        throw new Refusal(tried, 409, "another run has this name now");
      }
      await requestJson(exchange, {
        tried,
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
      await requestJson(exchange, {
        tried: `delete the archived workflow ${uid}`,
        method: "DELETE",
        path: archivedPath(uid),
        query: { namespace },
      });
    },
    async readArtifact(location, max, signal) {
      const tried = `read the artifact ${location.artifact} of ${location.namespace}/${location.name}`;
      return readArtifact(await requestFile(exchange, { tried, path: artifactPath(location), signal }, max));
    },
    async readArtifactPart(location, part, signal) {
      const tried = `read a part of the artifact ${location.artifact} of ${location.namespace}/${location.name}`;
      const asked = { tried, path: artifactPath(location), signal, part };
      return (await requestFile(exchange, asked, () => part.to - part.from)).bytes;
    },
    artifactUrl: (location) => `${exchange.base}${artifactPath(location)}`,
    async frameUrl(location, { scripts }, signal) {
      const tried = `show the artifact ${location.artifact} in a frame`;
      if (scripts) await needs("scripts", tried);
      const path = artifactPath(location);
      const query = new URLSearchParams(scripts ? { scripts: "true" } : {});
      if (exchange.authorization() !== undefined) {
        const body = { path: new URL(path, exchange.base).pathname };
        const answer = await requestJson(exchange, {
          tried,
          method: "POST",
          path: "tiphys/v1/path-tickets",
          body,
          signal,
        });
        const { ticket } = objectOf(answer, "a ticket");
        query.set("ticket", typeof ticket === "string" ? ticket : "");
      }
      return `${exchange.base}${path}${query.size > 0 ? `?${query}` : ""}`;
    },
    async *logs(namespace, name, query, signal) {
      const tried = `read the logs of ${namespace}/${name}`;
      const asked = { tried, path: `${runsPath(namespace, name)}/log`, query: logQuery(query) };
      // Requested while the reading module loads, and before the kind of server is known.
      const bytes = startStream((left) => bytesOf(exchange, { ...asked, signal: left }));
      try {
        // Already loaded if the page of a run was opened at its log.
        const { logBatches } = await loadPart(() => import("./log_lines.ts"));
        const live = logBatches(bytes.take(signal), tried);
        if (await offers("archived-logs")) return yield* live;
        const { withArchivedLogs } = await loadPart(() => import("./archived_logs.ts"));
        yield* withArchivedLogs(source, live, { namespace, name, query, signal });
      } finally {
        bytes.cancel();
      }
    },
    logTurn: () => exchange.shared?.requestTurn() ?? { isMine: Promise.resolve(true), [Symbol.dispose]() {} },
    async reasons(namespace, name, signal) {
      const tried = `ask why ${namespace}/${name} waits`;
      await needs("why", tried);
      const answer = objectOf(
        await requestJson(exchange, { tried, path: `${runsPath(namespace, name)}/why`, signal }),
        "reasons",
      );
      return Array.isArray(answer.reasons) ? answer.reasons as Reason[] : [];
    },
    async podTimes(namespace, name, signal) {
      const tried = `read the times of the pods of ${namespace}/${name}`;
      await needs("pod-times", tried);
      return readPodTimes(
        await requestJson(exchange, { tried, path: `${runsPath(namespace, name)}/pod-times`, signal }),
      );
    },
    async activity(query, { since, step, count }, signal) {
      const tried = `count workflows${inNamespace(query.namespace)}`;
      await needs("activity", tried);
      const path = `tiphys/v1/workflows/${encodeURIComponent(query.namespace)}/activity`;
      const spans = { since: new Date(since).toISOString(), step: Math.round(step / 1000), count };
      return readActivity(await requestJson(exchange, { tried, path, query: { ...queryOf(query), ...spans }, signal }));
    },
    async missingRights(kind, namespace, name, signal) {
      const tried = `ask what may be done to ${namespace}/${name}`;
      await needs("can", tried);
      const path = kind === "Workflow" ? runsPath(namespace, name) : templatePath(kind, namespace, name);
      return readLacks(await requestJson(exchange, { tried, path: `${path}/can`, signal }));
    },
    async *events(namespace, name, signal, watcher): AsyncGenerator<KubeEvent> {
      const asked = {
        tried: `read the events of ${namespace}/${name}`,
        path: `v1/stream/events/${encodeURIComponent(namespace)}`,
      };
      if (withoutEvents) throw withoutEvents;
      const shared = { sharing: "alone", from: undefined } as const;
      try {
        for await (const values of sharedStreamOf(exchange, { ...asked, signal }, shared, watcher)) {
          yield* values.map(readEvent).filter(({ involvedObject: { name: about } }) =>
            about === name || about.startsWith(`${name}-`)
          );
        }
      } catch (error) {
        if (!(error instanceof Refusal) || error.status !== 500 || !EVENTS_UNAVAILABLE.test(error.message)) throw error;
        throw withoutEvents = new Refusal(asked.tried, 501, error.message);
      }
    },
    async listTemplates<K extends TemplateKind>(
      kind: K,
      namespace: string,
      labels: readonly string[] = [],
      signal?: AbortSignal,
    ) {
      const { what } = TEMPLATES[kind];
      const asked = { tried: `list ${what}${inNamespace(namespace)}`, path: templatePath(kind, namespace), signal };
      const answer = await requestJson(exchange, {
        ...asked,
        query: { "listOptions.labelSelector": labels.join(",") },
      });
      return itemsOf(answer, what).map((item) => namedObject<TemplateObjects[K]>(item, what));
    },
    async getTemplate<K extends TemplateKind>(kind: K, namespace: string, name: string, signal?: AbortSignal) {
      const path = templatePath(kind, namespace, name);
      const { what } = TEMPLATES[kind];
      const answer = await requestJson(exchange, { tried: `get ${what} ${name}`, path, query: STORED, signal });
      // Argo's server omits the kind, which the editor and the graph need.
      return { apiVersion: "argoproj.io/v1alpha1", kind, ...namedObject<TemplateObjects[K]>(answer, what) };
    },
    async createTemplate(kind, namespace, object) {
      const tried = `create one of the ${TEMPLATES[kind].what}${inNamespace(namespace)}`;
      const body = { namespace, [TEMPLATES[kind].field]: object };
      await requestJson(exchange, { tried, method: "POST", path: templatePath(kind, namespace), body });
    },
    async updateTemplate<K extends TemplateKind>(kind: K, namespace: string, name: string, object: unknown) {
      const body = { namespace, name, [TEMPLATES[kind].field]: object };
      const path = templatePath(kind, namespace, name);
      const answer = await requestJson(exchange, { tried: `update ${name}`, method: "PUT", path, query: STORED, body });
      return namedObject<TemplateObjects[K]>(answer, TEMPLATES[kind].what);
    },
    async deleteTemplate(kind, namespace, name) {
      await requestJson(exchange, {
        tried: `delete ${name}`,
        method: "DELETE",
        path: templatePath(kind, namespace, name),
      });
    },
    async listEventObjects(list, namespace, signal) {
      const kindText = list.replaceAll("-", " ");
      const path = eventPath(list, namespace);
      return itemsOf(
        await requestJson(exchange, { tried: `list ${kindText}${inNamespace(namespace)}`, path, signal }),
        kindText,
      )
        .map((item) => readEventObject(item, kindText));
    },
    async saveEventObject(list, namespace, name, object) {
      const body = { namespace, ...(name ? { name } : {}), [list === "sensors" ? "sensor" : "eventSource"]: object };
      const path = eventPath(list, namespace, name);
      const tried = name ? `update ${name}` : `create one of the ${list.replaceAll("-", " ")}${inNamespace(namespace)}`;
      await requestJson(exchange, { tried, method: name ? "PUT" : "POST", path, body });
    },
    async deleteEventObject(list, namespace, name) {
      await requestJson(exchange, {
        tried: `delete ${name}`,
        method: "DELETE",
        path: eventPath(list, namespace, name),
      });
    },
    async *eventLogs(list, namespace, { name, part, tailLines }, signal, watcher) {
      const asked = {
        tried: `read the logs of ${list.replaceAll("-", " ")}${inNamespace(namespace)}`,
        path: `v1/stream/${list}/${encodeURIComponent(namespace)}/logs`,
        query: {
          name,
          [list === "sensors" ? "triggerName" : "eventName"]: part,
          "podLogOptions.follow": true,
          "podLogOptions.tailLines": tailLines,
        },
        signal,
      };
      using turn = await requestTurn(exchange, signal);
      if (!turn) return;
      for await (const values of streamOf(exchange, asked, watcher)) {
        yield values.map((value) => readEventEntry(list, value));
      }
    },
    async setCronSuspended(namespace, name, isSuspended) {
      const verb = isSuspended ? "suspend" : "resume";
      const path = `${templatePath("CronWorkflow", namespace, name)}/${verb}`;
      const body = { namespace, name };
      const answer = await requestJson(exchange, {
        tried: `${verb} ${name}`,
        method: "PUT",
        path,
        query: STORED,
        body,
      });
      return namedObject<CronWorkflow>(answer, "a cron workflow");
    },
    info,
    async version(signal) {
      const answer = objectOf(
        await requestJson(exchange, { tried: "get the server's version", path: "v1/version", signal }),
        "a version",
      );
      return typeof answer.version === "string" ? answer.version : "";
    },
    userInfo: async (signal) =>
      readUser(await requestJson(exchange, { tried: "get the current user", path: "v1/userinfo", signal })),
    async noteEvent(name) {
      await requestJson(exchange, {
        tried: "report an event to the server",
        method: "POST",
        path: "v1/tracking/event",
        body: { name },
      });
    },
  };
  return source;
}

/** Argo Server 4 ends every event stream with this error at the first event. */
const EVENTS_UNAVAILABLE = /failed to marshal, message is \*v1\.Event/;

/** The time between two requests for a turn. */
const TURN_MILLIS = 3_000;

/** Waits for a turn to hold a connection; returns undefined if the signal is aborted first. */
async function requestTurn({ shared }: Exchange, signal: AbortSignal): Promise<Disposable | undefined> {
  while (!signal.aborted) {
    const turn = shared?.requestTurn();
    if (!turn || await turn.isMine) return turn ?? { [Symbol.dispose]() {} };
    turn[Symbol.dispose]();
    await new Promise((resolve) => setTimeout(resolve, TURN_MILLIS));
  }
  return undefined;
}

function eventPath(list: EventList, namespace: string, name?: string): string {
  return `v1/${list}/${encodeURIComponent(namespace)}${name ? `/${encodeURIComponent(name)}` : ""}`;
}

async function* watchChanges(
  exchange: Exchange,
  request: Parameters<typeof sharedStreamOf>[1],
  shared: SharedOptions,
  watcher: StreamWatcher | undefined,
  knownRun?: Workflow,
): AsyncGenerator<Change<Workflow>> {
  /** The last known state of the run, to which patches apply. */
  let told = knownRun;
  const alone = shared.sharing === "list"
    ? { ...request, query: { ...request.query, "listOptions.resourceVersion": shared.from } }
    : request;
  for await (const values of sharedStreamOf(exchange, request, shared, watcher, alone)) {
    for (const value of values) {
      const { type, object } = objectOf(value, "a change");
      if (type === "ADDED" || type === "MODIFIED" || type === "DELETED") {
        yield { type, object: told = await readRun(object) };
      } else if (type === "PATCHED") {
        told = told && patchedWorkflow(told, await readPatch(object));
        // The base state was missed: everything must be requested again.
        if (!told) throw new Refusal(request.tried, 410, "a change of an unknown state");
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
  // The name alone is a file, or redirects to the folder; inside a folder, a trailing slash marks subfolders.
  return parts.slice(0, path === "" ? -1 : undefined).map(encodeURIComponent).join("/");
}

function templatePath(kind: TemplateKind, namespace: string, name?: string): string {
  const { path, isNamespaced } = TEMPLATES[kind];
  const all = isNamespaced ? `${path}/${encodeURIComponent(namespace)}` : path;
  return name === undefined ? all : `${all}/${encodeURIComponent(name)}`;
}

function inNamespace(namespace: string): string {
  return namespace === "" ? "" : ` in ${namespace}`;
}

const PHASE_LABEL = "workflows.argoproj.io/phase";

function labelsOf({ labels, phases }: RunQuery): string {
  const phase = phases.length === 0 ? [] : [`${PHASE_LABEL} in (${phases.join(",")})`];
  return [...labels, ...phase].join(",");
}

function queryOf(query: RunQuery): QueryValues {
  const { name } = query;
  const fields = [
    "ext.showRemainingItemCount=true",
    ...(name ? [`metadata.name=${name.text}`] : []),
    // The server compares strictly.
    ...(query.startedFrom ? [`spec.startedAt>${new Date(Date.parse(query.startedFrom) - 1).toISOString()}`] : []),
    ...(query.startedUntil ? [`spec.startedAt<${query.startedUntil}`] : []),
  ];
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
    uid: query.uid,
    grep: query.grep,
    "logOptions.container": query.container ?? "main",
    "logOptions.follow": query.follow,
    "logOptions.timestamps": query.timestamps,
    "logOptions.sinceTime": query.sinceTime,
    "logOptions.tailLines": query.tailLines,
  };
}
