/** The options of a simulation. */
import type { Pod, ShutdownStrategy, Template, Workflow } from "../lib/api/mod.ts";

/** A value of a parameter or a result: a text is taken as it is, anything else becomes its JSON. */
export type Value = string | number | boolean | null | readonly Value[] | { readonly [name: string]: Value };

/** Values by name. */
export type Values = Readonly<Record<string, Value>>;

/** One call of a template: what its pod, or the person it waits for, would know. */
export interface TemplateCall {
  /** The template's name; of an inline template, the name of its step or task. */
  readonly template: string;
  /** The node's display name, as `say(0:apple)`. */
  readonly node: string;
  /** Counted from 0, as `{{retries}}`. */
  readonly attempt: number;
  readonly inputs: {
    readonly parameters: Readonly<Record<string, string>>;
    /** Contents of the artifacts that came from other templates, or were written into the workflow (`raw`). */
    readonly artifacts: Readonly<Record<string, string>>;
  };
  /** The moment it begins, on the simulation's clock. */
  readonly at: Date;
  /** The template with its tags replaced: `spec.container.args` are those that would run. */
  readonly spec: Template;
  /** The pod as it would be created; none for `suspend`. */
  readonly pod: Pod | undefined;
}

/** The answer of a function in the place of a template. Everything may be left out: it then succeeds at once. */
export interface Answer {
  /** The text that it prints, for `outputs.result`. */
  readonly result?: Value;
  /** Its output parameters. One that is declared, has no default and is not here is an error. */
  readonly parameters?: Values;
  /** Contents of its output artifacts. One that is declared and not here is empty, or missing where it is optional. */
  readonly artifacts?: Readonly<Record<string, string>>;
  /** Anything but 0 fails the node. */
  readonly exitCode?: number;
  /** The message about its end. */
  readonly message?: string;
  /** In a container set: exit codes of members, where they are not `exitCode`. */
  readonly containers?: Readonly<Record<string, number>>;
  /** The node ends as Error with this message: the trouble was around the command, not in it. */
  readonly error?: string;
  /** The time that it takes on the simulation's clock; 0 when left out, `Infinity` for one that does not end by itself. */
  readonly durationSeconds?: number;
}

/**
 * Stands in for a template. It is called when the pod would start, or when a `suspend` template begins to wait: then it
 * is the person who resumes it. What it throws ends the simulation, so that assertions can be made in it; a failure of
 * the template is an answer.
 */
export type TemplateFunction = (call: TemplateCall) => Answer | void | Promise<Answer | void>;

/** Options of simulating a workflow. */
export interface SimulateOptions {
  /** Arguments of the workflow. */
  readonly parameters?: Values;
  /** The template to begin with. */
  readonly entrypoint?: string;
  /** By the name of a template, or `WORKFLOW_TEMPLATE/TEMPLATE` for one of a WorkflowTemplate. The others succeed. */
  readonly templates?: Readonly<Record<string, TemplateFunction>>;
  /** Other objects of the cluster: YAML or objects; WorkflowTemplates, ClusterWorkflowTemplates, ConfigMaps. */
  readonly objects?: readonly (string | object)[];
  /** The controller's `workflowDefaults`. */
  readonly workflowDefaults?: Partial<Workflow>;
  /** Stops or terminates the workflow at this time on the simulation's clock, as the commands `stop` and `terminate` do. */
  readonly shutdown?: { readonly strategy: ShutdownStrategy; readonly afterSeconds: number };
  /** The moment it begins: the first of January 2026 when left out. */
  readonly startAt?: Date;
  /** The number of passes of the engine after which the simulation is given up: 10,000 when left out. */
  readonly maxPasses?: number;
}
