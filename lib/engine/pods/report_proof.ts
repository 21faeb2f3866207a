/** The proof of a report: made by the pod of its node, by somebody else, or unknown. */
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import type { Pod, WorkflowTaskResult } from "@tiphys/model/api";
import { ANNOTATION, ENV, LABEL } from "@tiphys/base/constants";
import { logsText, measuresText, outputsText, type Reporter, reportText } from "@tiphys/model/report_seal";
import { withMeasures } from "@tiphys/model/artifact_measures";
import { isInitless } from "../pod/mod.ts";
import { ownVariable } from "./own_variable.ts";

/**
 * `proved`: the pod made the report, which is given with what is proved of it. `unsealed`: it has no seal, and the pod's
 * executor may be one that knows of none. `false`: it has a seal, which is not of this pod for what the report says; or
 * it has none, and the pod was given a key and an executor that seals, as every pod of the init-less layout.
 */
export type Proof =
  | { readonly kind: "proved"; readonly report: WorkflowTaskResult }
  | { readonly kind: "unsealed" }
  | { readonly kind: "false" };

/**
 * Compares the seal of a report with the pod that is there for its node. Several questions of each pass ask that: it is
 * computed once for a report and the key of a pod.
 */
export function proofOf(pod: Pod, report: WorkflowTaskResult): Proof {
  const seal = report.metadata.annotations?.[ANNOTATION.reportSeal];
  const key = ownVariable(pod, ENV.reportKey);
  const podUid = pod.metadata.uid;
  if (key === undefined || podUid === undefined) return { kind: "unsealed" };
  if (seal === undefined) return { kind: isInitless(pod) ? "false" : "unsealed" };
  const known = proofs.get(report);
  if (known?.key === key && known.podUid === podUid) return known.proof;
  const proof = withProvedMeasures(proofBy(key, podUid, seal, report), key, podUid);
  proofs.set(report, { key, podUid, proof });
  return proof;
}

const proofs = new WeakMap<
  WorkflowTaskResult,
  { readonly key: string; readonly podUid: string; readonly proof: Proof }
>();

function proofBy(key: string, podUid: string, seal: string, report: WorkflowTaskResult): Proof {
  const { annotations = {}, labels, name: nodeId = "" } = report.metadata;
  const reporter: Reporter = { podUid, nodeId };
  const { outputs, ...rest } = report;
  const told = {
    mainStarted: annotations[ANNOTATION.mainStarted] === "true",
    completed: labels?.[LABEL.reportOutputsCompleted] === "true",
    phase: report.phase,
    progress: report.progress,
  };
  if (seal === sealWith(key, reportText(reporter, { ...told, outputs }))) return { kind: "proved", report };
  if (outputs === undefined || seal !== sealWith(key, reportText(reporter, told))) return { kind: "false" };
  // The container that ends the report tells logs at most: the outputs have their own seal, or are nobody's.
  const { artifacts, ...others } = outputs;
  const areLogs = annotations[ANNOTATION.logsSeal] === sealWith(key, logsText(reporter, artifacts));
  const [ours, theirs] = areLogs ? [{ artifacts }, others] : [{}, outputs];
  const isTheirs = annotations[ANNOTATION.outputsSeal] === sealWith(key, outputsText(reporter, theirs));
  const proved = isTheirs ? { ...theirs, ...ours } : ours;
  return { kind: "proved", report: Object.keys(proved).length > 0 ? { ...rest, outputs: proved } : rest };
}

/** The measures of artifacts are believed where the pod sealed them, wherever else the report has some. */
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
