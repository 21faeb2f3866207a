/**
 * The table of template types. Validation, execution, explanation, simulation, messages and the page read it. Loads
 * nothing, so that the executor and the page can import it.
 */
import type { NODE_ROLES } from "./node_types.ts";

/** The part of the system that runs the templates of a type. */
export type Runner =
  /** The containers of the user, in a pod. */
  | "containers"
  /** The executor, as the main container of a pod. */
  | "executor"
  /** The agent of the workflow. */
  | "agent"
  /** The controller, by calling other templates. */
  | "calls"
  /** The controller itself. */
  | "controller";

/** The properties of a template type. */
interface TemplateTypeRow {
  /** The name in messages and on the page. */
  readonly title: string;
  /** The type of its nodes. */
  readonly node: keyof typeof NODE_ROLES;
  readonly runner: Runner;
  /** Whether its nodes have `outputs.result` and an exit code: of a container set only if it has a container `main`. */
  readonly result: boolean | "main";
  readonly outputs: OutputSource;
}

/** The source of the output parameters of a type: a file, an object of the cluster, another node, or any of them. */
export type OutputSource = "file" | "object" | "node" | "any";

/**
 * The template types by the field of a template that determines the type, in the order in which Argo checks them. To
 * add a type, add a row, a note, and a field of the same name to `LEAF_TYPES` in `leaf_template.ts`; the type checker
 * reports what else is missing.
 */
export const TEMPLATE_TYPES = {
  container: { title: "Container", node: "Pod", runner: "containers", result: true, outputs: "file" },
  containerSet: { title: "ContainerSet", node: "Pod", runner: "containers", result: "main", outputs: "file" },
  steps: { title: "Steps", node: "Steps", runner: "calls", result: false, outputs: "node" },
  dag: { title: "DAG", node: "DAG", runner: "calls", result: false, outputs: "node" },
  script: { title: "Script", node: "Pod", runner: "containers", result: true, outputs: "file" },
  resource: { title: "Resource", node: "Pod", runner: "executor", result: false, outputs: "object" },
  data: { title: "Data", node: "Pod", runner: "executor", result: true, outputs: "any" },
  suspend: { title: "Suspend", node: "Suspend", runner: "controller", result: false, outputs: "any" },
  http: { title: "HTTP", node: "HTTP", runner: "agent", result: true, outputs: "any" },
  plugin: { title: "Plugin", node: "Plugin", runner: "agent", result: true, outputs: "any" },
} as const satisfies Readonly<Record<string, TemplateTypeRow>>;

/** The type of a template. */
export type TemplateType = keyof typeof TEMPLATE_TYPES;

/** The purpose of each type, for the reference. Not in the table, because programs load it. */
export const TEMPLATE_TYPE_NOTES: Readonly<Record<TemplateType, string>> = {
  container: "Runs a container",
  containerSet: "Runs several containers in one pod, in the order of their dependencies",
  steps: "Runs groups of steps in order; steps of a group run in parallel",
  dag: "Runs tasks as their dependencies finish",
  script: "Runs a script in a container; its output is `outputs.result`",
  resource: "Creates, changes, reads or deletes a Kubernetes object",
  data: "Lists artifacts and transforms the list",
  suspend: "Waits for a person, or for a time",
  http: "Sends an HTTP request from the agent pod",
  plugin: "Runs an executor plugin",
};

/** The types of templates with one of these runners. */
export type TypesRunBy<R extends Runner> = {
  [Type in TemplateType]: (typeof TEMPLATE_TYPES)[Type]["runner"] extends R ? Type : never;
}[TemplateType];
