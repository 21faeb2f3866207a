/** The routes of the archive. */
import { classifyError, PODS, WORKFLOWS } from "@tiphys/kube";
import { parseRequirements, SelectorError } from "@tiphys/base/selector/label_selector";
import { unknownParametersOfStarted } from "@tiphys/engine/workflow_actions";
import { retryArchived } from "@tiphys/service";
import { right } from "../gate/rights.ts";
import { LIST_OPTIONS } from "../routes/list_options.ts";
import { type Call, type Route, route } from "../routes/route.ts";
import { boolField, textField, textsField } from "../workflows/body_fields.ts";
import { actionsOf, serviceOf } from "../workflows/change.ts";
import { mergedPage } from "../workflows/merged_page.ts";
import { readContinue } from "../workflows/page.ts";
import { answerWorkflow } from "../workflows/one_workflow.ts";
import { ARCHIVE_QUERY, LIST_QUERY, readListQuery } from "../workflows/query.ts";
import { readParameters } from "../workflows/submit.ts";
import { withWarnings } from "../workflows/warnings.ts";
import { maskedWorkflows, presentList, presentWorkflow } from "../wire/present.ts";
import { badRequest, CODE, WireError } from "../wire/errors.ts";
import { type ArchivedName, archiveOf, findArchived, rightsOnNamed } from "./find_archived.ts";

const PATH = "/api/v1/archived-workflows";

/** Returns the namespace in a field selector. */
function namespaceIn(selector: string | undefined): string | undefined {
  const [, only] = /(?:^|,)\s*metadata\.namespace==?([^,]*)/.exec(selector ?? "") ?? [];
  return only?.trim() || undefined;
}

const list = route({
  id: "ArchivedWorkflowService_ListArchivedWorkflows",
  method: "GET",
  path: PATH,
  query: { ...LIST_OPTIONS, ...LIST_QUERY, ...ARCHIVE_QUERY },
  rights: ({ query }) => [
    right("list", WORKFLOWS, query.namespace || namespaceIn(query["listOptions.fieldSelector"])),
  ],
  async answer({ query, served, mask }) {
    const asked = readListQuery(query.namespace ?? "", query, served.instanceId);
    const { filters, limit } = asked;
    const start = readContinue(asked.continue);
    const page = await served.archive?.query((archive) =>
      mergedPage(archive, { live: [], covered: new Set(), filters, start, limit, counts: asked.showRemaining })
    ) ?? { items: [], remaining: 0 };
    const metadata = {
      ...(page.continue ? { continue: page.continue } : {}),
      ...(asked.showRemaining ? { remainingItemCount: page.remaining } : {}),
    };
    return { json: maskedWorkflows(mask, presentList(page.items.map(presentWorkflow), metadata)) };
  },
});

const ONE_QUERY = { namespace: "string", name: "string" } as const;

function nameInQuery({ params: { uid = "" }, query }: Call<typeof ONE_QUERY>): ArchivedName {
  return { uid, namespace: query.namespace || undefined, name: query.name || undefined };
}

function nameInBody({ params: { uid = "" }, body }: Pick<Call, "params" | "body">): ArchivedName {
  return { uid, namespace: textField(body, "namespace"), name: textField(body, "name") };
}

const get = route({
  id: "ArchivedWorkflowService_GetArchivedWorkflow",
  method: "GET",
  path: `${PATH}/{uid}`,
  query: { ...ONE_QUERY, fields: "string" },
  rights: (call) => rightsOnNamed(nameInQuery(call), ["get"]),
  async answer(call) {
    return await answerWorkflow(call, await findArchived(call, nameInQuery(call), ["get"]));
  },
});

const remove = route({
  id: "ArchivedWorkflowService_DeleteArchivedWorkflow",
  method: "DELETE",
  path: `${PATH}/{uid}`,
  query: ONE_QUERY,
  rights: (call) => rightsOnNamed(nameInQuery(call), ["get", "delete"]),
  async answer(call) {
    const { metadata: { uid = "" } } = await findArchived(call, nameInQuery(call), ["get", "delete"]);
    await archiveOf(call).query((archive) => archive.delete(uid));
    return { json: {} };
  },
});

const resubmit = route({
  id: "ArchivedWorkflowService_ResubmitArchivedWorkflow",
  method: "PUT",
  path: `${PATH}/{uid}/resubmit`,
  hasBody: true,
  rights: (call) => rightsOnNamed(nameInBody(call), ["get", "create"]),
  async answer(call) {
    const found = await findArchived(call, nameInBody(call), ["get", "create"]);
    const parameters = readParameters(textsField(call.body, "parameters"));
    const made = await actionsOf(call, found).resubmit({ memoized: boolField(call.body, "memoized"), parameters });
    return withWarnings(await answerWorkflow(call, made), unknownParametersOfStarted(found, parameters.keys()));
  },
});

const retry = route({
  id: "ArchivedWorkflowService_RetryArchivedWorkflow",
  method: "PUT",
  path: `${PATH}/{uid}/retry`,
  hasBody: true,
  rights(call) {
    const named = nameInBody(call);
    const rights = rightsOnNamed(named, ["get", "create"]);
    return named.namespace ? [...rights, right("delete", PODS, named.namespace)] : rights;
  },
  async answer(call) {
    const { body, caller, gate } = call;
    const found = await findArchived(call, nameInBody(call), ["get", "create"]);
    const { namespace = "", name = "" } = found.metadata;
    await gate.check(caller, [right("delete", PODS, namespace)]);
    if (await existsInCluster(call, namespace, name)) {
      const message = "Workflow already exists on cluster, use argo retry {name} instead";
      throw new WireError(CODE.alreadyExists, message);
    }
    const parameters = readParameters(textsField(body, "parameters"));
    const retried = await retryArchived(caller.client, found, {
      restartSuccessful: boolField(body, "restartSuccessful"),
      nodeFieldSelector: textField(body, "nodeFieldSelector"),
      parameters,
    }, { now: call.served.now(), actor: caller.claims, compression: call.served.compression });
    return withWarnings(await answerWorkflow(call, retried), unknownParametersOfStarted(found, parameters.keys()));
  },
});

async function existsInCluster(call: Call, namespace: string, name: string): Promise<boolean> {
  try {
    return Boolean(await serviceOf(call).get(namespace, name));
  } catch (error) {
    if (classifyError(error) === "notFound") return false;
    throw error;
  }
}

const labelKeys = route({
  id: "ArchivedWorkflowService_ListArchivedWorkflowLabelKeys",
  method: "GET",
  path: "/api/v1/archived-workflows-label-keys",
  query: { namespace: "string" },
  rights: ({ query }) => [right("list", WORKFLOWS, query.namespace)],
  async answer({ served, query }) {
    const keys = await served.archive?.query((archive) => archive.labelKeys(query.namespace || undefined)) ?? [];
    return { json: { items: keys } };
  },
});

const labelValues = route({
  id: "ArchivedWorkflowService_ListArchivedWorkflowLabelValues",
  method: "GET",
  path: "/api/v1/archived-workflows-label-values",
  query: { namespace: "string", "listOptions.labelSelector": "string" },
  rights: ({ query }) => [right("list", WORKFLOWS, query.namespace)],
  async answer({ served, query }) {
    const key = readLabelKey(query["listOptions.labelSelector"] ?? "");
    if (served.isHiddenLabel?.(key)) return { json: { items: [] } };
    const values = await served.archive?.query((archive) => archive.labelValues(key, query.namespace || undefined)) ??
      [];
    return { json: { items: values } };
  },
});

/** @throws {WireError} for a selector that is not a single key. */
function readLabelKey(selector: string): string {
  let requirements;
  try {
    requirements = parseRequirements(selector);
  } catch (error) {
    if (error instanceof SelectorError) throw badRequest(error.message);
    throw error;
  }
  const [requirement] = requirements;
  if (!requirement || requirements.length > 1) {
    throw badRequest(`only allow 1 labelRequirement, found ${requirements.length}`);
  }
  if (requirement.operator !== "exists") throw badRequest(`operation ${requirement.operator} is not supported`);
  return requirement.key;
}

/** All routes of the archive. */
export const ARCHIVE_ROUTES: readonly Route[] = [list, get, remove, resubmit, retry, labelKeys, labelValues];
