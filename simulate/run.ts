/** The result of a simulation. */
import type { CustomValue } from "@tiphys/base/metrics";
import {
  didYouMean,
  type NodePhase,
  type NodeStatus,
  type NodeType,
  type Outputs,
  type Workflow,
  type WorkflowPhase,
} from "@tiphys/model/api";
import type { SimulatedEvent } from "./cluster.ts";
import { SimulationError } from "./error.ts";
import type { TemplateCall } from "./options.ts";
import { answeredTemplate, type TemplateFunctions } from "./template_functions.ts";

/** A node with the fields that assertions need. */
export interface RunNode {
  readonly name: string;
  readonly displayName: string;
  readonly type: NodeType;
  /** The name of its template; empty for a node without one, such as a step group. */
  readonly template: string;
  readonly phase: NodePhase;
  /** Empty if the node has no message. */
  readonly message: string;
  readonly inputs: { readonly parameters: Readonly<Record<string, string>> };
  readonly outputs: RunOutputs;
  /** The duration on the simulation's clock, in whole seconds as in the status. */
  readonly durationSeconds: number;
  /** The node in the workflow's status. */
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
  /** The workflow with its complete status, as in a cluster. */
  readonly workflow: Workflow;
  /** The events that the engine emitted. */
  readonly events: readonly SimulatedEvent[];
  /** The values of metrics that the workflow and its templates emitted, in order. */
  readonly metrics: readonly CustomValue[];
  /** The number of engine passes. */
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

  /** Empty if the workflow has no message. */
  get message(): string {
    return this.workflow.status?.message ?? "";
  }

  /** The workflow's own outputs, which templates export with `globalName`. */
  get outputs(): RunOutputs {
    return outputsOf(this.workflow.status?.outputs);
  }

  /** The duration on the simulation's clock. */
  get durationSeconds(): number {
    return durationOf(this.workflow.status ?? {});
  }

  /** All nodes in order of creation. */
  get nodes(): readonly RunNode[] {
    return Object.values(this.workflow.status?.nodes ?? {}).map(describe);
  }

  /**
   * Returns the node with a name or display name.
   * @throws {SimulationError} when no node has it, or several nodes have that display name.
   */
  node(name: string): RunNode {
    const nodes = this.nodes;
    const named = nodes.find((node) => node.name === name);
    if (named) return named;
    const displayed = nodes.filter(({ displayName }) => displayName === name);
    const [first, ...others] = displayed;
    if (first !== undefined && others.length === 0) return first;
    const names = (displayed.length ? displayed : nodes).map((node) => node.name).join(", ");
    if (displayed.length) {
      throw new SimulationError(`several nodes have the display name ${JSON.stringify(name)}: ${names}`);
    }
    const hint = didYouMean(name, nodes.map(({ displayName }) => displayName)) || `; nodes: ${names}`;
    throw new SimulationError(`no node ${JSON.stringify(name)}${hint}`);
  }

  /**
   * Returns the calls of a template, or all calls, in order, including those of templates without a function.
   * @throws {SimulationError} when no template has that name.
   */
  calls(template?: string): readonly TemplateCall[] {
    if (template === undefined) return this.#calls.map(({ call }) => call);
    this.#functions.refuseUnknown(template);
    return this.#calls.filter(({ names }) => names.includes(template)).map(({ call }) => call);
  }
}

/** A call, and the names of its template. */
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

/** Returns the values of parameters by name. Parameters without a value are omitted. */
export function valuesOf(
  parameters: readonly { readonly name: string; readonly value?: string | undefined }[] = [],
): Record<string, string> {
  return Object.fromEntries(parameters.flatMap(({ name, value }) => value === undefined ? [] : [[name, value]]));
}

function durationOf({ startedAt, finishedAt }: { readonly startedAt?: string; readonly finishedAt?: string }): number {
  return startedAt && finishedAt ? (Date.parse(finishedAt) - Date.parse(startedAt)) / 1000 : 0;
}
