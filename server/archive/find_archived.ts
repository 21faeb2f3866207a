/** The archived workflow that a request means: by UID, or by namespace and name. */
import { storedWorkflow, type Workflow } from "../../lib/api/mod.ts";
import { WORKFLOWS } from "../../lib/kube/mod.ts";
import { readable } from "../../lib/workflow_service/mod.ts";
import { right } from "../gate/rights.ts";
import type { Call } from "../routes/route.ts";
import { CODE, WireError } from "../wire/errors.ts";
import type { ArchiveSource } from "./archive_source.ts";

/** A workflow of the archive as a request names it. */
export interface ArchivedName {
  readonly uid: string;
  /** The namespace, with a name, where the request has them. */
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
}

type Asking = Pick<Call, "served" | "gate" | "caller">;

/**
 * The archive of the server.
 * @throws {WireError} where nobody set one up.
 */
export function archiveOf({ served }: Pick<Call, "served">): ArchiveSource {
  if (served.archive) return served.archive;
  throw new WireError(CODE.unimplemented, "there is no archive: `persistence.archive` is not set");
}

/** The rights on the workflow that can be asked for before it is looked up: where the request says its namespace. */
export function rightsOnNamed({ namespace, name }: ArchivedName, verbs: readonly string[]) {
  return namespace ? verbs.map((verb) => right(verb, WORKFLOWS, namespace, name)) : [];
}

/**
 * The workflow, whole. Where the request does not say its namespace the rights are those in the workflow's own, and who has
 * them in some namespaces only learns nothing of the others: they are refused alike whether there is such a workflow or not.
 * @throws {WireError} `notFound`, `permissionDenied`, or when the archive cannot be asked.
 */
export async function findArchived(call: Asking, wanted: ArchivedName, verbs: readonly string[]): Promise<Workflow> {
  const { namespace = "", name = "", uid } = wanted;
  const isNamed = namespace !== "" && name !== "";
  const found = await archiveOf(call).ask((archive) =>
    // The name counts alone where the request has no UID.
    isNamed && !uid ? archive.getByName(namespace, name) : archive.get(uid)
  );
  const there = found && (namespace === "" || found.metadata.namespace === namespace) &&
      (name === "" || found.metadata.name === name)
    ? found
    : undefined;
  if (namespace === "") await checkWithin(call, there?.metadata.namespace, verbs);
  if (!there) throw new WireError(CODE.notFound, "not found");
  return readable(storedWorkflow.read(there));
}

/** Checks rights in a namespace; without them the refusal is that of all namespaces, as it is for what is not there. */
async function checkWithin(
  { gate, caller }: Asking,
  namespace: string | undefined,
  verbs: readonly string[],
): Promise<void> {
  const within = namespace === undefined ? undefined : verbs.map((verb) => right(verb, WORKFLOWS, namespace));
  const may = within && (await Promise.all(within.map((one) => gate.may(caller, one)))).every(Boolean);
  if (!may) await gate.check(caller, verbs.map((verb) => right(verb, WORKFLOWS, undefined)));
}
