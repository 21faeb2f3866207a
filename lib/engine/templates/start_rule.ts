/** Rules that may hold back a call that could run: limits and locks. */
import type { NodeStatus } from "@tiphys/model/api";
import type { Draft } from "../draft.ts";
import type { Slice } from "../slice.ts";
import type { Outcome, ReadyCall } from "./call.ts";
import { holdForLocks } from "./template_locks.ts";
import { holdAtLimit } from "./parallelism.ts";

/**
 * Holds back a call; returns undefined if the call may start. `existing` is its node, if it exists. A rule records the
 * cause of the wait: a limit with `pass.waitFor`, a fact outside of the nodes with `pass.dependOn`, or a time with
 * `pass.requeueAt`.
 */
export type StartRule = (pass: Slice<Draft>, call: ReadyCall, existing: NodeStatus | undefined) => Outcome | undefined;

/** The rules, in the order in which they are checked. */
export const START_RULES: readonly StartRule[] = [holdAtLimit, holdForLocks];
