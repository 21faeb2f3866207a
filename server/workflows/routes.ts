/** The routes of workflows. */
import type { Workflow } from "@tiphys/model/api";
import {
  classifyError,
  CLUSTER_WORKFLOW_TEMPLATES,
  CRON_WORKFLOWS,
  PODS,
  WORKFLOW_TEMPLATES,
  WORKFLOWS,
} from "@tiphys/kube";
import { LATEST } from "@tiphys/service";
import { right } from "../gate/rights.ts";
import { DELETE_OPTIONS, deleteOptions, GET_OPTIONS, LIST_OPTIONS } from "../routes/list_options.ts";
import { type Call, type Route, route } from "../routes/route.ts";
import { badRequest, CODE, WireError } from "../wire/errors.ts";
import { withCreator } from "../gate/creator.ts";
import { maskedWorkflows, presentList, presentWorkflow, withWaitsOnly } from "../wire/present.ts";
import { boolField, objectField, textField, textsField } from "./body_fields.ts";
import { checkObject, lintObject } from "./checked.ts";
import { checkRestriction } from "./restriction.ts";
import { placeInInstance } from "@tiphys/service/instance";
import { logsRoute } from "./logs_route.ts";
import { LIST_QUERY, readListQuery, SORT_QUERY } from "./query.ts";
import { listWorkflows, rightsToList } from "./list.ts";
import { activityRoute } from "./activity_route.ts";
import { getLiveOrArchived, getOne, getRow, getStored } from "./live_or_archived.ts";
import { readKind, withNamespace } from "./read.ts";
import { readSubmission, rightsToSubmit, sourceKind } from "./submit.ts";
import { fieldWarnings, parameterWarnings, withWarnings } from "./warnings.ts";
import { uploadedArguments, withArtifacts } from "./uploaded_arguments.ts";
import { watchRoutes } from "./watch_routes.ts";
import { serviceOf } from "./change.ts";
import { podTimesRoute } from "./pod_times_route.ts";
import { canRoute } from "./can_route.ts";
import { changeRoutes } from "./change_routes.ts";
import { answerWorkflow, rightsOnOne } from "./one_workflow.ts";

const PATH = "/api/v1/workflows/{namespace}";

const list = route({
  id: "WorkflowService_ListWorkflows",
  method: "GET",
  path: PATH,
  query: { ...LIST_OPTIONS, ...LIST_QUERY, ...SORT_QUERY },
  rights: rightsToList,
  async answer({ params: { namespace = "" }, query, served, mask }) {
    const listQuery = readListQuery(namespace, query, served.instanceId);
    const { version } = served.workflows;
    const { page, headers } = await listWorkflows(served, listQuery);
    const metadata = {
      ...(version ? { resourceVersion: version } : {}),
      ...(page.continue ? { continue: page.continue } : {}),
      ...(listQuery.showRemaining ? { remainingItemCount: page.remaining } : {}),
    };
    const present = mask.isNamed("items.status.waitsOnly") ? withWaitsOnly : presentWorkflow;
    return { json: maskedWorkflows(mask, presentList(page.items.map(present), metadata)), headers };
  },
});

const get = route({
  id: "WorkflowService_GetWorkflow",
  method: "GET",
  path: `${PATH}/{name}`,
  query: { ...GET_OPTIONS, fields: "string", uid: "string" },
  rights: (call) =>
    call.params.name === LATEST
      ? [right("get", WORKFLOWS, call.params.namespace), right("list", WORKFLOWS, call.params.namespace)]
      : rightsOnOne("get")(call),
  async answer(call) {
    const wantsNodes = call.mask.includes("status.nodes");
    const found = await getLiveOrArchived(call, call.query.uid || undefined, wantsNodes ? getOne : getStored);
    return await answerWorkflow(call, wantsNodes ? found : withoutNodes(found));
  },
});

/** Removes the nodes, whether they are plain, compressed or offloaded. */
function withoutNodes(workflow: Workflow): Workflow {
  const { nodes: _, compressedNodes: _packed, offloadNodeStatusVersion: _version, ...status } = workflow.status ?? {};
  return { ...workflow, status };
}

const create = route({
  id: "WorkflowService_CreateWorkflow",
  method: "POST",
  path: PATH,
  hasBody: true,
  rights: ({ params: { namespace } }) => [right("create", WORKFLOWS, namespace)],
  async answer(call) {
    const { body, params: { namespace = "" } } = call;
    const workflow = await newWorkflow(call, body.workflow, namespace);
    checkRestriction(call.served, workflow);
    await checkObject(call, namespace, workflow, { isSubmission: true, allowUnknownFields: true });
    const warnings = await fieldWarnings(call, "Workflow", workflow);
    const isDryRun = textsField(objectField(body, "createOptions"), "dryRun").includes("All");
    const answer = await createOne(call, workflow, { isDryRun, isServerDryRun: boolField(body, "serverDryRun") });
    return withWarnings(answer, warnings);
  },
});

/** Parses the workflow of a body, and labels it with this server's instance and the caller. */
async function newWorkflow(
  call: Pick<Call, "served" | "caller" | "params">,
  value: unknown,
  namespace: string,
): Promise<Workflow> {
  const sent = await readKind(call, "Workflow", value, { field: "workflow", missing: "workflow body not specified" });
  return ownWorkflow(call, withNamespace(sent, namespace));
}

function ownWorkflow({ served, caller }: Pick<Call, "served" | "caller">, workflow: Workflow): Workflow {
  const labels = withCreator(workflow.metadata.labels, caller.claims);
  return placeInInstance({ ...workflow, metadata: { ...workflow.metadata, labels } }, served.instanceId);
}

interface CreateMode {
  readonly isDryRun: boolean;
  readonly isServerDryRun: boolean;
}

async function createOne(call: Call, workflow: Workflow, { isDryRun, isServerDryRun }: CreateMode) {
  const { namespace = "" } = call.params;
  if (isDryRun) return await answerWorkflow(call, workflow);
  try {
    const dryRun = isServerDryRun ? "server" as const : undefined;
    return await answerWorkflow(call, await serviceOf(call).create(namespace, workflow, { dryRun }));
  } catch (error) {
    throw withHint(error, workflow);
  }
}

/** Adds the workflow's name to a timeout: the workflow may have been created. */
function withHint(error: unknown, { metadata }: Workflow): unknown {
  const status = (error as { status?: unknown }).status;
  if (status !== 504 && status !== 408 || !metadata.generateName) return error;
  const message = `create request failed due to timeout, but it's possible that workflow "${
    metadata.name ?? metadata.generateName
  }" already exists. Original error: ${error instanceof Error ? error.message : String(error)}`;
  return new WireError(CODE.deadlineExceeded, message, { cause: error });
}

const submit = route({
  id: "WorkflowService_SubmitWorkflow",
  method: "POST",
  path: `${PATH}/submit`,
  hasBody: true,
  rights: ({ params: { namespace }, body }) =>
    rightsToSubmit(SOURCES[sourceKind(body)], namespace, textField(body, "resourceName")),
  async answer(call) {
    const { body, params: { namespace = "" } } = call;
    const kind = sourceKind(body);
    const name = textField(body, "resourceName");
    if (!name) throw badRequest("resourceName: a name is required");
    const { options, artifacts, dryRun, serverDryRun } = readSubmission(body);
    const given = await uploadedArguments(call, { kind, name, namespace, pairs: artifacts });
    const service = serviceOf(call);
    const made = await service.submit(namespace, { kind, name }, options, { dryRun: "client" });
    const workflow = ownWorkflow(call, withNamespace(withArtifacts(made, given), namespace));
    checkRestriction(call.served, workflow);
    await checkObject(call, namespace, workflow, { isSubmission: true, allowUnknownFields: true });
    const { parameters, ...others } = options;
    const plain = parameters?.size
      ? await service.submit(namespace, { kind, name }, others, { dryRun: "client" })
      : made;
    const warnings = await parameterWarnings(call, namespace, plain, parameters);
    const answer = await createOne(call, workflow, { isDryRun: dryRun, isServerDryRun: serverDryRun });
    return withWarnings(answer, warnings);
  },
});

const SOURCES = {
  WorkflowTemplate: WORKFLOW_TEMPLATES,
  ClusterWorkflowTemplate: CLUSTER_WORKFLOW_TEMPLATES,
  CronWorkflow: CRON_WORKFLOWS,
} as const;

const lint = route({
  id: "WorkflowService_LintWorkflow",
  method: "POST",
  path: `${PATH}/lint`,
  hasBody: true,
  rights: ({ params: { namespace } }) => [right("create", WORKFLOWS, namespace)],
  async answer(call) {
    const { body, params: { namespace = "" } } = call;
    const workflow = await newWorkflow(call, body.workflow, namespace);
    await lintObject(call, namespace, workflow);
    return await answerWorkflow(call, workflow);
  },
});

const remove = route({
  id: "WorkflowService_DeleteWorkflow",
  method: "DELETE",
  path: `${PATH}/{name}`,
  query: { ...DELETE_OPTIONS, force: "bool" },
  rights: (call) => rightsOnOne("get", "delete", ...(call.query.force ? ["patch"] : []))(call),
  async answer(call) {
    const { caller, served, query, params: { namespace = "" } } = call;
    const { metadata } = await getRow(call);
    const name = metadata.name ?? "";
    const options = deleteOptions(query, served.propagationPolicy);
    if (options.uid && options.uid !== metadata.uid) {
      throw new WireError(CODE.alreadyExists, `the UID in the precondition (${options.uid}) is not that of ${name}`);
    }
    if (query.force && !options.dryRun) {
      await caller.client.patch(WORKFLOWS, namespace, name, { metadata: { finalizers: null } });
    }
    try {
      await caller.client.delete(WORKFLOWS, namespace, name, options);
    } catch (error) {
      // Removing the last finalizer completes a deletion that was already in progress.
      if (!query.force || classifyError(error) !== "notFound") throw error;
    }
    return { json: {} };
  },
});

/** A route that Argo's server does not have: the reasons why a workflow, or a node of it, waits. */
const why = route({
  id: "WorkflowService_WhyWorkflow",
  method: "GET",
  path: `${PATH}/{name}/why`,
  rights: (call) => [...rightsOnOne("get")(call), right("list", PODS, call.params.namespace)],
  async answer(call) {
    const { metadata: { namespace = "", name = "" } } = await getOne(call);
    return { json: { reasons: await serviceOf(call).why(namespace, name) } };
  },
});

const changes = changeRoutes({ live: getOne, row: getRow, liveOrArchived: (call) => getLiveOrArchived(call) });

/** All routes of workflows, including those of changes, watches and logs. */
export const WORKFLOW_ROUTES: readonly Route[] = [
  list,
  get,
  create,
  submit,
  lint,
  remove,
  why,
  podTimesRoute(getRow),
  activityRoute,
  canRoute({
    id: "WorkflowService_CanWorkflow",
    path: `${PATH}/{name}/can`,
    rights: rightsOnOne("get"),
    actions: {
      delete: remove.rights,
      ...Object.fromEntries(changes.map((change) => [change.path.split("/").at(-1)!, change.rights])),
    },
  }),
  ...changes,
  ...logsRoute((call) => getLiveOrArchived(call, call.query.uid || undefined, getStored)),
  ...watchRoutes,
];
