/** One public bug report: its number, an input, and the result that a user expects. */
import type { Answer, SimulateOptions, TemplateCall } from "../../simulate/mod.ts";

/** A report as a row of a table. */
export interface FieldReport extends Pick<SimulateOptions, "parameters" | "shutdown"> {
  /** Numbers of the issues and pull requests in argoproj/argo-workflows; empty for a fault that nobody has reported. */
  readonly issues: readonly number[];
  /** The expected behavior, as a statement `subject: behavior`. */
  readonly behavior: string;
  /** The behavior of Argo Workflows 4.1.2 where it differs: then ours is better. */
  readonly argo?: string;
  /** The templates of a workflow whose entrypoint is `main`, as YAML; a whole document where it has a `kind`. */
  readonly workflow: string;
  /** Fields of the workflow's spec, as YAML. */
  readonly spec?: string;
  /** Other objects of the cluster, as YAML. */
  readonly objects?: readonly string[];
  /** The `workflowDefaults` of the controller, as YAML. */
  readonly defaults?: string;
  /** The answer of each template, by name; the others answer as in `stock_templates.ts`, or succeed. */
  readonly answers?: Answers;
  readonly expected: ExpectedResult;
  /** A second run: the workflow of the first one is retried or resubmitted. */
  readonly secondRun?: SecondRun;
}

/** Answers by the name of the template. */
export type Answers = Readonly<Record<string, Answer | ((call: TemplateCall) => Answer)>>;

/** The second run of a workflow. */
export interface SecondRun {
  readonly by: "retry" | "resubmit --memoized";
  /** The options of `retry`. */
  readonly restartSuccessful?: boolean;
  readonly nodeFieldSelector?: string;
  /** Arguments that replace those of the first run. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Answers of the second run. */
  readonly answers?: Answers;
  readonly expected: ExpectedResult;
}

/** The expected result of a run. Fields that are left out are not compared. */
export interface ExpectedResult {
  readonly phase?: string;
  /** A part of the workflow's message. */
  readonly message?: string;
  /** The node of each display name as `Phase`, or as `Phase: part of its message`. */
  readonly nodes?: Readonly<Record<string, string>>;
  /** The display names that no node has. */
  readonly noNodes?: readonly string[];
  /** The seconds from start to end of each node, by display name. */
  readonly seconds?: Readonly<Record<string, number>>;
  /** The number of calls of each template. */
  readonly calls?: Readonly<Record<string, number>>;
  /** The input parameters of each call of a template, in order. */
  readonly inputs?: Readonly<Record<string, readonly Readonly<Record<string, string>>[]>>;
  /** The input artifacts of each call of a template, in order: their contents, or their keys in a store. */
  readonly artifacts?: Readonly<Record<string, readonly Readonly<Record<string, string>>[]>>;
  /** The names of the optional input artifacts of each call of a template, in order. */
  readonly optional?: Readonly<Record<string, readonly (readonly string[])[]>>;
  /** The command, arguments or source of each call of a template, joined with spaces, in order. */
  readonly runs?: Readonly<Record<string, readonly string[]>>;
  /** Parts of the same text of each call of a template, in order. */
  readonly includes?: Readonly<Record<string, readonly (readonly string[])[]>>;
  /** Fields of the pod of each call of a template, in order. */
  readonly pods?: Readonly<Record<string, readonly Fields[]>>;
  /** Fields of the workflow at its end. */
  readonly workflow?: Fields;
  /** A part of the message with which the workflow is refused before it starts. */
  readonly refused?: string;
}

/** Some fields of an object. */
export type Fields = Readonly<Record<string, unknown>>;
