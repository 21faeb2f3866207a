/** Sealing of a report as a pod's executor does it. */
import { createHmac } from "node:crypto";
import type { Pod, WorkflowTaskResult } from "@tiphys/model/api";
import { ANNOTATION, ENV, LABEL } from "@tiphys/base/constants";
import { reportText } from "@tiphys/model/report_seal";

/** Returns the report key of a pod. */
export function keyOf(pod: Pod): string | undefined {
  return pod.spec.containers.flatMap(({ env }) => env ?? []).find(({ name }) => name === ENV.reportKey)?.value;
}

/** Returns the report with the pod's seal, or unchanged if the pod has no key. */
export function sealReport(pod: Pod, report: WorkflowTaskResult): WorkflowTaskResult {
  const key = keyOf(pod);
  if (key === undefined) return report;
  const { metadata, phase, progress, outputs } = report;
  const reporter = { podUid: pod.metadata.uid ?? "", nodeId: metadata.name ?? "" };
  const text = reportText(reporter, {
    mainStarted: metadata.annotations?.[ANNOTATION.mainStarted] === "true",
    completed: metadata.labels?.[LABEL.reportOutputsCompleted] === "true",
    phase,
    progress,
    outputs,
  });
  const seal = createHmac("sha256", key).update(text).digest("base64url");
  return {
    ...report,
    metadata: { ...metadata, annotations: { ...metadata.annotations, [ANNOTATION.reportSeal]: seal } },
  };
}
