/** One public bug report: its number, an input, and the result that a user expects. */
import type { Answer, SimulateOptions, TemplateCall } from "../../simulate/mod.ts";

/** A report as a row of a table. */
export interface FieldReport {
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
  readonly parameters?: SimulateOptions["parameters"];
  /** The answer of each template, by name; the others succeed and output nothing. */
  readonly answers?: Readonly<Record<string, Answer | ((call: TemplateCall) => Answer)>>;
  readonly expected: Expected;
}

/** The expected result of a run. Fields that are left out are not compared. */
export interface Expected {
  readonly phase?: string;
  /** A part of the workflow's message. */
  readonly message?: string;
  /** The node of each display name as `Phase`, or as `Phase: part of its message`. */
  readonly nodes?: Readonly<Record<string, string>>;
  /** The display names that no node has. */
  readonly noNodes?: readonly string[];
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
  /** A part of the message with which the workflow is refused before it starts. */
  readonly refused?: string;
}
