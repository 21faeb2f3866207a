/** Rules by which a call that could run may have to wait: limits and locks. */
import type { NodeStatus } from "@tiphys/model/api";
import type { Draft } from "../draft.ts";
import type { Slice } from "../slice.ts";
import type { Outcome, ReadyCall } from "./call.ts";
import { waitForLocks } from "./template_locks.ts";
import { waitForLimits } from "./parallelism.ts";

/**
 * Returns the outcome of a call that must wait; undefined if the call may start. `existing` is its node, if it exists.
 * A rule records the cause of the wait: a limit with `pass.waitFor`, a fact outside of the nodes with `pass.dependOn`,
 * or a time with `pass.requestPassAt`.
 */
export type StartRule = (pass: Slice<Draft>, call: ReadyCall, existing: NodeStatus | undefined) => Outcome | undefined;

/** The rules, in the order in which they are checked. */
export const START_RULES: readonly StartRule[] = [waitForLimits, waitForLocks];
