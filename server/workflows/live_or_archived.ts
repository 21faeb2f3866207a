/** The workflow of the path, which may be gone from the cluster, and lie in the archive. */
import { storedWorkflow, type Workflow } from "@tiphys/model/api";
import { sortError } from "@tiphys/kube";
import { wholeWorkflow } from "@tiphys/model/nodes";
import { ActionError } from "@tiphys/engine/workflow_actions";
import {
  type ClusterService,
  LATEST,
  readable,
  resolveName,
  type StoredObjects,
  storedWorkflows,
} from "@tiphys/service";
import type { Call } from "../routes/route.ts";
import { badRequest, CODE, WireError } from "../wire/errors.ts";
import { serviceOf } from "./change.ts";
import { isOfInstance } from "@tiphys/service/instance";
import { offloadedNodes } from "./offloaded.ts";

type Finding = Pick<Call, "caller" | "served" | "params">;

/** The workflow of the path as the caller sees it, with all its nodes. */
export async function getOne(call: Finding): Promise<Workflow> {
  return await wholeWorkflow(await getStored(call), offloadedNodes(call.served));
}

/** The same as the cluster has it: what is not about nodes works where they cannot be had. */
export async function getStored(call: Finding): Promise<Workflow> {
  return await find(call, (workflows, namespace, name) => workflows.get(namespace, name));
}

/** The same; one that cannot be read is a row that says so: it can be ended and deleted all the same. */
export async function getRow(call: Finding): Promise<Workflow> {
  return await find(call, (workflows, namespace, name) => workflows.getRow(namespace, name));
}

type Get = (workflows: StoredObjects<Workflow>, namespace: string, name: string) => Promise<Workflow>;

async function find(call: Finding, get: Get): Promise<Workflow> {
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
 * The workflow of the cluster; where that is not there, or has another UID than is wanted, the archived one: of that UID, else
 * the newest of the name. `get` reads that of the cluster.
 * @throws {WireError} or {@link KubeError}: what the cluster said, where neither has it.
 */
export async function getLiveOrArchived(call: Finding, uid?: string, get = getOne): Promise<Workflow> {
  const { namespace = "", name = "" } = call.params;
  let trouble: unknown;
  try {
    const found = await get(call);
    if (!uid || found.metadata.uid === uid) return found;
    trouble = new WireError(CODE.notFound, `workflows.argoproj.io ${JSON.stringify(name)} not found`);
  } catch (error) {
    if (sortError(error) !== "notFound" || name === LATEST) throw error;
    trouble = error;
  }
  const found = await call.served.archive?.ask((archive) =>
    uid ? archive.get(uid) : archive.getByName(namespace, name)
  );
  // The caller's rights are those on the name and the namespace of the path.
  if (!found || found.metadata.namespace !== namespace || found.metadata.name !== name) throw trouble;
  return readable(storedWorkflow.read(found));
}
