/** Lifecycle hooks and exit handlers of steps and tasks. */
import { compareText } from "@tiphys/base/go";
import { UserError } from "@tiphys/base/user_error";
import type { Arguments, LifecycleHook, NodeStatus, Outputs } from "@tiphys/model/api";
import { evaluateCondition, recordDerived } from "@tiphys/language/template";
import { hookNodeName, isCompleted, isFulfilled, lastAttempt, loopNameOf, onExitNodeName } from "@tiphys/model/status";
import type { Execute, Outcome } from "./call.ts";
import type { ReferenceOutcome } from "./reference_outcome.ts";
import type { NodesDraft, Slice, StatusDraft } from "../slice.ts";
import { addErrorNode } from "../nodes/new_node.ts";
import { type Callable, inputFacts, modeOfHooks, resolveReferences, type ResolveResult } from "./references.ts";
import { addOutputs, type ReferenceRoot, Scope } from "./scope.ts";
import type { TemplateScope } from "../spec/templates.ts";
import { userErrorMessage } from "../user_error.ts";

/** The name of the hook that is the exit handler. */
const EXIT_HOOK = "exit";

/** A hook of a node, and the scope of its references. */
export interface HookCall {
  readonly execute: Execute;
  readonly hook: LifecycleHook;
  readonly parent: NodeStatus;
  /** The step or task. An item has the name `name(0:item)`, and its references may use both forms. */
  readonly holder: Callable;
  readonly root: ReferenceRoot;
  readonly scope: Scope;
  /** Returns the outcome of a reference to another step or task that has no value. */
  readonly outcomeOf: (name: string) => ReferenceOutcome;
  readonly boundaryId: string;
  readonly templateScope: TemplateScope;
  /** Whether the node, and so its hooks, is part of an exit handler. */
  readonly onExit: boolean;
  /** Whether only hooks that have started continue, because an earlier hook or handler has not ended. */
  readonly isBlocked?: boolean;
}

/**
 * The exit handler of a step, task or workflow. `onExit` takes precedence over `hooks.exit`, and a handler without
 * arguments gets the workflow's.
 */
export function exitHookOf(
  holder: { onExit?: string; hooks?: Record<string, LifecycleHook> },
  workflowArguments: Arguments | undefined,
): LifecycleHook | undefined {
  if (holder.onExit) return { template: holder.onExit, arguments: workflowArguments };
  const hook = holder.hooks?.[EXIT_HOOK];
  if (!hook) return undefined;
  const isEmpty = !hook.arguments?.parameters?.length && !hook.arguments?.artifacts?.length;
  return isEmpty ? { ...hook, arguments: workflowArguments } : hook;
}

/** The hooks with an expression, sorted by name. */
export function eventHooks(hooks: Record<string, LifecycleHook> | undefined): [string, LifecycleHook][] {
  return Object.entries(hooks ?? {}).filter(([name]) => name !== EXIT_HOOK).sort(([a], [b]) => compareText(a, b));
}

/**
 * Starts the hooks whose expression holds, and continues those that were started until they end.
 * @returns whether no hook is running.
 */
export function runHooks(
  pass: Slice<NodesDraft & StatusDraft>,
  call: Omit<HookCall, "hook"> & { readonly hooks: Record<string, LifecycleHook> },
): boolean {
  let areAllFulfilled = true;
  const scope = scopeOfHooks(pass, call);
  for (const [hookName, hook] of eventHooks(call.hooks)) {
    const nodeName = hookNodeName(call.parent.name, hookName);
    if (!hook.expression) throw new UserError(`Expression required for hook ${nodeName}`);
    const hasStarted = pass.draft.nodes.byName(nodeName) !== undefined;
    // A workflow that is being ended starts no hooks: one that waits for a limit would delay its end.
    if (!hasStarted && (call.isBlocked || pass.forbiddenMessage(call.onExit) !== undefined)) continue;
    const isTrue = isTrueNow(pass, call, hook.expression, scope);
    if (!isTrue && !hasStarted) {
      // An expression may also read values that change while the node does not, such as the time.
      if (!readsOwnStatusOnly(hook.expression, call)) pass.dependOnClock();
      continue;
    }
    const outcome = runHook(pass, { ...call, hook, scope }, nodeName, call.onExit);
    if (outcome.kind === "error") throw new UserError(`hook ${nodeName}: ${outcome.message}`);
    if (!outcome.node || !isFulfilled(outcome.node)) areAllFulfilled = false;
  }
  return areAllFulfilled;
}

/**
 * Whether an expression is true. An expression that reads outputs of the hook's node is false until the node has them
 * or ends.
 */
function isTrueNow(
  pass: Slice<StatusDraft>,
  call: Omit<HookCall, "hook">,
  expression: string,
  scope: Scope,
): boolean {
  try {
    return evaluateCondition(expression, valuesOfHooks(pass, call, scope));
  } catch (error) {
    if (error instanceof UserError && !isCompleted(call.parent) && readsOwnOutputs(expression, call)) return false;
    throw error;
  }
}

function readsOwnOutputs(expression: string, { root, holder: { name } }: Omit<HookCall, "hook">): boolean {
  return referenceNames(name).some((own) =>
    expression.includes(`${root}.${own}.outputs`) || expression.includes(`${root}["${own}"].outputs`) ||
    expression.includes(`${root}['${own}'].outputs`)
  );
}

/**
 * Runs the exit handler of a node that has ended. Returns undefined if it does not run.
 * @throws {ExitHookError} if its expression or arguments cannot be evaluated.
 */
export function runExitHook(pass: Slice<NodesDraft & StatusDraft>, call: HookCall): Outcome | undefined {
  // Under Terminate, no handler starts, and a running one continues to its end.
  if (!pass.mayRun(true) && !pass.draft.nodes.byName(onExitNodeName(call.parent.name))) return undefined;
  const { hook } = call;
  const scope = scopeOfHooks(pass, call);
  try {
    if (hook.expression && !evaluateCondition(hook.expression, valuesOfHooks(pass, call, scope))) return undefined;
    return runHook(pass, { ...call, scope }, onExitNodeName(call.parent.name), true);
  } catch (error) {
    throw new ExitHookError(userErrorMessage(error), { cause: error });
  }
}

/** Adds the node of an exit handler that cannot be run. */
export function failExitHook(pass: Slice<NodesDraft>, call: HookCall, message: string): void {
  const { hook, parent, templateScope: scope, boundaryId } = call;
  const holder = { template: hook.template, templateRef: hook.templateRef };
  const name = onExitNodeName(parent.name);
  const node = addErrorNode(pass, { name, holder, scope, boundaryId, flag: { hooked: true } }, message);
  pass.draft.addChild(parent.id, node.id);
}

/** An exit handler cannot be run: its expression or its arguments cannot be evaluated. */
export class ExitHookError extends UserError {
  override readonly name = "ExitHookError";
}

/** The scope of the hooks of a node: the scope of its step or task, with the node's status and outputs on top. */
function scopeOfHooks(
  pass: Slice<StatusDraft>,
  { scope: outer, root, holder: { name }, parent }: Omit<HookCall, "hook">,
): Scope {
  const scope = new Scope();
  scope.add(outer);
  for (const own of referenceNames(name)) {
    scope.values.set(`${root}.${own}.status`, parent.phase ?? "");
    addOutputs(scope, root, own, outputsOf(pass, parent));
  }
  return scope;
}

/** The outputs of a node, or of its last attempt. */
function outputsOf(pass: Slice<StatusDraft>, node: NodeStatus): Outputs | undefined {
  return (lastAttempt(node, pass.draft.nodes) ?? node).outputs;
}

/**
 * The values of a hook's scope and the workflow. A handler must run even if an output was not written, which is then
 * empty. Only hooks have these empty values.
 */
function valuesOfHooks(
  pass: Slice<StatusDraft>,
  { root, holder: { name }, parent }: Omit<HookCall, "hook">,
  scope: Scope,
): Map<string, string | null> {
  const values = scope.withGlobals(pass.draft.globals);
  const addEmpty = (output: string) => {
    for (const own of referenceNames(name)) {
      const key = `${root}.${own}.outputs.${output}`;
      if (!values.has(key)) values.set(key, "");
    }
  };
  for (const parameter of outputsOf(pass, parent)?.parameters ?? []) addEmpty(`parameters.${parameter.name}`);
  if (isCompleted(parent)) addEmpty("result");
  return values;
}

/** Whether an expression only compares the status of the hook's node with a string. */
function readsOwnStatusOnly(expression: string, { root, holder: { name } }: Omit<HookCall, "hook">): boolean {
  const [, readRoot, spelled, quoted] = STATUS_COMPARISON.exec(expression) ?? [];
  return readRoot === root && referenceNames(name).includes(spelled ?? quoted!);
}

/** For example `tasks.build.status == "Failed"` or `steps["build"].status != 'Running'`. */
const STATUS_COMPARISON = /^\s*(steps|tasks)(?:\.(\w+)|\["([^"\\]+)"\])\.status\s*[!=]=\s*(?:"[^"\\]*"|'[^'\\]*')\s*$/;

/** The names by which hooks refer to their node. An item of a loop also has the name of the loop. */
function referenceNames(name: string): string[] {
  const loop = loopNameOf(name);
  return loop === name ? [name] : [loop, name];
}

function runHook(pass: Slice<NodesDraft & StatusDraft>, call: HookCall, nodeName: string, onExit: boolean): Outcome {
  const { hook, parent, templateScope: scope, boundaryId } = call;
  const holder = { template: hook.template, templateRef: hook.templateRef };
  const flag = { hooked: true };
  const resolved = tryToResolveArguments(pass, call);
  if (resolved.kind === "missing") return { kind: "waiting" };
  let outcome: Outcome;
  if (resolved.kind === "never") {
    const node = addErrorNode(pass, { name: nodeName, holder, scope, boundaryId, flag }, resolved.message);
    outcome = { kind: "error", node, message: resolved.message };
  } else {
    const args = resolved.holder.arguments;
    outcome = call.execute({
      nodeName,
      holder,
      caller: "step",
      scope,
      arguments: args,
      boundaryId,
      onExit,
      flag,
    });
  }
  if (outcome.node) pass.draft.addChild(parent.id, outcome.node.id);
  return outcome;
}

function tryToResolveArguments(pass: Slice<StatusDraft>, call: HookCall): ReturnType<typeof resolveArguments> {
  try {
    return resolveArguments(pass, call);
  } catch (error) {
    return { kind: "never", message: userErrorMessage(error) };
  }
}

/** Resolves the references in a hook's arguments: to its node, and to the scope of the node. */
function resolveArguments(pass: Slice<StatusDraft>, call: HookCall): ResolveResult<Pick<LifecycleHook, "arguments">> {
  const { hook, scope, holder: { name } } = call;
  if (!hook.arguments?.parameters?.length && !hook.arguments?.artifacts?.length) return { kind: "ready", holder: hook };
  const values = valuesOfHooks(pass, call, scope);
  const holder = recordDerived({ name, arguments: hook.arguments }, hook);
  return resolveReferences(holder, scope, values, {
    mode: modeOfHooks(call.holder),
    outcomeOf: call.outcomeOf,
    ...inputFacts(pass, hook, call.templateScope),
  });
}
