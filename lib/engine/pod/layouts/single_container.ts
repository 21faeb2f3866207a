/**
 * The pod of one container: main alone, with the emissary in front of the user's command, where nobody is needed beside
 * it. Nothing in such a pod reports: what the kubelet says of its end is all there is to know.
 */
import type { PodContainer } from "@tiphys/model/api";
import { ANNOTATION, ENV } from "@tiphys/base/constants";
import type { PodRequest } from "../request.ts";
import { leavesMainAlone } from "../parts/pod_spec_patch.ts";
import { executorServiceAccount } from "../parts/service_account.ts";

/**
 * Whether main can do without a container beside it: it has nothing that somebody with the executor's rights must load
 * before it or save after it, nothing to report, and no deadline but one that the kubelet keeps.
 */
export function worksAlone(request: PodRequest, mains: readonly PodContainer[]): boolean {
  const { template, spec } = request;
  const isOneCommand = template.container !== undefined || template.script !== undefined;
  return isOneCommand && !template.daemon && !template.sidecars?.length &&
    leavesMainAlone(template.podSpecPatch) && leavesMainAlone(spec.podSpecPatch) &&
    !movesArtifacts(request) && !reports(request, mains) &&
    executorServiceAccount(template, spec) === undefined &&
    // The kubelet keeps the deadlines of template and workflow; this one only an executor beside main.
    !request.isDeadlineOfRetries;
}

function movesArtifacts({ template }: PodRequest): boolean {
  const { inputs, outputs, archiveLocation } = template;
  return Boolean(inputs?.artifacts?.length || outputs?.artifacts?.length) || archiveLocation?.archiveLogs === true;
}

/** Whether something is to be known of the node that the status of its pod does not say. */
function reports({ template, spec, includeScriptOutput }: PodRequest, mains: readonly PodContainer[]): boolean {
  if (includeScriptOutput || template.outputs?.parameters?.length || template.outputs?.result !== undefined) {
    return true;
  }
  if (template.metadata?.annotations?.[ANNOTATION.progress] !== undefined) return true;
  const written = [mains, template.script?.source, template.podSpecPatch, spec.podSpecPatch];
  return JSON.stringify(written).includes(ENV.progressFile);
}
