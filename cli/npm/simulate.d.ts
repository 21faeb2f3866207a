/** Types of `tiphys/simulate`: runs a workflow in a test, with functions in place of pods. See docs/testing.md. */

/** A value of a parameter or a result: a string is used unchanged, other values become JSON. */
export type Value = string | number | boolean | null | readonly Value[] | { readonly [name: string]: Value };
/** Values by name. */
export type Values = Readonly<Record<string, Value>>;

/** A container with its tags replaced. */
export interface Container {
  readonly image?: string;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly env?: readonly { readonly name: string; readonly value?: string }[];
}

/** A call of a template. */
export interface TemplateCall {
  /** Name of the template; for an inline template, of its step or task. */
  readonly template: string;
  /** Display name of the node, such as `say(0:apple)`. */
  readonly node: string;
  /** Number of the attempt, from 0. */
  readonly attempt: number;
  readonly inputs: {
    readonly parameters: Readonly<Record<string, string>>;
    /** Contents of artifacts. */
    readonly artifacts: Readonly<Record<string, string>>;
  };
  /** The time at which it starts, on the simulation's clock. */
  readonly at: Date;
  /** The template with its tags replaced. */
  readonly spec: { readonly name?: string; readonly container?: Container; readonly script?: Container };
  /** The pod that would run; undefined for a template without a pod. */
  readonly pod: object | undefined;
}

/** The answer of a template function. Without fields, the node succeeds at once. */
export interface Answer {
  /** Output, for `outputs.result`. */
  readonly result?: Value;
  readonly parameters?: Values;
  /** Contents of output artifacts. */
  readonly artifacts?: Readonly<Record<string, string>>;
  /** A code other than 0 fails the node. */
  readonly exitCode?: number;
  readonly message?: string;
  /** Exit codes of the members of a container set that differ from `exitCode`. */
  readonly containers?: Readonly<Record<string, number>>;
  /** Ends the node as Error with this message. */
  readonly error?: string;
  /** Duration on the simulation's clock; default 0. `Infinity` for a daemon. */
  readonly durationSeconds?: number;
}

/** Replaces a template. What it throws ends the simulation. */
export type TemplateFunction = (call: TemplateCall) => Answer | void | Promise<Answer | void>;

export interface SimulateOptions {
  /** Arguments of the workflow. */
  readonly parameters?: Values;
  /** Template to begin with. */
  readonly entrypoint?: string;
  /** Functions by template name, or `WORKFLOW_TEMPLATE/TEMPLATE`. Other templates succeed at once. */
  readonly templates?: Readonly<Record<string, TemplateFunction>>;
  /** Other objects of the cluster: WorkflowTemplates, ClusterWorkflowTemplates, ConfigMaps. */
  readonly objects?: readonly (string | object)[];
  /** The controller's `workflowDefaults`. */
  readonly workflowDefaults?: object;
  /** Stops or terminates the workflow at this time. */
  readonly shutdown?: { readonly strategy: "Stop" | "Terminate"; readonly afterSeconds: number };
  /** Start of the simulation's clock; default 2026-01-01. */
  readonly startAt?: Date;
  /** Passes of the engine after which the simulation fails; default 10,000. */
  readonly maxPasses?: number;
}

/** Outputs by name. */
export interface RunOutputs {
  readonly parameters: Readonly<Record<string, string>>;
  /** Contents of artifacts. */
  readonly artifacts: Readonly<Record<string, string>>;
  readonly result: string | undefined;
  readonly exitCode: number | undefined;
}

export interface RunNode {
  readonly name: string;
  readonly displayName: string;
  readonly type: string;
  readonly template: string;
  readonly phase: string;
  readonly message: string;
  readonly inputs: { readonly parameters: Readonly<Record<string, string>> };
  readonly outputs: RunOutputs;
  readonly durationSeconds: number;
  /** The node as in the status of the workflow. */
  readonly status: object;
}

/** A finished run. */
export interface Run {
  readonly phase: string;
  readonly message: string;
  readonly outputs: RunOutputs;
  readonly durationSeconds: number;
  /** All nodes, in order of creation. */
  readonly nodes: readonly RunNode[];
  /** The node with this name or display name. @throws {SimulationError} if there is not exactly one. */
  node(name: string): RunNode;
  /** The calls of a template, or all calls, in order. @throws {SimulationError} for an unknown template. */
  calls(template?: string): readonly TemplateCall[];
  /** The workflow with its status. */
  readonly workflow: object;
  readonly events: readonly object[];
  /** Values of metrics that the workflow emitted. */
  readonly metrics: readonly {
    readonly name: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly value: number;
  }[];
  /** Passes of the engine. */
  readonly passes: number;
}

/** A simulation that cannot continue, and why. */
export class SimulationError extends Error {}

/**
 * Runs a Workflow, WorkflowTemplate, ClusterWorkflowTemplate or CronWorkflow.
 * @throws {SimulationError} for an invalid workflow, a missing output, or a run that cannot continue.
 */
export function simulate(workflow: string | object, options?: SimulateOptions): Promise<Run>;
