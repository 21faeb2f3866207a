/** Lookup of an archived workflow by UID, or by namespace and name. */
import { storedWorkflow, type Workflow } from "@tiphys/model/api";
import { WORKFLOWS } from "@tiphys/kube";
import { readable } from "@tiphys/service/stored";
import { right } from "../gate/rights.ts";
import type { Call } from "../routes/route.ts";
import { CODE, WireError } from "../wire/errors.ts";
import type { ArchiveSource } from "./archive_source.ts";

/** An archived workflow as a request names it. */
export interface ArchivedName {
  readonly uid: string;
  /** The namespace and name, if the request contains them. */
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
}

type ArchiveCall = Pick<Call, "served" | "gate" | "caller">;

/**
 * Returns the archive of the server.
 * @throws {WireError} when no archive is configured.
 */
export function archiveOf({ served }: Pick<Call, "served">): ArchiveSource {
  if (served.archive) return served.archive;
  throw new WireError(CODE.unimplemented, "no archive: `persistence.archive` is not set");
}

/** Returns the permissions that can be checked before the lookup: those of the namespace in the request, if any. */
export function rightsOnNamed({ namespace, name }: ArchivedName, verbs: readonly string[]) {
  return namespace ? verbs.map((verb) => right(verb, WORKFLOWS, namespace, name)) : [];
}

/**
 * Returns a complete archived workflow. If the request has no namespace, permissions are checked in the namespace of
 * the workflow. A caller who lacks them gets the same error whether the workflow exists or not, so that its existence
 * is not disclosed.
 * @throws {WireError} `notFound`, `permissionDenied`, or when the archive is unavailable.
 */
export async function findArchived(
  call: ArchiveCall,
  requested: ArchivedName,
  verbs: readonly string[],
): Promise<Workflow> {
  const { namespace = "", name = "", uid } = requested;
  const isNamed = namespace !== "" && name !== "";
  const found = await archiveOf(call).query((archive) =>
    // Without a UID, the name is used.
    isNamed && !uid ? archive.getByName(namespace, name) : archive.get(uid)
  );
  const there = found && (namespace === "" || found.metadata.namespace === namespace) &&
      (name === "" || found.metadata.name === name)
    ? found
    : undefined;
  if (namespace === "") await checkInNamespace(call, there?.metadata.namespace, verbs);
  if (!there) throw new WireError(CODE.notFound, "not found");
  return readable(storedWorkflow.read(there));
}

/**
 * Checks permissions in a namespace. On failure, checks them cluster-wide, so that the error is the same as for a
 * missing workflow.
 */
async function checkInNamespace(
  { gate, caller }: ArchiveCall,
  namespace: string | undefined,
  verbs: readonly string[],
): Promise<void> {
  const within = namespace === undefined ? undefined : verbs.map((verb) => right(verb, WORKFLOWS, namespace));
  const may = within &&
    (await Promise.all(within.map((requirement) => gate.isPermitted(caller, requirement)))).every(Boolean);
  if (!may) await gate.check(caller, verbs.map((verb) => right(verb, WORKFLOWS, undefined)));
}
