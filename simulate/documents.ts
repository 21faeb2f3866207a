/** Parsing and validation of the documents of a test: the workflow to run, and the other objects of the cluster. */
import {
  type ClusterWorkflowTemplate,
  type ConfigMap,
  parseClusterWorkflowTemplate,
  parseCronWorkflow,
  type ParseResult,
  parseWorkflow,
  parseWorkflowTemplate,
  type Workflow,
  type WorkflowTemplate,
} from "@tiphys/model/api";
import { fieldsOf, textFieldsOf, textsIn } from "@tiphys/base/fields_of";
import { dataOf } from "@tiphys/kube/object_data";
import { API_VERSION, LABEL } from "@tiphys/base/constants";
import { formatProblem, lintFiles, type Problem } from "@tiphys/language/validate";
import { applyToManifest, workflowFromCron, workflowFromTemplate } from "@tiphys/engine/workflow_actions";
import { parseYaml, positionOf, type YamlDocument } from "@tiphys/model/yaml";
import { timeText } from "@tiphys/model/status";
import { textOf } from "./answer.ts";
import { SimulationError } from "./error.ts";
import type { SimulateOptions } from "./options.ts";

/** The initial state of a simulation: its workflow, and the other objects. */
export interface Scene {
  readonly workflow: Workflow;
  readonly workflowTemplates: ReadonlyMap<string, WorkflowTemplate>;
  readonly clusterWorkflowTemplates: ReadonlyMap<string, ClusterWorkflowTemplate>;
  /** ConfigMaps with a type label, which the controller's cache contains. */
  readonly configMaps: ReadonlyMap<string, ConfigMap>;
  /** All ConfigMaps. A semaphore's ConfigMap needs no label. */
  readonly limits?: ReadonlyMap<string, ConfigMap>;
}

/** A document, with its YAML source if it was a text. */
interface SourceDocument {
  readonly origin: string;
  readonly written: YamlDocument | undefined;
  readonly value: unknown;
}

/** The fields that identify a document. */
interface Head {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly name?: string;
  readonly labels: Record<string, string>;
}

const NAMESPACE = "default";
const UID = "00000000-0000-4000-8000-000000000001";
/** The suffix of a generated name. It is constant so that node IDs, which are derived from names, are deterministic. */
const NAME_END = "simulated";

/**
 * Parses all documents, selects the workflow to run, and validates them like lint.
 * @throws {SimulationError} with one line for each problem: place, field, message.
 */
export function readScene(source: string | object, options: SimulateOptions, startAt: Date): Scene {
  const main = readDocuments(source, "workflow");
  const others = (options.objects ?? []).flatMap((object, index) => readDocuments(object, `objects[${index}]`));
  refuse([...main, ...others].flatMap(parseErrors));
  const chosen = chooseRunnable(main);
  const runs = withSubmitOptions(chosen, options);
  const around = [
    ...main.filter((sourceDocument) => sourceDocument !== chosen || !isOfKind("Workflow", chosen)),
    ...others,
  ];
  refuse(problemsOf([runs, ...around]));
  return {
    workflow: asCreated(requireValid(parseWorkflow(runs.value)), startAt),
    workflowTemplates: byName(around, "WorkflowTemplate", parseWorkflowTemplate),
    clusterWorkflowTemplates: byName(around, "ClusterWorkflowTemplate", parseClusterWorkflowTemplate),
    configMaps: configMapsIn(around, (labels) => labels[LABEL.configMapType] !== undefined),
    limits: configMapsIn(around, () => true),
  };
}

function readDocuments(source: string | object, origin: string): SourceDocument[] {
  if (typeof source !== "string") {
    return [{ origin, written: undefined, value: JSON.parse(JSON.stringify(source)) as unknown }];
  }
  return parseYaml(source).map((written) => ({ origin, written, value: written.value }));
}

function parseErrors({ origin, written }: SourceDocument): string[] {
  return (written?.errors ?? []).map((error) => formatProblem({ ...error, file: origin, path: "" }));
}

function refuse(problems: readonly string[]): void {
  if (problems.length > 0) throw new SimulationError(problems.join("\n"));
}

/** Returns the only workflow; without a workflow, the only object that workflows can be created from. */
function chooseRunnable(documents: readonly SourceDocument[]): SourceDocument {
  const workflows = documents.filter((document) => isOfKind("Workflow", document));
  const makers = documents.filter((document) =>
    ["WorkflowTemplate", "ClusterWorkflowTemplate", "CronWorkflow"].some((kind) => isOfKind(kind, document))
  );
  const candidates = workflows.length ? workflows : makers;
  const [first, ...others] = candidates;
  if (first !== undefined && others.length === 0) return first;
  const found = candidates.map(({ value }) => `${headOf(value).kind} ${headOf(value).name ?? ""}`.trim());
  throw new SimulationError(
    `expected one Workflow, WorkflowTemplate, ClusterWorkflowTemplate or CronWorkflow, got ${
      found.join(", ") || "none"
    }: ` +
      "pass other objects in the option `objects`",
  );
}

/** Returns the workflow as it would be submitted. Lint reports the problems of an invalid one. */
function withSubmitOptions(chosen: SourceDocument, { parameters = {}, entrypoint }: SimulateOptions): SourceDocument {
  const made = isOfKind("Workflow", chosen)
    ? chosen
    : { ...chosen, written: undefined, value: workflowFrom(chosen.value) };
  const values = new Map(Object.entries(parameters).map(([name, value]) => [name, textOf(value)]));
  const submitted = applyToManifest(made.value, { entrypoint, parameters: values });
  return { ...made, value: submitted };
}

function workflowFrom(value: unknown): Workflow {
  const { kind, name = "" } = headOf(value);
  if (kind === "CronWorkflow") return workflowFromCron(requireValid(parseCronWorkflow(value)));
  return workflowFromTemplate(kind === "ClusterWorkflowTemplate" ? kind : "WorkflowTemplate", name);
}

/** Returns all problems that lint finds, with their place in the source. */
function problemsOf(documents: readonly SourceDocument[]): string[] {
  const files = documents.map(({ value }, index) => ({ name: String(index), text: JSON.stringify(value) }));
  return lintFiles(files).filter(({ severity }) => severity !== "warning").flatMap((problem) => {
    const document = documents[Number(problem.file)];
    if (document === undefined) return [];
    const { origin, written } = document;
    return written ? withLocation(problem, origin, written) : `${origin}: ${problem.path}: ${problem.message}`;
  });
}

function withLocation(problem: Problem, file: string, written: YamlDocument): string {
  return formatProblem({ ...problem, ...positionOf(written, problem.path, problem.offset), file });
}

/** Returns the workflow as an API server would create it. */
function asCreated(workflow: Workflow, startAt: Date): Workflow {
  const { name, generateName = "", namespace = NAMESPACE } = workflow.metadata;
  const metadata = {
    ...workflow.metadata,
    name: name ?? `${generateName}${NAME_END}`,
    namespace,
    uid: UID,
    creationTimestamp: timeText(startAt),
  };
  return { ...workflow, metadata };
}

function byName<Kind extends { metadata: { name?: string } }>(
  documents: readonly SourceDocument[],
  kind: string,
  parse: (value: unknown) => ParseResult<Kind>,
): Map<string, Kind> {
  const objects = documents.filter((document) => isOfKind(kind, document)).map(({ value }) =>
    requireValid(parse(value))
  );
  return new Map(objects.map((object) => [object.metadata.name ?? "", object]));
}

function configMapsIn(
  documents: readonly SourceDocument[],
  isSelected: (labels: Readonly<Record<string, string>>) => boolean,
): Map<string, ConfigMap> {
  return new Map(documents.flatMap(({ value }): [string, ConfigMap][] => {
    const { kind, name = "", labels } = headOf(value);
    if (kind !== "ConfigMap" || !isSelected(labels)) return [];
    return [[name, { metadata: { name, labels }, data: { ...dataOf(fieldsOf(value)) } }]];
  }));
}

function isOfKind(kind: string, { value }: SourceDocument): boolean {
  const head = headOf(value);
  return head.apiVersion === API_VERSION && head.kind === kind;
}

function headOf(value: unknown): Head {
  const fields = fieldsOf(value);
  const metadata = fieldsOf(fields.metadata);
  return {
    ...textsIn(fields, ["apiVersion", "kind"]),
    ...textsIn(metadata, ["name"]),
    labels: { ...textFieldsOf(metadata.labels) },
  };
}

/** Returns the parsed value. @throws {SimulationError} for an error that lint did not find. */
function requireValid<Type>(parsed: ParseResult<Type>): Type {
  if (parsed.ok) return parsed.value;
  throw new SimulationError(parsed.errors.map(({ path, message }) => `${path}: ${message}`).join("\n"));
}
