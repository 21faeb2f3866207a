/** Life-cycle hooks and exit handlers of steps and tasks (features T-80 to T-84). */
import type { Arguments, LifecycleHook, NodeStatus } from "../../lib/api/mod.ts";
import { evaluateCondition, markAbsentArguments, replaceTags } from "../../lib/template/mod.ts";
import type { Execute, Outcome } from "./call.ts";
import { isFulfilled } from "./node_state.ts";
import type { Pass } from "./pass.ts";
import { resolveArtifacts } from "./references.ts";
import { lastAttempt } from "./retry_children.ts";
import { addOutputs, type ReferenceRoot, type Scope } from "./scope.ts";
import type { TemplateScope } from "./templates.ts";

/** The hook that is no hook of a phase but the exit handler. */
const EXIT = "exit";

/** A hook of a node, and where its references are looked up. */
export interface HookCall {
  readonly execute: Execute;
  readonly hook: LifecycleHook;
  readonly parent: NodeStatus;
  /** The name of the step or task, as references spell it. */
  readonly name: string;
  readonly root: ReferenceRoot;
  readonly scope: Scope;
  readonly boundaryId: string;
  readonly templateScope: TemplateScope;
}

/** The exit handler of a step, task or workflow: `onExit` beats `hooks.exit`; without arguments it gets the workflow's. */
export function exitHookOf(
  holder: { onExit?: string; hooks?: Record<string, LifecycleHook> },
  workflowArguments: Arguments | undefined,
): LifecycleHook | undefined {
  if (holder.onExit) return { template: holder.onExit, arguments: workflowArguments };
  const hook = holder.hooks?.[EXIT];
  if (!hook) return undefined;
  const isEmpty = !hook.arguments?.parameters?.length && !hook.arguments?.artifacts?.length;
  return isEmpty ? { ...hook, arguments: workflowArguments } : hook;
}

/** The hooks that fire on an expression. */
export function eventHooks(hooks: Record<string, LifecycleHook> | undefined): [string, LifecycleHook][] {
  return Object.entries(hooks ?? {}).filter(([name]) => name !== EXIT);
}

/**
 * Starts the hooks whose expression holds; one that was started goes on until it is over.
 * @returns whether none of them is still running.
 */
export function runHooks(
  pass: Pass,
  call: Omit<HookCall, "hook"> & { readonly hooks: Record<string, LifecycleHook> },
): boolean {
  let over = true;
  for (const [hookName, hook] of eventHooks(call.hooks)) {
    const nodeName = `${call.parent.name}.hooks.${hookName}`;
    if (!hook.expression) throw new Error(`Expression required for hook ${nodeName}`);
    const due = evaluateCondition(hook.expression, call.scope.over(pass.globals));
    if (!due && !pass.nodes.byName(nodeName)) {
      // Its expression may speak of what changes by itself, as the time does.
      pass.heldBack++;
      continue;
    }
    const outcome = runHook(pass, { ...call, hook }, nodeName, false);
    if (outcome.kind === "error") throw new Error(outcome.message);
    if (!outcome.node || !isFulfilled(outcome.node)) over = false;
  }
  return over;
}

/** Runs the exit handler of a node that has ended; undefined when there is nothing to run. */
export function runExitHook(pass: Pass, call: HookCall): Outcome | undefined {
  if (!pass.mayRun(true)) return undefined;
  const { hook, scope } = call;
  if (hook.expression && !evaluateCondition(hook.expression, scope.over(pass.globals))) return undefined;
  return runHook(pass, call, `${call.parent.name}.onExit`, true);
}

function runHook(pass: Pass, call: HookCall, nodeName: string, onExit: boolean): Outcome {
  const { hook, parent } = call;
  const outcome = call.execute(pass, {
    nodeName,
    holder: { template: hook.template, templateRef: hook.templateRef },
    caller: "step",
    scope: call.templateScope,
    arguments: hookArguments(pass, call),
    boundaryId: call.boundaryId,
    onExit,
    flag: { hooked: true },
  });
  if (outcome.node) pass.nodes.addChild(parent.id, outcome.node.id);
  return outcome;
}

function hookArguments(pass: Pass, call: HookCall): Arguments | undefined {
  const { hook, scope, root, name, parent } = call;
  if (!hook.arguments?.parameters?.length && !hook.arguments?.artifacts?.length) return hook.arguments;
  const { outputs } = lastAttempt(pass, parent) ?? parent;
  addOutputs(scope, root, name, outputs);
  // A handler must run although what it asks for was never written: then that is empty.
  for (const parameter of outputs?.parameters ?? []) {
    if (parameter.value === undefined) scope.values.set(`${root}.${name}.outputs.parameters.${parameter.name}`, "");
  }
  const values = scope.over(pass.globals);
  const resolved = replaceTags(markAbsentArguments(hook.arguments, values)!, values, { kind: "strict", prefixes: [] });
  return { ...resolved, ...(resolved.artifacts ? { artifacts: resolveArtifacts(resolved.artifacts, scope) } : {}) };
}
