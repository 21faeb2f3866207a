/**
 * Single-container pods: only main, with the emissary in front of the user's command, if no other container is needed.
 * Such a pod creates no task result: the status from the kubelet is the only information about its end.
 */
import type { PodContainer } from "@tiphys/model/api";
import { ANNOTATION, ENV } from "@tiphys/base/constants";
import type { PodRequest } from "../request.ts";
import { affectsOnlyMain } from "../parts/pod_spec_patch.ts";
import { executorServiceAccount } from "../parts/service_account.ts";

/**
 * Whether main needs no other container: the executor has nothing to load before it, save after it or report, and the
 * kubelet enforces all of its deadlines.
 */
export function needsOnlyMain(request: PodRequest, mains: readonly PodContainer[]): boolean {
  const { template, spec } = request;
  const isOneCommand = template.container !== undefined || template.script !== undefined;
  return isOneCommand && !template.daemon && !template.sidecars?.length &&
    affectsOnlyMain(template.podSpecPatch) && affectsOnlyMain(spec.podSpecPatch) &&
    !transfersArtifacts(request) && !needsReport(request, mains) &&
    executorServiceAccount(template, spec) === undefined &&
    // The kubelet enforces the deadlines of template and workflow. Only the supervisor enforces this one.
    !request.isRetryDeadline;
}

function transfersArtifacts({ template }: PodRequest): boolean {
  const { inputs, outputs, archiveLocation } = template;
  return Boolean(inputs?.artifacts?.length || outputs?.artifacts?.length) || archiveLocation?.archiveLogs === true;
}

/** Whether the node needs a report in addition to the status of its pod. */
function needsReport({ template, spec, includeScriptOutput }: PodRequest, mains: readonly PodContainer[]): boolean {
  if (includeScriptOutput || template.outputs?.parameters?.length || template.outputs?.result !== undefined) {
    return true;
  }
  if (template.metadata?.annotations?.[ANNOTATION.progress] !== undefined) return true;
  const written = [mains, template.script?.source, template.podSpecPatch, spec.podSpecPatch];
  return JSON.stringify(written).includes(ENV.progressFile);
}
