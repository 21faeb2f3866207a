/**
 * Slices of a pass. Each part of the engine receives the facts, which it only reads, and the part of the draft that it
 * may write: `Slice<NodesDraft>` may change nodes, and `Slice` nothing. So the compiler checks what each part writes.
 * The whole `Pass` is used only where templates start to run: in `decide.ts` and `templates/execute.ts`.
 */
import type { Draft } from "./draft.ts";
import type { Pass } from "./pass.ts";

/** The draft of a pass, read-only. */
export type DraftView = Readonly<
  Pick<
    Draft,
    | "nodes"
    | "workflow"
    | "spec"
    | "specIfSet"
    | "volumesBeforeSubstitution"
    | "globals"
    | "globalsWithTags"
    | "actions"
    | "logLines"
    | "requestedPods"
    | "requestedPodBytes"
    | "lockRequests"
    | "hasRequestedLocks"
    | "lockRequestersIn"
    | "stalledHolders"
    | "agentTasks"
    | "requeueAt"
  >
>;

/** May change nodes of the status. */
export type NodesDraft = DraftView & Pick<Draft, "add" | "update" | "addChild" | "mark" | "markError">;

/** May request pods, and cancel such requests. */
export type PodsDraft = DraftView & Pick<Draft, "requestPod" | "cancelPod" | "cancelCreations">;

/**
 * May change the workflow outside of its nodes: status, metadata, the spec that runs, and values of `{{workflow.…}}`.
 */
export type StatusDraft =
  & DraftView
  & Pick<
    Draft,
    | "setStatus"
    | "setOwnSpec"
    | "setLabels"
    | "setAnnotations"
    | "setFinalizers"
    | "setSpec"
    | "volumesBeforeSubstitution"
    | "setGlobal"
  >;

/** May request everything else: other actions, locks, tasks of the agent, log lines, another pass. */
export type RequestsDraft =
  & DraftView
  & Pick<Draft, "request" | "requestFirst" | "requestLocks" | "stalledHolders" | "addAgentTask" | "log" | "requeueAt">;

/**
 * The facts of a pass with the part `D` of its draft, and the methods that record what a result depends on
 * (`due/evaluation.ts`). Only `execute.ts` counts the depth of calls, and only `decide.ts` starts to run templates.
 */
export type Slice<D extends DraftView = DraftView> =
  & Omit<Pass, "draft" | "runTemplates" | "enterCall" | "leaveCall">
  & { readonly draft: D };
