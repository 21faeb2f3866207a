/**
 * The spec that runs where the controller's `templateReferencing` restricts workflows: the template, plus the fields of
 * the workflow that `lib/language/restrictions` allows. A stored spec is used only with a valid seal. Without one
 * (somebody else wrote the status, or the controller lost its key), the template is read again.
 */
import { UserError } from "@tiphys/base/user_error";
import { parseWith, WorkflowSpec } from "@tiphys/model/api";
import { canonicalJson } from "@tiphys/base/canonical_json";
import {
  identityRefusals,
  NO_REFERENCE,
  notPermitted,
  permittedSpec,
  withoutBorrowedCredentials,
} from "@tiphys/language/restrictions";
import {
  effectiveSpec,
  isCurrent,
  labelWithTemplate,
  mergeSpecs,
  referencedSpec,
  SpecError,
} from "./effective_spec.ts";
import type { Slice, StatusDraft } from "../slice.ts";
import { hasValidSeal } from "./seal.ts";

/** Argo's message, which tools match. */
const SPEC_CHANGED =
  "WorkflowSpec may not change during execution when the controller is set `templateReferencing: Secure`";

/** The controller's setting is invalid. The workflow may be valid, but does not run. */
export class SettingError extends UserError {
  override readonly name = "SettingError";
}

/**
 * Returns the spec that runs, and stores it in the status if the workflow refers to a template.
 * @throws {SpecError} if the template does not exist, or the workflow sets fields that it may not set.
 * @throws {SettingError} if `templateReferencing` has an unknown value.
 */
export function specToRun(pass: Slice<StatusDraft>): WorkflowSpec {
  switch (pass.facts.config.templateReferencing) {
    case undefined:
      return effectiveSpec(pass);
    case "Strict":
    case "Secure":
      return restrictedSpec(pass, pass.facts.config.templateReferencing === "Secure");
    default:
      throw new SettingError(
        `no workflow is run: the controller's setting workflowRestrictions.templateReferencing is ` +
          `${JSON.stringify(pass.facts.config.templateReferencing)}, expected Strict or Secure`,
      );
  }
}

function restrictedSpec(pass: Slice<StatusDraft>, mustNotChange: boolean): WorkflowSpec {
  const own = pass.draft.workflow.spec;
  if (!own.workflowTemplateRef) throw new SpecError(NO_REFERENCE);
  const { spec: permitted, refused } = permittedSpec(own, pass.facts.config.allowedOverrides);
  if (refused.length) throw new SpecError(notPermitted(refused));
  const { phase, storedWorkflowTemplateSpec: found } = pass.draft.workflow.status ?? {};
  const stored = hasValidSeal(pass) ? found : undefined;
  // A running workflow ends when its template has changed, even if the seal of its stored spec is no longer valid.
  const startedSpec = stored ?? (phase && phase !== "Pending" ? found : undefined);
  if (startedSpec && mustNotChange && !isSameSpec(pass, startedSpec, currentSpec(pass, permitted))) {
    throw new SpecError(SPEC_CHANGED);
  }
  const base = stored ?? currentSpec(pass, permitted);
  labelWithTemplate(pass);
  if (stored && isCurrent(stored, own)) return stored;
  const spec = { ...base, suspend: own.suspend, shutdown: own.shutdown || base.shutdown };
  const unproven = { storedTemplates: undefined, artifactRepositoryRef: undefined };
  pass.draft.setStatus({ storedWorkflowTemplateSpec: spec, ...(stored ? {} : unproven) });
  return spec;
}

/** Whether two specs are equal apart from `suspend` and `shutdown`. The last comparison is cached. */
function isSameSpec(pass: Slice, a: WorkflowSpec, b: WorkflowSpec): boolean {
  const known = pass.cache(lastComparison);
  if (known.a === a && known.b === b) return known.isSame!;
  const work = ({ suspend: _suspend, shutdown: _shutdown, ...spec }: WorkflowSpec) => canonicalJson(spec);
  return Object.assign(known, { a, b, isSame: work(a) === work(b) }).isSame;
}

const lastComparison = (): { a?: WorkflowSpec; b?: WorkflowSpec; isSame?: boolean } => ({});

/** The spec that was merged last, and its sources: it is reused while these are the same objects. */
const lastMerge = (): { from?: readonly unknown[]; spec?: WorkflowSpec } => ({});

/**
 * The spec that results from the workflow, the controller's defaults and the template as it is now, parsed in the same
 * way as when it is read from the status later.
 */
function currentSpec(pass: Slice, permitted: WorkflowSpec): WorkflowSpec {
  const template = referencedSpec(pass);
  const defaults = pass.facts.config.workflowDefaults?.spec;
  const from = [pass.draft.workflow.spec, template, defaults, pass.facts.config.allowedOverrides];
  const known = pass.cache(lastMerge);
  if (known.spec && known.from?.every((part, index) => part === from[index])) return known.spec;
  const refusedIdentity = identityRefusals(permitted, template, pass.facts.config.allowedOverrides);
  if (refusedIdentity.length) throw new SpecError(notPermitted(refusedIdentity));
  const mergedSpec = withoutBorrowedCredentials(mergeSpecs(permitted, template, defaults), permitted, template);
  known.spec = parsedAsStored(mergedSpec);
  known.from = from;
  return known.spec;
}

function parsedAsStored(spec: WorkflowSpec): WorkflowSpec {
  const parsed = parseWith(WorkflowSpec, spec, "lenient");
  if (parsed.ok) return parsed.value;
  const reason = parsed.errors.slice(0, 1).map(({ path, message }) => `${path}: ${message}`).join();
  throw new SpecError(`the workflow template cannot be read: ${reason}`);
}
