/** Reads the workflow of a route's path from the cluster or the archive. */
import { storedWorkflow, type Workflow } from "@tiphys/model/api";
import { classifyError } from "@tiphys/kube";
import { wholeWorkflow } from "@tiphys/model/nodes";
import { ActionError } from "@tiphys/engine/workflow_actions";
import { type ClusterService, LATEST, resolveName } from "@tiphys/service";
import { readable, type StoredObjects, storedWorkflows } from "@tiphys/service/stored";
import type { Call } from "../routes/route.ts";
import { badRequest, CODE, WireError } from "../wire/errors.ts";
import { serviceOf } from "./change.ts";
import { isOfInstance } from "@tiphys/service/instance";
import { offloadedNodes } from "./offloaded.ts";

type WorkflowCall = Pick<Call, "caller" | "served" | "params">;

/** Reads the workflow of the path with the caller's credentials, including all its nodes. */
export async function getOne(call: WorkflowCall): Promise<Workflow> {
  return await wholeWorkflow(await getStored(call), offloadedNodes(call.served));
}

/** Reads the workflow as it is stored in the cluster, without loading nodes: works even if they cannot be loaded. */
export async function getStored(call: WorkflowCall): Promise<Workflow> {
  return await getFrom(call, (workflows, namespace, name) => workflows.get(namespace, name));
}

/**
 * Like {@link getStored}, but returns a placeholder row for an unreadable workflow, so that it can be stopped or
 * deleted.
 */
export async function getRow(call: WorkflowCall): Promise<Workflow> {
  return await getFrom(call, (workflows, namespace, name) => workflows.getRow(namespace, name));
}

type Get = (workflows: StoredObjects<Workflow>, namespace: string, name: string) => Promise<Workflow>;

async function getFrom(call: WorkflowCall, get: Get): Promise<Workflow> {
  const { namespace = "", name = "" } = call.params;
  const service = serviceOf(call);
  const found = await get(storedWorkflows(call.caller.client), namespace, await nameOf(call, service));
  if (!isOfInstance(found, call.served.instanceId)) {
    throw badRequest(`'${name}' is not managed by the current Argo Server`);
  }
  return found;
}

async function nameOf({ params: { namespace = "", name = "" } }: Pick<Call, "params">, service: ClusterService) {
  if (name !== LATEST) return name;
  try {
    return await resolveName(service, namespace, name);
  } catch (error) {
    if (error instanceof ActionError) throw new WireError(CODE.notFound, "no workflows found");
    throw error;
  }
}

/**
 * Reads the workflow from the cluster with `get`. If it does not exist there, or its UID is not `uid`, reads the
 * archived workflow with that UID, or without a `uid` the newest one of the name.
 * @throws {WireError} or {@link KubeError} with the error of the cluster if neither exists.
 */
export async function getLiveOrArchived(call: WorkflowCall, uid?: string, get = getOne): Promise<Workflow> {
  const { namespace = "", name = "" } = call.params;
  let failure: unknown;
  try {
    const found = await get(call);
    if (!uid || found.metadata.uid === uid) return found;
    failure = new WireError(CODE.notFound, `workflows.argoproj.io ${JSON.stringify(name)} not found`);
  } catch (error) {
    if (classifyError(error) !== "notFound" || name === LATEST) throw error;
    failure = error;
  }
  const found = await call.served.archive?.query((archive) =>
    uid ? archive.get(uid) : archive.getByName(namespace, name)
  );
  // The caller's rights were checked for the name and the namespace of the path.
  if (!found || found.metadata.namespace !== namespace || found.metadata.name !== name) throw failure;
  return readable(storedWorkflow.read(found));
}
