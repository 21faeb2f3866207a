/** Uploaded files as artifact arguments of a submission. Only the caller who made an upload can use its key. */
import type { Artifact, Workflow } from "@tiphys/model/api";
import type { SourceKind } from "@tiphys/engine/workflow_actions";
import { ClusterService } from "@tiphys/service";
import { argumentOf, placeArgument } from "../uploads/upload_place.ts";
import type { Call } from "../routes/route.ts";
import { badRequest } from "../wire/errors.ts";

/** A submission with uploads. */
export interface UploadSubmission {
  readonly kind: SourceKind;
  readonly name: string;
  readonly namespace: string;
  /** `name=key` texts. */
  readonly pairs: readonly string[];
}

/**
 * Returns the artifacts that replace arguments of the template.
 * @throws {WireError} if the template has no argument of a name, or if a key was not created for this caller.
 */
export async function uploadedArguments(
  call: Pick<Call, "caller" | "served">,
  { kind, name, namespace, pairs }: UploadSubmission,
): Promise<readonly Artifact[]> {
  if (pairs.length === 0) return [];
  const { caller, served } = call;
  const keys = new Map(pairs.map(readPair));
  const service = new ClusterService(caller.client, served.now);
  const template = kind === "CronWorkflow"
    ? undefined
    : kind === "WorkflowTemplate"
    ? await service.templates.get(namespace, name)
    : await service.clusterTemplates.get(namespace, name);
  const unknown = [...keys.keys()].filter((key) => !template || !argumentOf(template, key));
  if (!template || unknown.length > 0) {
    throw badRequest(`artifact override(s) matched no artifact: ${unknown.sort().join(", ")}`);
  }
  return await Promise.all([...keys].map(async ([name, key]) => {
    if (!served.uploadKeys.isOwn(key, { namespace, owner: caller.claims })) {
      throw badRequest(`artifact key ${JSON.stringify(key)} does not belong to an upload of yours to this namespace`);
    }
    const artifact = argumentOf(template, name)!;
    return (await placeArgument(call, { template, artifact, namespace, key })).argument;
  }));
}

/** Replaces the arguments of the same names by these artifacts. */
export function withArtifacts(workflow: Workflow, artifacts: readonly Artifact[]): Workflow {
  if (artifacts.length === 0) return workflow;
  const { spec } = workflow;
  const names = new Set(artifacts.map(({ name }) => name));
  const kept = (spec.arguments?.artifacts ?? []).filter(({ name }) => !names.has(name));
  return { ...workflow, spec: { ...spec, arguments: { ...spec.arguments, artifacts: [...artifacts, ...kept] } } };
}

function readPair(text: string): readonly [string, string] {
  const index = text.indexOf("=");
  if (index < 1 || index === text.length - 1) {
    throw badRequest(`expected artifact of the form: NAME=KEY. Received: ${text}`);
  }
  return [text.slice(0, index), text.slice(index + 1)];
}
