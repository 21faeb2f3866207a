/** A workflow of the path that may be gone from the cluster, and lie in the archive. */
import type { Workflow } from "../../lib/api/mod.ts";
import { sortError } from "../../lib/kube/mod.ts";
import { LATEST } from "../../lib/workflow_service/mod.ts";
import type { Call } from "../routes/route.ts";
import { CODE, WireError } from "../wire/errors.ts";

type Finding = Pick<Call, "caller" | "served" | "params">;

/**
 * The workflow of the cluster; where that is not there, or has another UID than is wanted, the archived one: of that UID, else
 * the newest of the name.
 * @throws {WireError} or {@link KubeError}: what the cluster said, where neither has it.
 */
export async function getLiveOrArchived<C extends Finding>(
  call: C,
  getLive: (call: C) => Promise<Workflow>,
  uid?: string,
): Promise<Workflow> {
  const { namespace = "", name = "" } = call.params;
  let trouble: unknown;
  try {
    const found = await getLive(call);
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
  return found as unknown as Workflow;
}
