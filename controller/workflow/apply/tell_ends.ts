/** Reports to the executor next to main how containers of main ended that could not write it themselves. */
import type { Pod } from "@tiphys/model/api";
import { isAux } from "@tiphys/model/container_names";
import { isAbort, keyOf, sortError } from "@tiphys/kube";
import type { ActionContext } from "./action_context.ts";
import type { ActionOutcomes, News } from "./outcomes.ts";

const EXEC_LIMIT_MILLIS = 120_000;

/**
 * The time after the end of main that an executor has to save outputs, in milliseconds, if the role of the controller
 * does not permit to run commands in pods. The pod is ended then: its executor may be waiting forever.
 */
const UNTOLD_LIMIT_MILLIS = 120_000;

/** The parts of the action context that the report uses. */
type Context = Pick<ActionContext, "client" | "clock" | "events" | "log" | "signal" | "terminator">;

/** Runs `argoexec ended` in the container of the executor, once for the same ends. */
export async function tellEnds(
  context: Context,
  workflow: Workflow,
  { toldEnds }: Pick<ActionOutcomes, "toldEnds">,
  pod: Pod,
  { exitCodes }: { readonly exitCodes: Readonly<Record<string, number>> },
): Promise<News> {
  const { client, log, signal } = context;
  const { namespace, name, uid } = pod.metadata;
  const ends = Object.entries(exitCodes).map(([container, code]) => `${container}=${code}`);
  const key = `${uid} ${ends.join()}`;
  const aux = pod.status?.containerStatuses?.find(({ name, state }) => state?.running && isAux(name))?.name;
  if (aux === undefined || toldEnds.has(key)) return false;
  const limit = AbortSignal.any([signal, AbortSignal.timeout(EXEC_LIMIT_MILLIS)]);
  let exitCode: number;
  try {
    ({ exitCode } = await client.exec(namespace!, name!, aux, ["argoexec", "ended", ...ends], limit));
  } catch (error) {
    // The next controller repeats it.
    if (signal.aborted && isAbort(error)) return;
    throw error;
  }
  toldEnds.add(key);
  const about = { pod: keyOf(pod), ends: ends.join(" "), exitCode };
  if (exitCode === 0) log.debug("The ends of containers were reported to their executor", about);
  else log.warn("The ends of containers cannot be reported to their executor", about);
}
