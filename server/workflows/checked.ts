/** Checks a workflow before it is created, with the same rules as lint, against the templates in the cluster. */
import { CLUSTER_WORKFLOW_TEMPLATES, WORKFLOW_TEMPLATES } from "@tiphys/kube";
import type { LintOptions } from "@tiphys/language/validate";
import { problemText } from "@tiphys/language/validate/problem_text";
import { ClusterService, type Lintable } from "@tiphys/service";
import { type TemplateReference, templateReferences } from "@tiphys/service/stored";
import { queueKeyOf } from "../gate/caller.ts";
import { right } from "../gate/rights.ts";
import { badRequest } from "../wire/errors.ts";
import type { Call } from "../routes/route.ts";

/** Up to this many templates, a right to each one is checked; beyond it, one right to all of a kind. */
const MAX_SINGLE_CHECKS = 50;

/**
 * Lints an object; a large one in the worker thread for large texts.
 * @throws {WireError} with the first three errors and their locations.
 */
export async function checkObject(
  { served, caller }: Pick<Call, "served" | "caller">,
  namespace: string,
  object: Lintable,
  options: Pick<LintOptions, "allowUnknownFields" | "isSubmission"> = {},
): Promise<void> {
  const service = new ClusterService(served.client, served.now, {
    lintObject: (linted, options) =>
      served.texts.run("lintErrors", { object: linted, options }, {
        key: queueKeyOf(caller),
        runHere: async (input) => (await import("@tiphys/language/text_worker/lint_errors")).lintErrors(input),
      }),
  });
  const problems = await service.lint(namespace, object, options);
  const errors = problems.filter(({ severity }) => severity !== "warning");
  if (errors.length === 0) return;
  throw badRequest(errors.slice(0, 3).map(problemText).join("; "));
}

/**
 * Lints an object that will not be stored. The caller needs the right to read each template that the object refers to:
 * otherwise the result would reveal whether the template exists.
 * @throws {WireError} with the code `permissionDenied` if the caller may not read a template, whether or not it exists;
 * for problems of the object, like {@link checkObject}.
 */
export async function lintObject(
  call: Pick<Call, "served" | "caller" | "gate">,
  namespace: string,
  object: Lintable,
): Promise<void> {
  const references = await templateReferences(object);
  const rightTo = ({ kind }: TemplateReference, name?: string) =>
    kind === "WorkflowTemplate"
      ? right("get", WORKFLOW_TEMPLATES, namespace, name)
      : right("get", CLUSTER_WORKFLOW_TEMPLATES, undefined, name);
  // For many references, one right to all templates of each kind is checked.
  const rights = references.length > MAX_SINGLE_CHECKS
    ? [...Map.groupBy(references, ({ kind }) => kind).values()].map(([first]) => rightTo(first!))
    : references.map((reference) => rightTo(reference, reference.name));
  await call.gate.check(call.caller, rights);
  await checkObject(call, namespace, object);
}
