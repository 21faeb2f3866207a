/** Telling the executor beside main how containers of main ended, which those could not write down themselves. */
import type { Pod } from "@tiphys/model/api";
import { isAux } from "@tiphys/model/container_names";
import { isAbort, keyOf } from "@tiphys/kube";
import type { ActionContext } from "./action_context.ts";
import type { ActionOutcomes } from "./outcomes.ts";

const EXEC_LIMIT_MILLIS = 120_000;

/** Runs `argoexec ended` in the container of the executor, once for the same ends. */
export async function tellEnds(
  { client, log, signal }: Pick<ActionContext, "client" | "log" | "signal">,
  { toldEnds }: Pick<ActionOutcomes, "toldEnds">,
  pod: Pod,
  { exitCodes }: { readonly exitCodes: Readonly<Record<string, number>> },
): Promise<void> {
  const { namespace, name, uid } = pod.metadata;
  const ends = Object.entries(exitCodes).map(([container, code]) => `${container}=${code}`);
  const key = `${uid} ${ends.join()}`;
  const aux = pod.status?.containerStatuses?.find(({ name, state }) => state?.running && isAux(name))?.name;
  if (aux === undefined || toldEnds.has(key)) return;
  const limit = AbortSignal.any([signal, AbortSignal.timeout(EXEC_LIMIT_MILLIS)]);
  let exitCode: number;
  try {
    ({ exitCode } = await client.exec(namespace!, name!, aux, ["argoexec", "ended", ...ends], limit));
  } catch (error) {
    // The next controller tells it.
    if (signal.aborted && isAbort(error)) return;
    throw error;
  }
  toldEnds.add(key);
  const about = { pod: keyOf(pod), ends: ends.join(" "), exitCode };
  if (exitCode === 0) log.debug("An executor was told how containers beside it ended", about);
  else log.warn("An executor could not be told how containers beside it ended", about);
}
