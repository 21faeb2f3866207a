/**
 * The seal of a workflow's stored specification: proof that the controller itself wrote `storedWorkflowTemplateSpec`,
 * `storedTemplates` and `artifactRepositoryRef`. Whoever may edit a workflow may edit its status, so where
 * `templateReferencing` restricts workflows these count only with the seal, which takes the controller's key to make.
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

type Stored = Pick<
  NonNullable<Workflow["status"]>,
  "storedWorkflowTemplateSpec" | "storedTemplates" | "artifactRepositoryRef"
>;

/** The stored fields that were last found to be sealed, or were sealed last: no seal is computed for them again. */
const sealed = (): { stored?: Stored } => ({});

/** Whether the controller wrote what is stored. */
export function isSealed(pass: Slice<StatusDraft>): boolean {
  const status = pass.draft.workflow.status;
  if (!status?.storedWorkflowTemplateSpec) return false;
  const known = pass.cache(sealed);
  if (known.stored && isSame(known.stored, status)) return true;
  const seal = pass.draft.workflow.metadata.annotations?.[ANNOTATION.storedSpecSeal];
  const expected = sealOf(pass, status);
  if (expected === undefined || !isEqual(seal, expected)) return false;
  known.stored = status;
  return true;
}

/** Seals what is stored now, if that is new. */
export function seal(pass: Slice<StatusDraft>): void {
  const status = pass.draft.workflow.status;
  if (!status?.storedWorkflowTemplateSpec) return;
  const known = pass.cache(sealed);
  if (known.stored && isSame(known.stored, status)) return;
  known.stored = status;
  const text = sealOf(pass, status);
  if (text !== undefined) pass.draft.setAnnotations({ [ANNOTATION.storedSpecSeal]: text });
}

function isSame(a: Stored, b: Stored): boolean {
  return a.storedWorkflowTemplateSpec === b.storedWorkflowTemplateSpec && a.storedTemplates === b.storedTemplates &&
    a.artifactRepositoryRef === b.artifactRepositoryRef;
}

/** The seal; undefined without a key. It leaves out the two fields by which people end and suspend a workflow. */
function sealOf(
  { facts: { config }, draft: { workflow } }: Slice,
  { storedWorkflowTemplateSpec, storedTemplates, artifactRepositoryRef }: Stored,
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
 * The value as it is after the API server has stored it and a reader has parsed it: templates that a pass stores come
 * from objects that nobody parsed.
 */
function asRead<Type>(schema: z.ZodType<Type>, value: Type | undefined): Type | undefined {
  const parsed = parseWith(schema, value ?? {}, "lenient");
  return parsed.ok ? parsed.value : value;
}

const encoder = new TextEncoder();
const BASE64 = { alphabet: "base64url", omitPadding: true } as const;

/** Compares two texts, in the same time for any two of one length. */
function isEqual(a: string | undefined, b: string): boolean {
  if (a?.length !== b.length) return false;
  let difference = 0;
  for (let index = 0; index < b.length; index++) difference |= a.charCodeAt(index) ^ b.charCodeAt(index);
  return difference === 0;
}
