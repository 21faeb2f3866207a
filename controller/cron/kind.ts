/** Cron workflows as a kind of the reconcile loop: their passes, and the report when one cannot be processed. */
import { fieldsOf } from "@tiphys/base/fields_of";
import { CRON_WORKFLOWS, type KubeClient, type KubeObject } from "@tiphys/kube";
import { shortened } from "@tiphys/base/limits";
import type { Log } from "@tiphys/base/log";
import { UserError } from "@tiphys/base/user_error";
import type { Clock } from "../loop/clock.ts";
import type { EventRecorder } from "../loop/event_recorder.ts";
import type { FailedPass, Kind, PassEnd, Requeue } from "../loop/kind.ts";
import type { CronPasses } from "./pass.ts";
import { UnreadableCronError } from "./read_cron.ts";

const OUTDATED_RETRY_MILLIS = 200;

/** The passes over cron workflows, their local copy, and the client to report errors with. */
export interface CronKindOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly events: EventRecorder;
  readonly log: Log;
  readonly passes: CronPasses;
  readonly seen: (key: string) => KubeObject | undefined;
}

/** The kind `CronWorkflow`. */
export class CronKind implements Kind {
  readonly name = "cron";
  readonly #options: CronKindOptions;

  constructor(options: CronKindOptions) {
    this.#options = options;
  }

  cachedObject(key: string): KubeObject | undefined {
    return this.#options.seen(key);
  }

  pass(key: string): Promise<PassEnd> {
    return this.#options.passes.pass(key);
  }

  isOfObject(error: unknown): boolean {
    return error instanceof UserError;
  }

  retryAfterConflict(key: string): Requeue {
    this.#options.passes.discardWritten(key);
    return this.#options.clock.now() + OUTDATED_RETRY_MILLIS;
  }

  /** Stops the old schedule, and reports the reason in a condition. */
  async reportFailure(key: string, { seen, error, failures }: FailedPass): Promise<KubeObject | undefined> {
    const { client, events, log, passes } = this.#options;
    passes.forget(key);
    const { message: text, stack } = error instanceof Error ? error : new Error(String(error));
    const isTheirs = this.isOfObject(error);
    log.error("A pass failed", { cron: key, failures, error: isTheirs ? text : stack ?? text });
    const message = shortened(isTheirs ? text : `the controller failed: ${text}`);
    const conditions = fieldsOf(seen.status).conditions;
    const known: unknown[] = Array.isArray(conditions) ? conditions : [];
    const ours = known.map(fieldsOf).find(({ type }) => type === "SpecError");
    if (ours?.message === message) return undefined;
    if (error instanceof UnreadableCronError) events.record(seen, { type: "Warning", reason: "Malformed", message });
    const { namespace, name = "", uid } = seen.metadata;
    const others = known.filter((condition) => fieldsOf(condition).type !== "SpecError");
    return await client.patch<KubeObject>(CRON_WORKFLOWS, namespace, name, {
      metadata: { uid },
      status: { conditions: [...others, { type: "SpecError", status: "True", message }] },
    });
  }
}
