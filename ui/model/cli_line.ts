/** The command that does on a command line what a form does here. */
import type { SubmitRequest } from "../api/source.ts";

const KINDS: Readonly<Record<SubmitRequest["kind"], string>> = {
  WorkflowTemplate: "workflowtemplate",
  ClusterWorkflowTemplate: "clusterworkflowtemplate",
  CronWorkflow: "cronwf",
};

/** The command that submits a run from an object of the cluster. Files are no part of it: the command line has no flag for them. */
export function submitLine(
  namespace: string,
  { kind, name, entrypoint, parameters }: Pick<SubmitRequest, "kind" | "name" | "entrypoint" | "parameters">,
): string {
  const words = ["tiphys", "submit", "--from", `${KINDS[kind]}/${name}`, "--namespace", namespace];
  // A value may begin with a hyphen: it stays one word with its flag.
  if (entrypoint) words.push(`--entrypoint=${entrypoint}`);
  words.push(...parameters.map((parameter) => `--parameter=${parameter}`));
  return words.map(quoted).join(" ");
}

/** A word as shells read it as one. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
