/** Proof of a task result's origin: the pod of its node, another client, or unknown. */
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import type { Pod, WorkflowTaskResult } from "@tiphys/model/api";
import { ANNOTATION, ENV, LABEL } from "@tiphys/base/constants";
import { logsText, measuresText, outputsText, type Reporter, reportText } from "@tiphys/model/report_seal";
import { withMeasures } from "@tiphys/model/artifact_measures";
import { isInitless } from "../pod/mod.ts";
import { controllerVariable } from "./controller_variable.ts";

/**
 * `proved`: the pod created the report; `report` has only the parts that are proved. `unsealed`: the report has no
 * seal, and the pod's executor may not support seals. `false`: the seal does not match the pod and the content, or the
 * seal is missing although the pod has a key and an executor that seals, as in every pod of the init-less layout.
 */
export type Proof =
  | { readonly kind: "proved"; readonly report: WorkflowTaskResult }
  | { readonly kind: "unsealed" }
  | { readonly kind: "false" };

/**
 * Verifies the seal of a report with the key of its node's current pod. A pass needs the result several times, so it is
 * computed once per report and pod.
 */
export function verifyReport(pod: Pod, report: WorkflowTaskResult): Proof {
  const seal = report.metadata.annotations?.[ANNOTATION.reportSeal];
  const key = controllerVariable(pod, ENV.reportKey);
  const podUid = pod.metadata.uid;
  if (key === undefined || podUid === undefined) return { kind: "unsealed" };
  if (seal === undefined) return { kind: isInitless(pod) ? "false" : "unsealed" };
  const known = proofs.get(report);
  if (known?.key === key && known.podUid === podUid) return known.proof;
  const proof = withProvedMeasures(verifySeal(key, podUid, seal, report), key, podUid);
  proofs.set(report, { key, podUid, proof });
  return proof;
}

const proofs = new WeakMap<
  WorkflowTaskResult,
  { readonly key: string; readonly podUid: string; readonly proof: Proof }
>();

function verifySeal(key: string, podUid: string, seal: string, report: WorkflowTaskResult): Proof {
  const { annotations = {}, labels, name: nodeId = "" } = report.metadata;
  const reporter: Reporter = { podUid, nodeId };
  const { outputs, ...rest } = report;
  const claims = {
    mainStarted: annotations[ANNOTATION.mainStarted] === "true",
    completed: labels?.[LABEL.reportOutputsCompleted] === "true",
    phase: report.phase,
    progress: report.progress,
  };
  if (seal === sealWith(key, reportText(reporter, { ...claims, outputs }))) return { kind: "proved", report };
  if (outputs === undefined || seal !== sealWith(key, reportText(reporter, claims))) return { kind: "false" };
  // The container that completes the report adds only logs. Outputs have a separate seal; without it they are dropped.
  const { artifacts, ...others } = outputs;
  const areLogs = annotations[ANNOTATION.logsSeal] === sealWith(key, logsText(reporter, artifacts));
  const [ours, theirs] = areLogs ? [{ artifacts }, others] : [{}, outputs];
  const isTheirs = annotations[ANNOTATION.outputsSeal] === sealWith(key, outputsText(reporter, theirs));
  const proved = isTheirs ? { ...theirs, ...ours } : ours;
  return { kind: "proved", report: Object.keys(proved).length > 0 ? { ...rest, outputs: proved } : rest };
}

/** Adds the sealed measures of artifacts to a proved report, and drops those without a valid seal. */
function withProvedMeasures(proof: Proof, key: string, podUid: string): Proof {
  const artifacts = proof.kind === "proved" ? proof.report.outputs?.artifacts : undefined;
  if (proof.kind !== "proved" || artifacts === undefined) return proof;
  const { report } = proof;
  const { annotations = {}, name: nodeId = "" } = report.metadata;
  const text = annotations[ANNOTATION.artifactMeasures] ?? "";
  const isTheirs = annotations[ANNOTATION.measuresSeal] === sealWith(key, measuresText({ podUid, nodeId }, text));
  const measured = withMeasures(artifacts, isTheirs ? text : "");
  return { kind: "proved", report: { ...report, outputs: { ...report.outputs, artifacts: measured } } };
}

function sealWith(key: string, text: string): string {
  const bytes = hmac(sha256, encoder.encode(key), encoder.encode(text));
  return bytes.toBase64({ alphabet: "base64url", omitPadding: true });
}

const encoder = new TextEncoder();
