/** The run: what a simulation came to. */
import type { CustomValue } from "../lib/metrics/mod.ts";
import {
  didYouMean,
  type NodePhase,
  type NodeStatus,
  type NodeType,
  type Outputs,
  type Workflow,
  type WorkflowPhase,
} from "../lib/api/mod.ts";
import type { SimulatedEvent } from "./cluster.ts";
import { SimulationError } from "./error.ts";
import type { TemplateCall } from "./options.ts";
import { answeredTemplate, type TemplateFunctions } from "./template_functions.ts";

/** A node, in words for assertions. */
export interface RunNode {
  readonly name: string;
  readonly displayName: string;
  readonly type: NodeType;
  /** The name of its template; empty for a node without one, as a group of steps. */
  readonly template: string;
  readonly phase: NodePhase;
  /** Empty when there is none. */
  readonly message: string;
  readonly inputs: { readonly parameters: Readonly<Record<string, string>> };
  readonly outputs: RunOutputs;
  /** From its start to its end, on the simulation's clock, in whole seconds as the status has it. */
  readonly durationSeconds: number;
  /** The node as it stands in the workflow's status. */
  readonly status: NodeStatus;
}

/** Outputs by name. */
export interface RunOutputs {
  readonly parameters: Readonly<Record<string, string>>;
  /** Contents of artifacts. */
  readonly artifacts: Readonly<Record<string, string>>;
  readonly result: string | undefined;
  readonly exitCode: number | undefined;
}

/** A workflow that has ended. */
export class Run {
  /** The workflow with its whole status, as a cluster would hold it. */
  readonly workflow: Workflow;
  /** Events that the engine announced. */
  readonly events: readonly SimulatedEvent[];
  /** Values of metrics that the workflow and its templates emitted, in order. */
  readonly metrics: readonly CustomValue[];
  /** The number of times that the engine was asked. */
  readonly passes: number;
  readonly #calls: readonly TemplateCallRecord[];
  readonly #functions: TemplateFunctions;

  constructor(
    { workflow, events, metrics, passes, calls, functions }: {
      readonly workflow: Workflow;
      readonly events: readonly SimulatedEvent[];
      readonly metrics: readonly CustomValue[];
      readonly passes: number;
      readonly calls: readonly TemplateCallRecord[];
      readonly functions: TemplateFunctions;
    },
  ) {
    this.workflow = workflow;
    this.events = events;
    this.metrics = metrics;
    this.passes = passes;
    this.#calls = calls;
    this.#functions = functions;
  }

  get phase(): WorkflowPhase {
    return this.workflow.status?.phase ?? "";
  }

  /** Empty when there is none. */
  get message(): string {
    return this.workflow.status?.message ?? "";
  }

  /** The workflow's own outputs: what templates export by `globalName`. */
  get outputs(): RunOutputs {
    return outputsOf(this.workflow.status?.outputs);
  }

  /** From start to end, on the simulation's clock. */
  get durationSeconds(): number {
    return durationOf(this.workflow.status ?? {});
  }

  /** All nodes, in the order they came to be. */
  get nodes(): readonly RunNode[] {
    return Object.values(this.workflow.status?.nodes ?? {}).map(describe);
  }

  /**
   * The node of a name, or of a display name.
   * @throws {SimulationError} when there is none, or several have that display name.
   */
  node(name: string): RunNode {
    const nodes = this.nodes;
    const named = nodes.find((node) => node.name === name);
    if (named) return named;
    const displayed = nodes.filter(({ displayName }) => displayName === name);
    const [first, ...others] = displayed;
    if (first !== undefined && others.length === 0) return first;
    const names = (displayed.length ? displayed : nodes).map((node) => node.name).join(", ");
    if (displayed.length) throw new SimulationError(`Several nodes are called ${JSON.stringify(name)}: ${names}`);
    const hint = didYouMean(name, nodes.map(({ displayName }) => displayName)) || `: there are ${names}`;
    throw new SimulationError(`There is no node ${JSON.stringify(name)}${hint}`);
  }

  /**
   * The calls of a template, or of all that were called, in order; those without a function of the test are among them.
   * @throws {SimulationError} when there is no template of that name.
   */
  calls(template?: string): readonly TemplateCall[] {
    if (template === undefined) return this.#calls.map(({ call }) => call);
    this.#functions.refuseUnknown(template);
    return this.#calls.filter(({ names }) => names.includes(template)).map(({ call }) => call);
  }
}

/** A call, and the names of the template that was called. */
export interface TemplateCallRecord {
  readonly names: readonly string[];
  readonly call: TemplateCall;
}

function describe(status: NodeStatus): RunNode {
  return {
    name: status.name,
    displayName: status.displayName ?? status.name,
    type: status.type,
    template: status.templateName || status.templateRef ? answeredTemplate(status) : "",
    phase: status.phase ?? "Pending",
    message: status.message ?? "",
    inputs: { parameters: valuesOf(status.inputs?.parameters) },
    outputs: outputsOf(status.outputs),
    durationSeconds: durationOf(status),
    status,
  };
}

function outputsOf(outputs: Outputs = {}): RunOutputs {
  const contents = (outputs.artifacts ?? []).filter(({ raw }) => raw?.data !== undefined);
  return {
    parameters: valuesOf(outputs.parameters),
    artifacts: Object.fromEntries(contents.map(({ name, raw }) => [name, raw!.data!])),
    result: outputs.result,
    exitCode: outputs.exitCode === undefined ? undefined : Number(outputs.exitCode),
  };
}

/** The values of parameters, by name; those without one are left out. */
export function valuesOf(
  parameters: readonly { readonly name: string; readonly value?: string | undefined }[] = [],
): Record<string, string> {
  return Object.fromEntries(parameters.flatMap(({ name, value }) => value === undefined ? [] : [[name, value]]));
}

function durationOf({ startedAt, finishedAt }: { readonly startedAt?: string; readonly finishedAt?: string }): number {
  return startedAt && finishedAt ? (Date.parse(finishedAt) - Date.parse(startedAt)) / 1000 : 0;
}
