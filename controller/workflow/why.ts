/** The reasons why a workflow waits, from the facts of its next pass and the state of its queue. */
import { isProblem } from "@tiphys/model/api";
import { explain, explainUnreadable, type Reason } from "@tiphys/engine/explain";
import { LIMITS } from "@tiphys/base/limits";
import type { Loop } from "../loop/loop.ts";
import type { Throttle } from "../loop/throttle.ts";
import type { EngineConfig } from "@tiphys/engine";
import type { KnownWorkflows } from "./known_workflow.ts";
import type { Caches } from "./observe/caches.ts";
import type { Ledger } from "./observe/ledger.ts";
import type { Synchronizer } from "./sync/synchronizer.ts";
import { withNodes } from "./observe/read_workflow.ts";

/** The parts of the controller that determine why a workflow waits. */
export interface WhySources {
  readonly caches: Pick<Caches, "workflows">;
  readonly ledger: Pick<Ledger, "factsOf" | "maxPodRequests">;
  readonly knownWorkflows: Pick<KnownWorkflows, "get">;
  readonly throttle: Pick<Throttle, "reachedLimitOf">;
  readonly locks: Pick<Synchronizer, "deadlocksBehind" | "queuePositionsOf">;
  readonly loop: Pick<Loop, "stateOf">;
  readonly config: () => EngineConfig;
  readonly instanceId: string | undefined;
}

/** The reasons why a workflow waits; undefined if the controller has no such workflow. */
export async function whyWaits(sources: WhySources, key: string, now: Date): Promise<Reason[] | undefined> {
  const { caches, ledger, knownWorkflows, throttle, locks, loop, config, instanceId } = sources;
  const read = caches.workflows.read(key);
  if (read === undefined) return undefined;
  if (isProblem(read)) return explainUnreadable(read.message);
  const { pods, taskResults } = ledger.factsOf(key, read);
  const workflow = await withNodes(read, pods.size > 0, LIMITS.nodes);
  const state = knownWorkflows.get(key);
  return explain(
    workflow,
    {
      pods,
      taskResults,
      refusals: state?.outcomes.refusals,
      claims: state?.outcomes.claims,
      maxPodRequests: ledger.maxPodRequests(key),
      lockPositions: locks.queuePositionsOf(key),
      deadlocks: locks.deadlocksBehind(key),
      controller: {
        ...loop.stateOf(key),
        instanceId: instanceId ?? "",
        limit: throttle.reachedLimitOf(key),
        isOutdated: state?.outdatedSince !== undefined,
      },
    },
    now,
    config(),
  );
}
