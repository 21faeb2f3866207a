/** The options of a simulation. */
import type { Pod, ShutdownStrategy, Template, Workflow } from "@tiphys/model/api";

/** A value of a parameter or a result. A string is used unchanged; any other value is converted to JSON. */
export type Value = string | number | boolean | null | readonly Value[] | { readonly [name: string]: Value };

/** Values by name. */
export type Values = Readonly<Record<string, Value>>;

/** One call of a template, with the data that its pod, or the person who resumes it, would have. */
export interface TemplateCall {
  /** The template's name. For an inline template, the name of its step or task. */
  readonly template: string;
  /** The node's display name, for example `say(0:apple)`. */
  readonly node: string;
  /** The attempt, starting at 0, like `{{retries}}`. */
  readonly attempt: number;
  readonly inputs: {
    readonly parameters: Readonly<Record<string, string>>;
    /** Contents of artifacts that other templates produced or that the workflow contains (`raw`). */
    readonly artifacts: Readonly<Record<string, string>>;
  };
  /** The start time on the simulation's clock. */
  readonly at: Date;
  /** The template with its tags replaced, for example `spec.container.args`. */
  readonly spec: Template;
  /** The pod that would be created; undefined for `suspend`, `http` and `plugin` templates. */
  readonly pod: Pod | undefined;
}

/** The answer of a function that stands for a template. All fields are optional; an empty answer succeeds at once. */
export interface Answer {
  /** The printed text, for `outputs.result`. */
  readonly result?: Value;
  /** The output parameters. A declared parameter without a value and without a default is an error. */
  readonly parameters?: Values;
  /** The contents of output artifacts. A declared artifact without contents is empty, or missing if it is optional. */
  readonly artifacts?: Readonly<Record<string, string>>;
  /** The exit code. Any value but 0 fails the node. Default: 0. */
  readonly exitCode?: number;
  /** The message of the node. */
  readonly message?: string;
  /** In a container set: the exit codes of containers that differ from `exitCode`. */
  readonly containers?: Readonly<Record<string, number>>;
  /** Ends the node in phase Error with this message, for a failure outside of the command. */
  readonly error?: string;
  /** The duration on the simulation's clock. Default: 0. `Infinity` means that it does not end by itself. */
  readonly durationSeconds?: number;
}

/**
 * A function that stands for a template. It is called when the pod would start or, for a `suspend` template, when the
 * node starts to wait: it then acts as the person who resumes it. To fail the node, return an answer. An exception ends
 * the simulation, so that assertions in the function work.
 */
export type TemplateFunction = (call: TemplateCall) => Answer | void | Promise<Answer | void>;

/** Options of {@link simulate}. */
export interface SimulateOptions {
  /** The arguments of the workflow. */
  readonly parameters?: Values;
  /** The entrypoint. Default: that of the workflow. */
  readonly entrypoint?: string;
  /**
   * Functions by the name of a template, or by `WORKFLOW_TEMPLATE/TEMPLATE` for one of a WorkflowTemplate. Templates
   * without a function succeed.
   */
  readonly templates?: Readonly<Record<string, TemplateFunction>>;
  /** Other objects of the cluster, as YAML or objects: WorkflowTemplates, ClusterWorkflowTemplates, ConfigMaps. */
  readonly objects?: readonly (string | object)[];
  /** The controller's `workflowDefaults`. */
  readonly workflowDefaults?: Partial<Workflow>;
  /**
   * Stops or terminates the workflow after this time on the simulation's clock, like the commands `stop` and
   * `terminate`.
   */
  readonly shutdown?: { readonly strategy: ShutdownStrategy; readonly afterSeconds: number };
  /** The start time. Default: 2026-01-01T00:00:00Z. */
  readonly startAt?: Date;
  /** The maximum number of engine passes before the simulation fails. Default: 10,000. */
  readonly maxPasses?: number;
}
