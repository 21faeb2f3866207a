/** Rules that may hold back a call although its template could run: limits, and whatever else is to be waited for. */
import type { NodeStatus } from "@tiphys/model/api";
import type { Draft } from "../draft.ts";
import type { Slice } from "../slice.ts";
import type { Outcome, ReadyCall } from "./call.ts";
import { holdForLocks } from "./template_locks.ts";
import { holdAtLimit } from "./parallelism.ts";

/**
 * Holds back a call, or lets it go on (undefined). `existing` is its node, if there is one. What it waits for it says:
 * `pass.waitFor` a limit, `pass.dependOn` a fact outside of the nodes, `pass.comeBackAt` a time.
 */
export type StartRule = (pass: Slice<Draft>, call: ReadyCall, existing: NodeStatus | undefined) => Outcome | undefined;

/** The rules, in the order in which they are asked. */
export const START_RULES: readonly StartRule[] = [holdAtLimit, holdForLocks];
