/** Checks workflows that are created from a template or schedule of a cluster. */
import { API_VERSION } from "@tiphys/base/constants";
import type { SubmitOptions } from "@tiphys/engine/workflow_actions";
import { problemText } from "@tiphys/language/validate/problem_text";
import type { WorkflowSource } from "@tiphys/service";
import { referredTemplates } from "@tiphys/service/stored";
import { badInput } from "../command_error.ts";
import type { Connection, World } from "../world.ts";
import { warnOfUnknownParameters } from "./submitted_documents.ts";

/**
 * Checks the workflow that would be created from a template or schedule, like a workflow of a file, and warns of
 * parameters that it does not use.
 * @throws {CommandError} with one line for each problem.
 */
export async function checkSource(
  source: WorkflowSource,
  options: SubmitOptions,
  { service, namespace }: Pick<Connection, "service" | "namespace">,
  world: World,
): Promise<void> {
  const made = await service.submit(namespace, source, options, { dryRun: "client" });
  const stored = await referredTemplates(service, namespace, [made]);
  const { lintObjects } = await import("@tiphys/service/lint_objects");
  const workflow = { ...made, apiVersion: API_VERSION, kind: "Workflow" };
  const problems = lintObjects([workflow], stored, { skipExpressions: true });
  if (problems.length > 0) {
    throw badInput(problems.map(problemText).join("\n"));
  }
  const { workflowTemplateRef } = made.spec;
  const written = workflowTemplateRef
    ? { spec: { workflowTemplateRef } }
    : { spec: (await service.cronWorkflows.get(namespace, source.name)).spec.workflowSpec };
  warnOfUnknownParameters(written, stored, options, world);
}
