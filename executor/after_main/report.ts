/** The report to the controller: a WorkflowTaskResult whose name is the node ID. */
import { pause } from "@tiphys/base/clock";
import { ANNOTATION, API_VERSION, ENV, LABEL, MAX_REPORT_BYTES } from "@tiphys/base/constants";
import { classifyError } from "@tiphys/kube/errors";
import { applyMergePatch } from "@tiphys/kube/patch/merge";
import { WORKFLOW_TASK_RESULTS } from "@tiphys/kube/resources";
import { formatMeasures, withoutMeasures } from "@tiphys/model/artifact_measures";
import { isObject } from "@tiphys/base/fields_of";
import {
  isSameOutputs,
  logsText,
  measuresText,
  outputsText,
  type ReportContent,
  type Reporter,
  reportText,
} from "@tiphys/model/report_seal";
import { VERSION } from "@tiphys/base/version";
import { ExecutorError } from "../failure.ts";
import { connectPod } from "../pod/pod_client.ts";
import type { OutputParameter, TemplateArtifact } from "../pod/template.ts";
import type { World } from "../world.ts";

/** The outputs of a node, as its report stores them. */
export interface ReportedOutputs {
  result?: string;
  parameters?: OutputParameter[];
  artifacts?: TemplateArtifact[];
  exitCode?: string;
}

/** The final contents of a report. */
export interface FinalReport {
  readonly outputs?: ReportedOutputs;
  /** Logs to add when another container has reported the outputs, which are kept. */
  readonly logs?: readonly TemplateArtifact[];
  readonly progress?: string;
  /** The durations of the completed stages, for the trace of the node. */
  readonly stages?: string | undefined;
  /** Main succeeded and its outputs are complete, so the controller need not wait for the kubelet to confirm it. */
  readonly succeeded: boolean;
}

/** The initial contents of a report. */
export interface InitialReport {
  /** Main may have started. If so, terminating the pod interrupts work that has begun. */
  readonly mainStarted: boolean;
}

/** A report that has been opened. */
export interface Report {
  /** Reports the progress of main while it runs. */
  progress(progress: string): Promise<void>;
  /** Reports outputs that are already in their store while main runs. */
  before(outputs: ReportedOutputs): Promise<void>;
  /** Reports the outputs of main and leaves the report open: another container closes it. */
  outputs(outputs: ReportedOutputs): Promise<void>;
  /** Reports the outputs of main and marks the report as complete, in one write. */
  close(final: FinalReport): Promise<void>;
}

/** Returns the size of outputs in a report, in bytes. */
export function sizeOfReport(outputs: ReportedOutputs): number {
  return new TextEncoder().encode(JSON.stringify(outputs)).length;
}

/**
 * Checks the total size of outputs against the limit of the API server.
 * @throws {ExecutorError} when they are too large. The error names the largest output.
 */
export function checkReportSize(outputs: ReportedOutputs): void {
  const size = sizeOfReport(outputs);
  if (size <= MAX_REPORT_BYTES) return;
  const bytes = (text = "") => new TextEncoder().encode(text).length;
  const largest = (outputs.parameters ?? [])
    .map(({ name, value }) => ({ what: `parameter "${name}"`, size: bytes(value) }))
    .reduce((max, output) => output.size > max.size ? output : max, {
      what: "the result",
      size: bytes(outputs.result),
    });
  throw new ExecutorError(
    `the outputs have ${size} bytes, and the limit is ${MAX_REPORT_BYTES}; ` +
      `the largest is ${largest.what} with ${largest.size} bytes: pass it as an artifact instead`,
    { stage: "outputs" },
  );
}

/** The fields of a merge patch that remove all outputs. */
const NO_OUTPUTS = { result: null, parameters: null, artifacts: null, exitCode: null };

const FIRST_WAIT_MILLIS = 1000;
const MAX_WAIT_MILLIS = 30_000;

/**
 * Opens the report of this pod's node. Transient errors of the API server are retried for as long as the pod lives.
 * @throws {ExecutorError} when the API server refuses permission.
 */
export async function openReport(
  world: World,
  { mainStarted }: InitialReport = { mainStarted: true },
): Promise<Report> {
  const { client, namespace } = await connectPod(world);
  const name = requireVariable(world, ENV.nodeId);
  const sealer = await createSealer(world, name);
  const annotations = {
    [ANNOTATION.executorVersion]: VERSION,
    ...(mainStarted ? { [ANNOTATION.mainStarted]: "true" } : {}),
  };
  let reported: ReportContent = { mainStarted, completed: false };
  const sealed = async (more: Partial<ReportContent>) => await sealer.report(reported = { ...reported, ...more });
  const send = async (change: unknown): Promise<object> => {
    try {
      return await client.patch(WORKFLOW_TASK_RESULTS, namespace, name, change);
    } catch (error) {
      if (classifyError(error) !== "notFound") throw error;
      return await client.create(
        WORKFLOW_TASK_RESULTS,
        namespace,
        applyMergePatch(createResult(world, name, namespace, annotations), change),
      );
    }
  };
  // Writes are sequential: a seal covers the whole report so far.
  let last: Promise<void> = Promise.resolve();
  const patch = <T extends ReportedOutputs | undefined>(
    outputs: T,
    changeOf: (outputs: T) => Promise<unknown>,
  ): Promise<void> => {
    const next = last.catch(() => {}).then(async () => {
      const change = await changeOf(outputs);
      const stored = await callUntilSuccess(world, () => send(change));
      // The CRD of another release may lack fields of an artifact's location, and the API server drops them. The seal
      // must then cover the outputs that remain.
      const storedOutputs = storedPartOf(outputs, stored);
      if (storedOutputs === undefined) return;
      world.log("the API server dropped fields of the outputs that its WorkflowTaskResult CRD does not define");
      const resealed = await changeOf(storedOutputs);
      await callUntilSuccess(world, () => send(resealed));
    });
    return last = next;
  };
  /**
   * Outputs as a patch that replaces all outputs in the report, including those that another client wrote in the
   * meantime.
   */
  const whole = (outputs: ReportedOutputs) => ({ ...NO_OUTPUTS, ...outputs });
  const opening = { ...annotations, ...await sealed({}) };
  await callUntilSuccess(world, async () => {
    try {
      await client.create(WORKFLOW_TASK_RESULTS, namespace, createResult(world, name, namespace, opening));
    } catch (error) {
      if (classifyError(error) !== "alreadyExists") throw error;
      // Removes the phase and progress of an earlier pod of the node. Outputs stay: another container of this pod may
      // have written them.
      await client.patch(WORKFLOW_TASK_RESULTS, namespace, name, {
        phase: null,
        progress: null,
        metadata: { annotations: opening, labels: { [LABEL.reportOutputsCompleted]: "false" } },
      });
    }
  });
  return {
    progress: (progress) =>
      patch(undefined, async () => ({ progress, metadata: { annotations: await sealed({ progress }) } })),
    before: (outputs) =>
      patch(removeExtraFields(outputs), async (outputs) => ({
        outputs: whole(outputs),
        metadata: { annotations: await sealed({ outputs }) },
      })),
    outputs: (outputs) =>
      patch(removeExtraFields(outputs), async (plain) => ({
        outputs: whole(plain),
        metadata: { annotations: { ...await sealer.outputs(plain), ...await sealer.measures(outputs.artifacts) } },
      })),
    close: ({ outputs, logs = [], progress, stages, succeeded }) => {
      const hasOutputs = outputs !== undefined && Object.values(outputs).some((value) => value !== undefined);
      const reported = hasOutputs ? outputs : logs.length > 0 ? { artifacts: [...logs] } : undefined;
      return patch(reported && removeExtraFields(reported), async (plain) => {
        const told = {
          ...(succeeded ? { phase: "Succeeded" } : {}),
          ...(hasOutputs ? { outputs: plain } : {}),
          ...(progress === undefined ? {} : { progress }),
        };
        const seal = await sealed({ ...told, completed: true });
        return {
          // Removes a phase that another client wrote in the meantime.
          phase: null,
          ...told,
          ...(plain ? { outputs: hasOutputs ? whole(plain) : plain } : {}),
          metadata: {
            annotations: {
              ...peakMemory(),
              ...(stages === undefined ? {} : { [ANNOTATION.stageTimes]: stages }),
              ...seal,
              ...(!hasOutputs && plain?.artifacts ? await sealer.logs(plain.artifacts) : {}),
              ...await sealer.measures(reported?.artifacts),
            },
            labels: { [LABEL.reportOutputsCompleted]: "true" },
          },
        };
      });
    },
  };
}

/** Returns outputs without the fields that Argo's schema does not have. */
function removeExtraFields(outputs: ReportedOutputs): ReportedOutputs {
  return outputs.artifacts ? { ...outputs, artifacts: outputs.artifacts.map(withoutMeasures) } : outputs;
}

/**
 * Returns the outputs that the API server stored if it dropped some of their fields. Returns undefined if it stored
 * them unchanged, or if the stored outputs are those of another client.
 */
function storedPartOf<T extends ReportedOutputs | undefined>(outputs: T, stored: object): T | undefined {
  if (outputs === undefined || !("outputs" in stored) || !isObject(stored.outputs)) return undefined;
  const found = stored.outputs as T;
  return !isSameOutputs(outputs, found) && isPartOf(found, outputs) ? found : undefined;
}

/** Reports whether `part` equals `whole` except for missing fields of objects. */
function isPartOf(part: unknown, whole: unknown): boolean {
  if (Array.isArray(part) && Array.isArray(whole)) {
    return part.length === whole.length && part.every((item, index) => isPartOf(item, whole[index]));
  }
  if (!isObject(part) || !isObject(whole)) return part === whole;
  return Object.entries(part).every(([name, field]) => field === "" || isPartOf(field, whole[name]));
}

/**
 * Creates the seals of this pod's report, as annotations. Without a report key, the seals are empty objects: the
 * controller that created the pod has no keys.
 */
async function createSealer(world: World, nodeId: string) {
  const text = world.env(ENV.reportKey);
  const reporter: Reporter = { podUid: world.env(ENV.podUid) ?? "", nodeId };
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const encoder = new TextEncoder();
  const key = text && await crypto.subtle.importKey("raw", encoder.encode(text), algorithm, false, ["sign"]);
  const seal = async (annotation: string, content: string): Promise<Record<string, string>> => {
    if (!key) return {};
    const bytes = new Uint8Array(await crypto.subtle.sign("HMAC", key, encoder.encode(content)));
    return { [annotation]: bytes.toBase64({ alphabet: "base64url", omitPadding: true }) };
  };
  return {
    report: (reported: ReportContent) => seal(ANNOTATION.reportSeal, reportText(reporter, reported)),
    outputs: (outputs: ReportedOutputs) => seal(ANNOTATION.outputsSeal, outputsText(reporter, outputs)),
    logs: (logs: readonly TemplateArtifact[]) => seal(ANNOTATION.logsSeal, logsText(reporter, logs)),
    measures: async (artifacts: readonly TemplateArtifact[] = []): Promise<Record<string, string>> => {
      const text = formatMeasures(artifacts);
      if (text === undefined || !key) return {};
      return {
        [ANNOTATION.artifactMeasures]: text,
        ...await seal(ANNOTATION.measuresSeal, measuresText(reporter, text)),
      };
    },
  };
}

function requireVariable(world: World, name: string): string {
  const value = world.env(name);
  if (!value) throw new ExecutorError(`Expected the environment variable ${name}`, { stage: "report" });
  return value;
}

function createResult(
  world: World,
  name: string,
  namespace: string,
  annotations: Record<string, string>,
): Record<string, unknown> {
  const workflow = requireVariable(world, ENV.workflowName);
  const instanceId = world.env(ENV.instanceId);
  return {
    apiVersion: API_VERSION,
    kind: "WorkflowTaskResult",
    metadata: {
      name,
      namespace,
      annotations,
      labels: {
        [LABEL.workflow]: workflow,
        [LABEL.reportOutputsCompleted]: "false",
        ...(instanceId ? { [LABEL.instanceId]: instanceId } : {}),
      },
      ownerReferences: [
        { apiVersion: API_VERSION, kind: "Workflow", name: workflow, uid: requireVariable(world, ENV.workflowUid) },
      ],
    },
  };
}

/**
 * The peak memory of this process as an annotation, which helps to size its requests. Empty if the kernel does not
 * report it.
 */
function peakMemory(): Record<string, string> {
  try {
    const [, kibibytes] = /^VmHWM:\s+(\d+) kB$/m.exec(Deno.readTextFileSync("/proc/self/status")) ?? [];
    return kibibytes ? { [ANNOTATION.executorPeakMemory]: `${kibibytes}Ki` } : {};
  } catch {
    return {};
  }
}

/** Calls the API until it succeeds, with backoff. */
async function callUntilSuccess<T>(world: World, act: () => Promise<T>): Promise<T> {
  for (let wait = FIRST_WAIT_MILLIS;; wait = Math.min(wait * 2, MAX_WAIT_MILLIS)) {
    try {
      return await act();
    } catch (error) {
      const sort = classifyError(error);
      if (sort === "forbidden") {
        throw new ExecutorError(
          `${(error as Error).message}; ` +
            "failed to patch task result, see https://argo-workflows.readthedocs.io/en/latest/workflow-rbac/",
          { stage: "report", cause: error },
        );
      }
      if (sort !== "transient" && sort !== "conflict") throw error;
      world.log(`request to the API server failed, retrying: ${(error as Error).message}`);
      await pause(world.clock, wait * (1 + Math.random() / 10));
    }
  }
}
