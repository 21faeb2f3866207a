/**
 * The seal of a workflow's stored specification: proof that the controller itself wrote `storedWorkflowTemplateSpec`,
 * `storedTemplates` and `artifactRepositoryRef`. Users who may edit a workflow may edit its status. So where
 * `templateReferencing` restricts workflows, these fields are used only with a valid seal, which requires the
 * controller's key.
 */
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import type { z } from "zod";
import {
  ArtifactRepositoryRefStatus,
  mapOf,
  parseWith,
  Template,
  type Workflow,
  WorkflowSpec,
} from "@tiphys/model/api";
import { canonicalJson } from "@tiphys/base/canonical_json";
import { ANNOTATION } from "@tiphys/base/constants";
import type { Slice, StatusDraft } from "../slice.ts";

type StoredFields = Pick<
  NonNullable<Workflow["status"]>,
  "storedWorkflowTemplateSpec" | "storedTemplates" | "artifactRepositoryRef"
>;

/** The stored fields that were verified or sealed last: their seal is not computed again. */
const lastSealed = (): { stored?: StoredFields } => ({});

/** Whether the stored fields have a valid seal, so that the controller wrote them. */
export function hasValidSeal(pass: Slice<StatusDraft>): boolean {
  const status = pass.draft.workflow.status;
  if (!status?.storedWorkflowTemplateSpec) return false;
  const known = pass.cache(lastSealed);
  if (known.stored && isSame(known.stored, status)) return true;
  const seal = pass.draft.workflow.metadata.annotations?.[ANNOTATION.storedSpecSeal];
  const expected = sealOf(pass, status);
  if (expected === undefined || !isEqual(seal, expected)) return false;
  known.stored = status;
  return true;
}

/** Seals the stored fields if they have changed. */
export function sealStoredFields(pass: Slice<StatusDraft>): void {
  const status = pass.draft.workflow.status;
  if (!status?.storedWorkflowTemplateSpec) return;
  const known = pass.cache(lastSealed);
  if (known.stored && isSame(known.stored, status)) return;
  known.stored = status;
  const text = sealOf(pass, status);
  if (text !== undefined) pass.draft.setAnnotations({ [ANNOTATION.storedSpecSeal]: text });
}

function isSame(a: StoredFields, b: StoredFields): boolean {
  return a.storedWorkflowTemplateSpec === b.storedWorkflowTemplateSpec && a.storedTemplates === b.storedTemplates &&
    a.artifactRepositoryRef === b.artifactRepositoryRef;
}

/**
 * The seal; undefined without a key. It does not cover `suspend` and `shutdown`, which users change while a workflow
 * runs.
 */
function sealOf(
  { facts: { config }, draft: { workflow } }: Slice,
  { storedWorkflowTemplateSpec, storedTemplates, artifactRepositoryRef }: StoredFields,
): string | undefined {
  if (!config.sealKey) return undefined;
  const { suspend: _suspend, shutdown: _shutdown, ...spec } = storedWorkflowTemplateSpec!;
  const content = canonicalJson([
    workflow.metadata.uid,
    asRead(WorkflowSpec, spec),
    asRead(Templates, storedTemplates),
    ...(artifactRepositoryRef ? [asRead(ArtifactRepositoryRefStatus, artifactRepositoryRef)] : []),
  ]);
  return hmac(sha256, config.sealKey, encoder.encode(content)).toBase64(BASE64);
}

const Templates = mapOf(Template);

/**
 * Returns the value as it is read back from the API server: templates that a pass stores may come from objects that
 * were not parsed.
 */
function asRead<Type>(schema: z.ZodType<Type>, value: Type | undefined): Type | undefined {
  const parsed = parseWith(schema, value ?? {}, "lenient");
  return parsed.ok ? parsed.value : value;
}

const encoder = new TextEncoder();
const BASE64 = { alphabet: "base64url", omitPadding: true } as const;

/** Compares two strings of the same length in constant time. */
function isEqual(a: string | undefined, b: string): boolean {
  if (a?.length !== b.length) return false;
  let difference = 0;
  for (let index = 0; index < b.length; index++) difference |= a.charCodeAt(index) ^ b.charCodeAt(index);
  return difference === 0;
}
