import type { Pod } from "../../lib/api/mod.ts";
import type { KubeClient } from "../../lib/kube/mod.ts";
import type { Log } from "../log.ts";
import type { Ledger } from "../observe/ledger.ts";
import type { Errands } from "./errands.ts";
import type { EventRecorder } from "./event_recorder.ts";
import type { TaskResultDeletion } from "./task_result_deletion.ts";
import type { Terminator } from "./terminator.ts";

/** What actions are done with. */
export interface Hands {
  readonly client: KubeClient;
  readonly ledger: Ledger;
  readonly terminator: Terminator;
  readonly errands: Errands;
  readonly events: EventRecorder;
  readonly taskResults: TaskResultDeletion;
  readonly log: Log;
  /** The newest known state of a pod, by `namespace/name`. */
  podNow(key: string): Pod | undefined;
  /** The API server does not keep image volumes: pods are built without them from now on. */
  imageVolumesFailed(reason: string): void;
  /** Asks for a pass over a workflow (`namespace/name`) in so many milliseconds. */
  comeBack(key: string, millis: number): void;
  /** Does something later, once however often it is asked; a restart forgets it and its first pass asks again. */
  later(what: string, seconds: number, act: () => Promise<void>): void;
}
