/** The routes of logs: of a workflow, and of one of its pods. */
import type { Workflow } from "@tiphys/model/api";
import { LABEL } from "@tiphys/base/constants";
import { PODS, WORKFLOWS } from "@tiphys/kube";
import { workflowLogBatches } from "@tiphys/service/logs";
import type { LogRequest } from "@tiphys/service";
import { right } from "../gate/rights.ts";
import { type Call, type Route, route } from "../routes/route.ts";
import type { QueryValues } from "../wire/query.ts";
import { badRequest, CODE, WireError } from "../wire/errors.ts";
import { grepOf } from "./grep.ts";
import { offloadedNodes } from "./offloaded.ts";

const QUERY = {
  podName: "string",
  "logOptions.container": "string",
  "logOptions.follow": "bool",
  "logOptions.previous": "bool",
  "logOptions.sinceSeconds": "int",
  "logOptions.sinceTime": "string",
  "logOptions.sinceTime.seconds": "int",
  "logOptions.sinceTime.nanos": "int",
  "logOptions.timestamps": "bool",
  "logOptions.tailLines": "int",
  "logOptions.limitBytes": "int",
  "logOptions.insecureSkipTLSVerifyBackend": "bool",
  grep: "string",
  uid: "string",
  selector: "string",
} as const;

type LogCall = Pick<Call, "caller" | "served" | "params" | "signal"> & { readonly query: QueryValues<typeof QUERY> };

/**
 * The two routes. `getStored` reads the workflow of the path from the cluster or the archive. It does not load nodes,
 * since the logs of existing pods can be shown without them.
 */
export function logsRoute(getStored: (call: LogCall) => Promise<Workflow>): readonly Route[] {
  return [
    logs("WorkflowService_WorkflowLogs", "/api/v1/workflows/{namespace}/{name}/log", getStored),
    logs("WorkflowService_PodLogs", "/api/v1/workflows/{namespace}/{name}/{podName}/log", getStored),
  ];
}

function logs(id: string, path: string, getStored: (call: LogCall) => Promise<Workflow>): Route {
  return route({
    id,
    method: "GET",
    path,
    query: QUERY,
    isStream: true,
    rights: ({ params: { namespace = "", name }, query }) => [
      right("get", WORKFLOWS, namespace, name),
      right("list", PODS, namespace),
      right("get", PODS, namespace, undefined, "log"),
      ...(query["logOptions.follow"]
        ? [right("watch", PODS, namespace), right("watch", WORKFLOWS, namespace, name)]
        : []),
    ],
    async answer(call) {
      grepOf(call.query.grep ?? "");
      const workflow = await getStored(call);
      const { metadata: { namespace = "", name = "", labels } } = workflow;
      // The logs of an archived workflow do not grow: there is nothing to follow.
      const isArchived = labels?.[LABEL.archivingStatus] === "Persisted";
      const request = isArchived ? { ...requestOf(call), follow: false } : requestOf(call);
      const place = {
        client: call.caller.client,
        offloaded: offloadedNodes(call.served),
        namespace,
        workflowName: name,
        workflow,
        beside: call.served.trees.env,
        reach: call.served.reach,
      };
      return { batches: entries(workflowLogBatches(place, request, call.signal)) };
    },
  });
}

async function* entries(batches: ReturnType<typeof workflowLogBatches>) {
  try {
    for await (const batch of batches) yield batch.map(({ podName, line }) => ({ content: line, podName }));
  } catch (error) {
    if (error instanceof Error && error.name === "PluginAwayError") {
      throw new WireError(CODE.unavailable, error.message);
    }
    throw error;
  }
}

function requestOf({ query, params }: LogCall): LogRequest {
  return {
    podName: params.podName || query.podName || undefined,
    labelSelector: query.selector || undefined,
    container: query["logOptions.container"] || undefined,
    follow: query["logOptions.follow"],
    previous: query["logOptions.previous"],
    timestamps: query["logOptions.timestamps"],
    sinceTime: sinceTime(query),
    sinceSeconds: atLeast(1, "logOptions.sinceSeconds", query),
    tailLines: atLeast(0, "logOptions.tailLines", query),
    limitBytes: atLeast(1, "logOptions.limitBytes", query),
    grep: query.grep || undefined,
  };
}

/**
 * Returns the number of an option. @throws {WireError} below the minimum of Kubernetes: every request for a pod would
 * fail.
 */
function atLeast(
  min: number,
  name: "logOptions.sinceSeconds" | "logOptions.tailLines" | "logOptions.limitBytes",
  query: QueryValues<typeof QUERY>,
) {
  const value = query[name];
  if (value === undefined || value >= min) return value;
  throw badRequest(`${name}: expected ${min} or more, got ${value}`);
}

/** Returns the time, given in RFC 3339 or, as in gRPC, as seconds. */
function sinceTime(query: QueryValues<typeof QUERY>): string | undefined {
  const text = query["logOptions.sinceTime"];
  const seconds = query["logOptions.sinceTime.seconds"];
  if (text) {
    if (Number.isNaN(Date.parse(text))) {
      throw badRequest(`logOptions.sinceTime: expected a time, got ${JSON.stringify(text)}`);
    }
    return text;
  }
  if (seconds === undefined) return undefined;
  const time = new Date(seconds * 1000);
  if (!Number.isNaN(time.getTime())) return time.toISOString();
  throw badRequest(`logOptions.sinceTime.seconds: expected seconds since 1970, got ${seconds}`);
}
