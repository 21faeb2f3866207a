/**
 * Reports the exit codes of main containers to the executor in a pod, if the containers could not record them
 * themselves.
 */
import type { Pod, Workflow } from "@tiphys/model/api";
import { isAux } from "@tiphys/model/container_names";
import { classifyError, keyOf } from "@tiphys/kube";
import { isAbort } from "@tiphys/kube/errors";
import type { ActionContext } from "./action_context.ts";
import type { ActionOutcomes, NeedsNextPass } from "./outcomes.ts";

const EXEC_LIMIT_MILLIS = 120_000;

/**
 * The time after the end of main that an executor has to save outputs, in milliseconds, if the role of the controller
 * does not permit to run commands in pods. The pod is ended then: its executor may be waiting forever.
 */
const UNREPORTED_LIMIT_MILLIS = 120_000;

/** The parts of the action context that the report uses. */
type Context = Pick<ActionContext, "client" | "clock" | "events" | "log" | "signal" | "terminator">;

/** Runs `argoexec ended` in the container of the executor, once for the same ends. */
export async function reportExitCodes(
  context: Context,
  workflow: Workflow,
  { reportedEnds }: Pick<ActionOutcomes, "reportedEnds">,
  pod: Pod,
  { exitCodes }: { readonly exitCodes: Readonly<Record<string, number>> },
): Promise<NeedsNextPass> {
  const { client, log, signal } = context;
  const { namespace, name, uid } = pod.metadata;
  const ends = Object.entries(exitCodes).map(([container, code]) => `${container}=${code}`);
  const key = `${uid} ${ends.join()}`;
  const aux = pod.status?.containerStatuses?.find(({ name, state }) => state?.running && isAux(name))?.name;
  if (aux === undefined || reportedEnds.has(key)) return false;
  const limit = AbortSignal.any([signal, AbortSignal.timeout(EXEC_LIMIT_MILLIS)]);
  let exitCode: number;
  try {
    ({ exitCode } = await client.exec(namespace!, name!, aux, ["argoexec", "ended", ...ends], limit));
  } catch (error) {
    // The next controller does it.
    if (signal.aborted && isAbort(error)) return false;
    if (classifyError(error) !== "forbidden") throw error;
    return endUnreported(context, workflow, pod, Object.keys(exitCodes));
  }
  reportedEnds.add(key);
  const about = { pod: keyOf(pod), ends: ends.join(" "), exitCode };
  if (exitCode === 0) log.debug("Reported the ends of containers to the executor of their pod", about);
  else log.warn("The executor of a pod rejected the ends of containers", about);
  return false;
}

/** Reports that the controller lacks the right to run commands in pods, and ends the pod when its time is up. */
function endUnreported(
  { clock, events, terminator }: Context,
  workflow: Workflow,
  pod: Pod,
  containers: readonly string[],
): NeedsNextPass {
  const statuses = pod.status?.containerStatuses ?? [];
  const ends = statuses.filter(({ name }) => containers.includes(name))
    .map(({ state }) => Date.parse(state?.terminated?.finishedAt ?? "")).filter(Number.isFinite);
  if (clock.now() >= Math.max(...ends) + UNREPORTED_LIMIT_MILLIS) {
    terminator.terminate(pod);
    return false;
  }
  const message = `pod ${pod.metadata.name}: the controller may not run commands in pods (get pods/exec), so its ` +
    `executor does not learn that ${containers.join(", ")} failed; the pod is ended ${
      UNREPORTED_LIMIT_MILLIS / 1000
    } s ` +
    "after that failure";
  events.record(workflow, { type: "Warning", reason: "PodExecForbidden", message });
  return "later";
}
