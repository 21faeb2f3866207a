/** The parts of the controller that passes over workflows use, shared by all passes. */
import type { Log } from "@tiphys/base/log";
import type { EngineConfig } from "@tiphys/engine";
import type { KubeClient } from "@tiphys/kube";
import type { Clock } from "../loop/clock.ts";
import type { Throttle } from "../loop/throttle.ts";
import type { ActionContext } from "./apply/action_context.ts";
import type { ArchivedBaselines } from "./archive/archived_baselines.ts";
import type { Offload } from "./archive/offload.ts";
import type { KnownWorkflows } from "./known_workflow.ts";
import type { SlowLane } from "./lane/lane.ts";
import type { Paces } from "./lane/pace.ts";
import type { Baselines } from "./observe/baselines.ts";
import type { Caches } from "./observe/caches.ts";
import type { Ledger } from "./observe/ledger.ts";
import type { Synchronizer } from "./sync/synchronizer.ts";

/** The parts that a pass uses. */
export interface ReconcilerOptions {
  readonly client: KubeClient;
  readonly caches: Caches;
  readonly ledger: Ledger;
  readonly knownWorkflows: KnownWorkflows;
  readonly actions: ActionContext;
  readonly throttle: Throttle;
  readonly baselines: Baselines;
  readonly log: Log;
  readonly locks: Synchronizer;
  /** Moves nodes into a database and back; undefined if no database is configured. */
  readonly offload?: Offload | undefined;
  /** Durations of archived workflows; undefined if there is no archive. */
  readonly archivedBaselines?: ArchivedBaselines | undefined;
  /** The lane for passes that take long. */
  readonly lane: SlowLane;
  readonly paces: Paces;
  /** Whether a workflow starts in the slow lane although it is small. */
  readonly isSlow?: ((key: string) => boolean) | undefined;
  /** Called in every pass, because settings may change while the controller runs. */
  readonly config: () => EngineConfig;
  readonly clock: Clock;
  /** The epoch of the lease; undefined if no other controller can be active. */
  readonly epoch?: number | undefined;
}
