/** Parses a submission: the kind and name of its source, and the options that change the workflow. */
import { formatFieldError, OwnerReference, parseWith } from "@tiphys/model/api";
import { type Resource, WORKFLOWS } from "@tiphys/kube";
import type { SourceKind, SubmitOptions } from "@tiphys/engine/workflow_actions";
import { type Right, right } from "../gate/rights.ts";
import type { JsonObject } from "../wire/body.ts";
import { badRequest } from "../wire/errors.ts";
import { boolField, intField, objectField, textField, textsField } from "./body_fields.ts";

/** Names of each kind. They are case-sensitive, unlike on the command line. */
const KINDS: Readonly<Record<string, SourceKind>> = {
  WorkflowTemplate: "WorkflowTemplate",
  workflowtemplate: "WorkflowTemplate",
  workflowtemplates: "WorkflowTemplate",
  wftmpl: "WorkflowTemplate",
  ClusterWorkflowTemplate: "ClusterWorkflowTemplate",
  clusterworkflowtemplate: "ClusterWorkflowTemplate",
  clusterworkflowtemplates: "ClusterWorkflowTemplate",
  cwftmpl: "ClusterWorkflowTemplate",
  cwft: "ClusterWorkflowTemplate",
  CronWorkflow: "CronWorkflow",
  cronworkflow: "CronWorkflow",
  cronworkflows: "CronWorkflow",
  cronwf: "CronWorkflow",
  cwf: "CronWorkflow",
};

/** @throws {WireError} if workflows cannot be submitted from the kind. */
export function sourceKind(body: JsonObject): SourceKind {
  const word = textField(body, "resourceKind") ?? "";
  if (!Object.hasOwn(KINDS, word)) throw badRequest(`Resource kind '${word}' is not supported for submitting`);
  return KINDS[word]!;
}

/** The rights to submit a workflow from an object. */
export function rightsToSubmit(from: Resource, namespace: string | undefined, name: string | undefined): Right[] {
  return [right("create", WORKFLOWS, namespace), right("get", from, namespace, name)];
}

/** A parsed submission. */
export interface Submission {
  readonly options: SubmitOptions;
  readonly artifacts: readonly string[];
  readonly dryRun: boolean;
  readonly serverDryRun: boolean;
}

/** @throws {WireError} or {@link ActionError} if an option is invalid. */
export function readSubmission(body: JsonObject): Submission {
  const given = objectField(body, "submitOptions");
  return {
    options: {
      name: textField(given, "name"),
      generateName: textField(given, "generateName"),
      entrypoint: textField(given, "entryPoint"),
      serviceAccount: textField(given, "serviceAccount"),
      priority: intField(given, "priority"),
      podPriorityClassName: textField(given, "podPriorityClassName"),
      ownerReference: readOwner(given.ownerReference),
      labels: readPairs(textField(given, "labels"), "labels"),
      annotations: readPairs(textField(given, "annotations"), "annotations"),
      parameters: readParameters(textsField(given, "parameters")),
    },
    artifacts: textsField(given, "artifacts"),
    dryRun: boolField(given, "dryRun"),
    serverDryRun: boolField(given, "serverDryRun"),
  };
}

/** Parses the owner reference to add. @throws {WireError} with the location if it is invalid. */
function readOwner(value: unknown): OwnerReference | undefined {
  if (value === undefined || value === null) return undefined;
  const parsed = parseWith(OwnerReference, value, "lenient");
  if (parsed.ok) return parsed.value;
  throw badRequest(parsed.errors.map((error) => `submitOptions.ownerReference.${formatFieldError(error)}`).join("; "));
}

/** Parses `name=value` texts. The first `=` separates them, and the value is not trimmed. */
export function readParameters(texts: readonly string[]): ReadonlyMap<string, string> {
  return new Map(texts.map((text) => {
    const index = text.indexOf("=");
    if (index < 1) throw badRequest(`expected parameter of the form: NAME=VALUE. Received: ${text}`);
    return [text.slice(0, index), text.slice(index + 1)];
  }));
}

function readPairs(text: string | undefined, field: string): Record<string, string> | undefined {
  if (!text) return undefined;
  return Object.fromEntries(
    text.split(",").map((pair) => {
      const index = pair.indexOf("=");
      if (index < 1) throw badRequest(`${field}: expected NAME=VALUE, got ${JSON.stringify(pair)}`);
      return [pair.slice(0, index).trim(), pair.slice(index + 1)];
    }),
  );
}
