/** CLI commands that are equivalent to a form of the page. */
import type { SubmitRequest } from "../api/source.ts";

const KINDS: Readonly<Record<SubmitRequest["kind"], string>> = {
  WorkflowTemplate: "workflowtemplate",
  ClusterWorkflowTemplate: "clusterworkflowtemplate",
  CronWorkflow: "cronwf",
};

/**
 * Returns the command that submits a run from an object of the cluster. Files are left out: the CLI has no flag for
 * them.
 */
export function submitLine(
  namespace: string,
  { kind, name, entrypoint, parameters }: Pick<SubmitRequest, "kind" | "name" | "entrypoint" | "parameters">,
): string {
  const words = ["tiphys", "submit", "--from", `${KINDS[kind]}/${name}`, "--namespace", namespace];
  // A value may start with a hyphen, so the flag and its value are one word.
  if (entrypoint) words.push(`--entrypoint=${entrypoint}`);
  words.push(...parameters.map((parameter) => `--parameter=${parameter}`));
  return words.map(quoteWord).join(" ");
}

/** Quotes a word for the shell if necessary. */
function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
