/**
 * The features of the engine: every field of a workflow that the engine implements, and every value of its
 * enumerations. They are read from the schemas, so a new field is a feature at once: it has a scenario, or is listed in
 * `ELSEWHERE` with the place that tests it.
 */
import {
  Artifact,
  ContinueOn,
  DAGTask,
  DAGTemplate,
  LifecycleHook,
  Parameter,
  RetryStrategy,
  Sequence,
  SuspendTemplate,
  Template,
  TemplateRef,
  ValueFrom,
  WorkflowSpec,
  WorkflowStep,
} from "@tiphys/model/api";
import { Backoff, RetryAffinity } from "../../lib/model/api/retry.ts";
import {
  PodGC,
  TTLStrategy,
  VolumeClaimGC,
  WorkflowMetadata,
  WorkflowTemplateRef,
} from "../../lib/model/api/workflow.ts";
import { structureOf } from "@tiphys/model/api/structure";

type Schema = Parameters<typeof structureOf>[0];

const SCHEMAS: Readonly<Record<string, Schema>> = {
  WorkflowSpec,
  Template,
  WorkflowStep,
  DAGTask,
  DAGTemplate,
  RetryStrategy,
  Backoff,
  RetryAffinity,
  LifecycleHook,
  ContinueOn,
  Sequence,
  TemplateRef,
  WorkflowTemplateRef,
  WorkflowMetadata,
  TTLStrategy,
  PodGC,
  VolumeClaimGC,
  SuspendTemplate,
  Parameter,
  ValueFrom,
  Artifact,
};

const SPECIFIED_BY = {
  pods: "how a pod looks: tests in lib/engine/pod",
  artifacts: "what the executor does with files: tests in executor and lib/artifacts",
  values: "how a value is read from what a container left: tests in executor",
  texts: "read by people only",
  line: "which of waiting workflows begins first: controller/loop/throttle_test.ts",
} as const;

/** Fields that the engine does not implement, by the place that tests them. */
const ELSEWHERE: Readonly<Record<keyof typeof SPECIFIED_BY, readonly string[]>> = {
  pods: [
    ...[
      "affinity",
      "automountServiceAccountToken",
      "executor",
      "hostAliases",
      "nodeSelector",
      "podResources",
      "resourceClaims",
      "schedulerName",
      "securityContext",
      "serviceAccountName",
      "tolerations",
    ].flatMap((field) => [`WorkflowSpec.${field}`, `Template.${field}`]),
    ...[
      "archiveLogs",
      "dnsConfig",
      "dnsPolicy",
      "hostNetwork",
      "imagePullSecrets",
      "podMetadata",
      "podPriorityClassName",
    ]
      .map((field) => `WorkflowSpec.${field}`),
    ...["annotations", "initContainers", "metadata", "podSpecPatch", "priorityClassName", "sidecars", "volumes"]
      .map((field) => `Template.${field}`),
  ],
  artifacts: [
    "Template.archiveLocation",
    ...[
      "archive",
      "archiveLogs",
      "artifactory",
      "azure",
      "deleted",
      "gcs",
      "git",
      "hdfs",
      "http",
      "mode",
      "oss",
      "plugin",
      "recurseMode",
      "s3",
      "digest",
      "objects",
      "size",
    ].map((field) => `Artifact.${field}`),
  ],
  values: ["ValueFrom.event", "ValueFrom.jqFilter", "ValueFrom.jsonPath"],
  texts: ["Parameter.description"],
  line: ["WorkflowSpec.priority"],
};

/** The value of an enumeration that equals an absent field, so that it is not a feature. */
const EMPTY_WORD = "";

/** Every feature: `Schema.field`, and `Schema.field=value` for each value of an enumeration. */
export function features(): string[] {
  const elsewhere = new Set(fieldsElsewhere());
  return Object.entries(schemasByField()).filter(([field]) => !elsewhere.has(field)).flatMap(([field, schema]) => {
    const of = structureOf(schema);
    return of.kind === "enum"
      ? of.values.filter((word) => word !== EMPTY_WORD).map((word) => `${field}=${word}`)
      : field;
  });
}

/** Fields that are tested elsewhere. */
export function fieldsElsewhere(): string[] {
  return Object.values(ELSEWHERE).flat();
}

/** Every field of every schema here. */
export function allFields(): string[] {
  return Object.keys(schemasByField());
}

function schemasByField(): Record<string, Schema> {
  return Object.fromEntries(
    Object.entries(SCHEMAS).flatMap(([name, schema]) =>
      Object.entries(fieldsOf(schema)).map(([field, of]) => [`${name}.${field}`, of])
    ),
  );
}

/** The features that a spec uses. */
export function featuresOf(spec: unknown): string[] {
  const found: string[] = [];
  const walk = (schema: Schema, value: unknown, path: string) => {
    if (value === null || value === undefined) return;
    const structure = structureOf(schema);
    if (structure.kind === "enum") found.push(`${path}=${value}`);
    if (structure.kind === "list" && Array.isArray(value)) value.forEach((item) => walk(structure.element, item, ""));
    if (structure.kind === "map") Object.values(value).forEach((item) => walk(structure.value, item, ""));
    if (structure.kind !== "object") return;
    const name = Object.entries(SCHEMAS).find(([, schema]) => fieldsOf(schema) === structure.shape)?.[0];
    for (const [key, field] of Object.entries(value)) {
      const inner = Object.hasOwn(structure.shape, key) ? structure.shape[key] : undefined;
      if (inner === undefined) continue;
      if (name !== undefined) found.push(`${name}.${key}`);
      walk(inner, field, `${name}.${key}`);
    }
  };
  walk(WorkflowSpec, spec, "");
  return found;
}

function fieldsOf(schema: Schema): Readonly<Record<string, Schema>> {
  const structure = structureOf(schema);
  if (structure.kind !== "object") throw new TypeError("Expected the schema of an object");
  return structure.shape;
}
