/** A workflow checked before it is created, as lint checks it, beside the templates that are stored. */
import { CLUSTER_WORKFLOW_TEMPLATES, WORKFLOW_TEMPLATES } from "@tiphys/kube";
import type { LintOptions } from "@tiphys/language/validate";
import { problemText } from "@tiphys/language/validate/problem_text";
import { ClusterService, type Lintable, type TemplateReference, templateReferences } from "@tiphys/service";
import { turnOf } from "../gate/caller.ts";
import { right } from "../gate/rights.ts";
import { badRequest } from "../wire/errors.ts";
import type { Call } from "../routes/route.ts";

/** The most templates whose rights are asked for one by one. */
const MOST_SINGLE = 50;

/**
 * Checks an object, a large one in the thread for large texts.
 * @throws {WireError} for the first problems, with their places.
 */
export async function checkObject(
  { served, caller }: Pick<Call, "served" | "caller">,
  namespace: string,
  object: Lintable,
  options: Pick<LintOptions, "isSubmission"> = {},
): Promise<void> {
  const service = new ClusterService(served.client, served.now, {
    lintObject: (linted, options) =>
      served.texts.run("lintErrors", { object: linted, options }, {
        key: turnOf(caller, namespace),
        here: async (input) => (await import("@tiphys/language/text_worker/lint_errors")).lintErrors(input),
      }),
  });
  const problems = await service.lint(namespace, object, options);
  const errors = problems.filter(({ severity }) => severity !== "warning");
  if (errors.length === 0) return;
  throw badRequest(errors.slice(0, 3).map(problemText).join("; "));
}

/**
 * Checks an object that is not to be stored, for a caller who may read the templates that it names: others would learn
 * whether they are there.
 * @throws {WireError} with the code `permissionDenied` for a template that the caller may not read, whether it is there or
 * not; for what is wrong with the object, as {@link checkObject}.
 */
export async function lintObject(
  call: Pick<Call, "served" | "caller" | "gate">,
  namespace: string,
  object: Lintable,
): Promise<void> {
  const references = templateReferences(object);
  const rightTo = ({ kind }: TemplateReference, name?: string) =>
    kind === "WorkflowTemplate"
      ? right("get", WORKFLOW_TEMPLATES, namespace, name)
      : right("get", CLUSTER_WORKFLOW_TEMPLATES, undefined, name);
  // Of many the right to all is asked for, once.
  const rights = references.length > MOST_SINGLE
    ? Map.groupBy(references, ({ kind }) => kind).values().map(([first]) => rightTo(first!)).toArray()
    : references.map((one) => rightTo(one, one.name));
  await call.gate.check(call.caller, rights);
  await checkObject(call, namespace, object);
}
