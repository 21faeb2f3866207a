/** Documents checked as they will be created: what the command line changes is part of it. */
import { API_VERSION } from "../lib/api/mod.ts";
import { CLUSTER_WORKFLOW_TEMPLATES, type KubeClient, type KubeObject, WORKFLOW_TEMPLATES } from "../lib/kube/mod.ts";
import { formatProblem, lintFiles, type LintOptions, type Problem } from "../lib/validate/mod.ts";
import { positionOf } from "../lib/yaml/mod.ts";
import { badInput } from "./command_error.ts";
import { type InputDocument, isOurs, objectOf } from "./input_documents.ts";

/** What documents are checked with. */
export interface CheckOptions extends LintOptions {
  /** Templates that are there already and may be referred to. */
  readonly stored?: readonly KubeObject[];
}

/** Something wrong, and the document it is in. */
export interface DocumentProblem extends Problem {
  readonly document: InputDocument;
}

/** Everything that is wrong with the documents, each with its place in the file it came from. */
export function checkDocuments(documents: readonly InputDocument[], options: CheckOptions = {}): DocumentProblem[] {
  const unreadable = documents.flatMap((document) =>
    document.source.errors.map((error) => ({ ...error, file: document.file, path: "", document }))
  );
  const readable = documents.filter(({ source }) => source.errors.length === 0);
  const given = new Set(readable.map((document) => nameOf(objectOf(document))));
  const stored = (options.stored ?? []).filter((object) => !given.has(nameOf(object)));
  // Each document is a file of its own, so that a problem leads back to the document and from there to its place.
  const files = [
    ...readable.map(({ value }, index) => ({ name: String(index), text: JSON.stringify(value) })),
    ...stored.map((object) => ({ name: "stored", text: JSON.stringify(object) })),
  ];
  const meant = lintFiles(files, options).filter(({ file }) => file !== "stored").map((problem) => {
    const document = readable[Number(problem.file)];
    return { ...problem, ...positionOf(document.source, problem.path, problem.offset), file: document.file, document };
  });
  return [...unreadable, ...meant];
}

/**
 * What stands in the way of creating the documents: all that a server would refuse. What expressions come to is left to
 * the run; lint tells.
 */
export function refusals(documents: readonly InputDocument[], options: CheckOptions = {}): DocumentProblem[] {
  return checkDocuments(documents, { ...options, skipExpressions: true });
}

/**
 * Refuses documents that something is wrong with.
 * @throws {CommandError} with one line for each problem: file, line, column, field.
 */
export function refuseProblems(problems: readonly Problem[]): void {
  if (problems.length > 0) throw badInput(problems.map(formatProblem).join("\n"));
}

/** The templates of a cluster that documents of a namespace may refer to. */
export async function storedTemplates(client: KubeClient, namespace: string): Promise<KubeObject[]> {
  const [own, shared] = await Promise.all([
    client.list(WORKFLOW_TEMPLATES, namespace),
    client.list(CLUSTER_WORKFLOW_TEMPLATES, undefined),
  ]);
  // Items of a list do not say what they are.
  return [
    ...own.items.map((item) => ({ ...item, apiVersion: API_VERSION, kind: "WorkflowTemplate" })),
    ...shared.items.map((item) => ({ ...item, apiVersion: API_VERSION, kind: "ClusterWorkflowTemplate" })),
  ];
}

function nameOf(object: KubeObject | undefined): string {
  return isOurs(object) ? `${object!.kind}/${object!.metadata.name}` : "";
}
