/** The answer of a function, checked against what its template declares. */
import {
  type Artifact,
  didYouMean,
  type NodeResult,
  type Outputs,
  type Parameter,
  type Pod,
  type Template,
} from "@tiphys/model/api";
import { CONTAINER, ENV, EXIT } from "@tiphys/base/constants";
import { formatTerminationMessage } from "@tiphys/model/termination_message";
import { SimulationError } from "./error.ts";
import type { Answer, TemplateCall, Value } from "./options.ts";
import { type ContainerEnd, envOf, type PodEnd, TERMINATED } from "./pod_end.ts";

/** Returns the text of a value in a workflow. */
export function textOf(value: Value): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/**
 * Returns the end of a call's pod.
 * @throws {SimulationError} when the answer contains an undeclared output, or lacks a required one.
 */
export function podEndOf(call: TemplateCall, pod: Pod, answer: Answer): PodEnd {
  const { exitCode = 0, message, error } = answer;
  const { spec } = call;
  const members = spec.containerSet?.containers ?? [];
  refuseUnknown(call, "container", answer.containers, members.map(({ name }) => name));
  const ends = [...memberEnds(members, answer)];
  const succeeds = error === undefined && exitCode === 0 && ends.every(([, end]) => end.exitCode === 0);
  const outputs: Outputs = {
    ...resultOf(call, pod, answer, succeeds),
    ...parametersOf(call, answer, succeeds),
    ...artifactsOf(call, answer, succeeds),
  };
  return {
    main: { exitCode, message },
    ...(members.length ? { members: Object.fromEntries(ends) } : {}),
    ...(error === undefined ? {} : { executor: { exitCode: EXIT.executorError, message: error } }),
    ...(Object.keys(outputs).length ? { outputs } : {}),
  };
}

/**
 * Returns the ends of the containers of a container set, by name. As in a cluster, a container does not run if one of
 * its dependencies failed, and then fails with the exit code of the executor.
 */
function memberEnds(
  members: NonNullable<Template["containerSet"]>["containers"],
  { exitCode = 0, message, containers }: Answer,
): ReadonlyMap<string, ContainerEnd> {
  /** The exit codes that dependents see: of a container that did not run, that of its failed dependency. */
  const codes = new Map<string, number>();
  const ends = new Map<string, ContainerEnd>(members.map(({ name }) => [name, { exitCode, message }]));
  const open = new Set(members);
  for (let left = Infinity; open.size < left;) {
    left = open.size;
    for (const member of open) {
      const { name, dependencies = [] } = member;
      if (!dependencies.every((dependency) => codes.has(dependency))) continue;
      open.delete(member);
      const failed = dependencies.find((dependency) => codes.get(dependency) !== 0);
      const code = failed === undefined ? containers?.[name] ?? exitCode : codes.get(failed)!;
      codes.set(name, code);
      ends.set(name, failed === undefined ? { exitCode: code, message } : notStarted(failed, code));
    }
  }
  return ends;
}

/** The end of a container whose dependency failed, as the executor reports it. */
function notStarted(dependency: string, code: number): ContainerEnd {
  const cause = `dependency "${dependency}" exited with non-zero code: ${code}`;
  return {
    exitCode: code === EXIT.undetermined ? TERMINATED.exitCode : EXIT.executorError,
    message: formatTerminationMessage({ stage: "command", cause }),
  };
}

/** Returns the result that the agent reports for a task. */
export function taskResultOf(answer: Answer): NodeResult {
  const { result, message, error, parameters = {} } = answer;
  const values = Object.entries(parameters).map(([name, value]) => ({ name, value: textOf(value) }));
  const outputs: Outputs = {
    ...(result === undefined ? {} : { result: textOf(result) }),
    ...(values.length ? { parameters: values } : {}),
  };
  return {
    phase: error !== undefined ? "Error" : fails(answer) ? "Failed" : "Succeeded",
    message: error ?? message,
    ...(Object.keys(outputs).length ? { outputs } : {}),
  };
}

/**
 * Returns the output values that an answer supplies to a suspended node, by name. Defaults count as supplied.
 * @throws {SimulationError} like {@link podEndOf}.
 */
export function suppliedParameters(
  call: TemplateCall,
  answer: Answer,
  declared: readonly Parameter[],
): Map<string, string> {
  refuseUnknown(call, "output parameter", answer.parameters, declared.map(({ name }) => name));
  const open = declared.filter(({ valueFrom }) => valueFrom?.supplied);
  return new Map(open.flatMap((parameter) => {
    const value = valueOf(call, parameter, answer, !fails(answer));
    return value === undefined ? [] : [[parameter.name, value]];
  }));
}

/** Whether an answer fails its node. */
export function fails({ exitCode = 0, error }: Answer): boolean {
  return exitCode !== 0 || error !== undefined;
}

/** Returns the result. As in a cluster, it is reported only if a template refers to it. */
function resultOf(call: TemplateCall, pod: Pod, { result }: Answer, succeeds: boolean): Pick<Outputs, "result"> {
  const { spec } = call;
  const hasNoMain = spec.containerSet?.containers.every(({ name }) => name !== CONTAINER.main) ?? false;
  if (envOf(pod, ENV.includeScriptOutput) !== "true" || hasNoMain) return {};
  if (result !== undefined) return { result: textOf(result) };
  if (!succeeds || spec.daemon) return {};
  throw missingOutput(call, "result", "the result of the template is used but not set", "result");
}

function parametersOf(call: TemplateCall, answer: Answer, succeeds: boolean): Pick<Outputs, "parameters"> {
  const declared = (call.spec.outputs?.parameters ?? []).filter(({ value, valueFrom }) =>
    value !== undefined || valueFrom?.path || valueFrom?.jsonPath || valueFrom?.jqFilter
  );
  refuseUnknown(call, "output parameter", answer.parameters, declared.map(({ name }) => name));
  if (declared.length === 0) return {};
  return {
    parameters: declared.map((parameter) => {
      const value = parameter.value ?? valueOf(call, parameter, answer, succeeds && !call.spec.daemon);
      return value === undefined ? parameter : { ...parameter, value };
    }),
  };
}

function valueOf(call: TemplateCall, parameter: Parameter, answer: Answer, isNeeded: boolean): string | undefined {
  const { name, valueFrom } = parameter;
  const given = answer.parameters?.[name];
  if (given !== undefined) return textOf(given);
  if (valueFrom?.default !== undefined || !isNeeded) return valueFrom?.default;
  throw missingOutput(
    call,
    name,
    `output parameter ${JSON.stringify(name)} has no value`,
    `parameters: { ${name}: … }`,
  );
}

/**
 * Returns the output artifacts. Their contents are stored in the workflow as `raw`, because the simulation has no
 * store.
 */
function artifactsOf(call: TemplateCall, answer: Answer, succeeds: boolean): Pick<Outputs, "artifacts"> {
  const declared = call.spec.outputs?.artifacts ?? [];
  refuseUnknown(call, "output artifact", answer.artifacts, declared.map(({ name }) => name));
  const artifacts = declared.flatMap(({ name, path, globalName, optional }): Artifact[] => {
    const data = answer.artifacts?.[name] ?? (succeeds && !optional ? "" : undefined);
    if (data === undefined) return [];
    return [{ name, ...(path ? { path } : {}), ...(globalName ? { globalName } : {}), raw: { data } }];
  });
  return artifacts.length ? { artifacts } : {};
}

function missingOutput(
  { template, node }: TemplateCall,
  name: string,
  problem: string,
  remedy: string,
): SimulationError {
  return new SimulationError(
    `${problem} (node ${JSON.stringify(node)}): templates[${JSON.stringify(template)}] must return ` +
      (name === remedy ? `{ ${name}: … }` : `{ ${remedy} }`),
  );
}

function refuseUnknown(
  { template }: TemplateCall,
  subject: string,
  fields: Readonly<Record<string, unknown>> | undefined,
  allowed: readonly string[],
): void {
  const unknown = Object.keys(fields ?? {}).find((name) => !allowed.includes(name));
  if (unknown === undefined) return;
  throw new SimulationError(
    `Template ${JSON.stringify(template)} declares no ${subject} ${JSON.stringify(unknown)}${
      didYouMean(unknown, allowed)
    }`,
  );
}

/** Returns the contents of those input artifacts that the workflow contains. */
export function contentsOf(template: Template): Record<string, string> {
  const known = (template.inputs?.artifacts ?? []).filter(({ raw }) => raw?.data !== undefined);
  return Object.fromEntries(known.map(({ name, raw }) => [name, raw!.data!]));
}
