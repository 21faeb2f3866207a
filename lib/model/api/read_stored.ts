/**
 * Fast readers of workflows and templates from a cluster, an archive or a server, for clients that read many and change
 * little. They check the fields that are used; other fields are kept unchanged, so that they survive a change. The
 * controller, which uses all of a workflow, parses it with its schema.
 */
import { ANNOTATION } from "@tiphys/base/constants";
import { anyString } from "@tiphys/base/go/any_string";
import type { CronWorkflow } from "./cron_workflow.ts";
import {
  type Check,
  flag,
  listOf,
  mapOf,
  METADATA,
  number,
  objectOf,
  readableMetadata,
  stringMap,
  text,
} from "./checks.ts";
import type { ObjectMeta } from "./metadata.ts";
import { Problem, type ReadResult } from "./problem.ts";
import type { ClusterWorkflowTemplate, Workflow, WorkflowTemplate } from "./workflow.ts";
import { isObject } from "@tiphys/base/fields_of";

/** The reader of a kind. It deletes fields that are `null` from the given object, so the caller must own it. */
export interface StoredReader<T> {
  /** Returns the object, or its error with its place. */
  read(found: unknown): ReadResult<T>;
  /** Returns the object; an invalid one becomes a row with the error and the valid part of its metadata. */
  row(found: unknown): T;
}

const ANY_OBJECT = objectOf({});
const PARAMETERS = listOf(withTexts(
  ["value", "default"],
  objectOf({
    name: text,
    value: text,
    default: text,
    globalName: text,
    valueFrom: withTexts(["default"], objectOf({ default: text, supplied: ANY_OBJECT })),
  }, "name"),
));
const IN_AND_OUT = objectOf({
  parameters: PARAMETERS,
  artifacts: listOf(objectOf({ name: text }, "name")),
  result: text,
  exitCode: text,
});

const TEMPLATE = objectOf({
  name: text,
  inputs: IN_AND_OUT,
  outputs: IN_AND_OUT,
  steps: listOf(listOf(objectOf({ name: text }))),
  dag: objectOf({ tasks: listOf(objectOf({ name: text })) }),
  suspend: objectOf({ duration: text }),
  retryStrategy: ANY_OBJECT,
});

const SPEC = objectOf({
  templates: listOf(TEMPLATE),
  entrypoint: text,
  arguments: IN_AND_OUT,
  workflowTemplateRef: objectOf({ name: text, clusterScope: flag }),
  serviceAccountName: text,
  suspend: flag,
  shutdown: text,
  priority: number,
  parallelism: number,
  activeDeadlineSeconds: number,
  onExit: text,
  hooks: mapOf(objectOf({ template: text })),
  ttlStrategy: mapOf(number),
  volumeClaimTemplates: listOf(objectOf({ metadata: objectOf({ name: text }) })),
  artifactRepositoryRef: objectOf({ configMap: text, key: text }),
  synchronization: ANY_OBJECT,
  retryStrategy: ANY_OBJECT,
});

const NODE = objectOf(
  {
    id: text,
    name: text,
    displayName: text,
    type: text,
    templateName: text,
    templateScope: text,
    templateRef: objectOf({ name: text, template: text, clusterScope: flag }),
    phase: text,
    boundaryID: text,
    message: text,
    startedAt: text,
    finishedAt: text,
    estimatedDuration: number,
    progress: text,
    resourcesDuration: mapOf(number),
    podIP: text,
    daemoned: flag,
    nodeFlag: objectOf({ hooked: flag, retried: flag }),
    inputs: IN_AND_OUT,
    outputs: IN_AND_OUT,
    children: listOf(text),
    outboundNodes: listOf(text),
    hostNodeName: text,
    memoizationStatus: objectOf({ hit: flag, key: text, cacheName: text }),
    synchronizationStatus: objectOf({ waiting: text }),
  },
  "id",
  "name",
);

const CONDITIONS = listOf(objectOf({ type: text, status: text, message: text }));

const WORKFLOW = objectOf({
  metadata: objectOf(METADATA),
  spec: SPEC,
  status: objectOf({
    phase: text,
    startedAt: text,
    finishedAt: text,
    estimatedDuration: number,
    progress: text,
    message: text,
    compressedNodes: text,
    offloadNodeStatusVersion: text,
    nodes: mapOf(NODE),
    storedTemplates: mapOf(TEMPLATE),
    storedWorkflowTemplateSpec: SPEC,
    outputs: IN_AND_OUT,
    conditions: CONDITIONS,
    resourcesDuration: mapOf(number),
    persistentVolumeClaims: listOf(objectOf({ name: text })),
    synchronization: ANY_OBJECT,
    artifactRepositoryRef: ANY_OBJECT,
  }),
}, "metadata");

const WORKFLOW_TEMPLATE = objectOf({ metadata: objectOf(METADATA), spec: SPEC }, "metadata");

const CRON_WORKFLOW = objectOf({
  metadata: objectOf(METADATA),
  spec: objectOf({
    workflowSpec: SPEC,
    workflowMetadata: objectOf({ labels: stringMap, annotations: stringMap, finalizers: listOf(text) }),
    schedules: listOf(text),
    timezone: text,
    concurrencyPolicy: text,
    suspend: flag,
    startingDeadlineSeconds: number,
    when: text,
  }, "workflowSpec"),
  status: objectOf({
    active: listOf(objectOf({ name: text, namespace: text, uid: text })),
    lastScheduledTime: text,
    conditions: CONDITIONS,
    succeeded: number,
    failed: number,
    phase: text,
  }),
}, "spec");

/** Reads a Workflow. The row of an invalid one has the phase `Error` and a message. */
export const storedWorkflow: StoredReader<Workflow> = readerOf("Workflow", WORKFLOW, (metadata, message) => ({
  metadata,
  spec: {},
  status: { phase: "Error", message },
}));

/** Reads a WorkflowTemplate. The row of an invalid one has the error in its description, which the page shows. */
export const storedWorkflowTemplate: StoredReader<WorkflowTemplate> = readerOf(
  "WorkflowTemplate",
  WORKFLOW_TEMPLATE,
  describedRow,
);

/**
 * Reads a ClusterWorkflowTemplate. The row of an invalid one has the error in its description, which the page shows.
 */
export const storedClusterWorkflowTemplate: StoredReader<ClusterWorkflowTemplate> = readerOf(
  "ClusterWorkflowTemplate",
  WORKFLOW_TEMPLATE,
  describedRow,
);

/** Reads a CronWorkflow. The row of an invalid one has the condition `SpecError`. */
export const storedCronWorkflow: StoredReader<CronWorkflow> = readerOf(
  "CronWorkflow",
  CRON_WORKFLOW,
  (metadata, message) => ({
    metadata,
    spec: { workflowSpec: {}, schedules: [] },
    status: { conditions: [{ type: "SpecError", status: "True", message }] },
  }),
);

/** Converts numbers and booleans in these fields to strings before the check. */
function withTexts(names: readonly string[], check: Check): Check {
  return (value) => {
    if (isObject(value)) {
      for (const name of names) {
        if (typeof value[name] === "number" || typeof value[name] === "boolean") value[name] = anyString(value[name]);
      }
    }
    return check(value);
  };
}

function readerOf<T>(
  kind: string,
  check: Check,
  rowOf: (metadata: ObjectMeta, message: string) => T,
): StoredReader<T> {
  const messageOf = ({ name = "" }: ObjectMeta, problem: string) =>
    `the ${kind} ${name} cannot be read: ${problem.replace(/^[.:] ?/, "")}`;
  // A specification without any field is valid.
  const problemOf = (found: unknown) => {
    if (isObject(found)) found.spec ??= {};
    return check(found);
  };
  return {
    read(found) {
      const problem = problemOf(found);
      return problem === undefined ? found as T : new Problem(messageOf(readableMetadata(found), problem));
    },
    row(found) {
      const problem = problemOf(found);
      if (problem === undefined) return found as T;
      const metadata = readableMetadata(found);
      return rowOf(metadata, messageOf(metadata, problem));
    },
  };
}

function describedRow(metadata: ObjectMeta, message: string) {
  const annotations = { ...metadata.annotations, [ANNOTATION.description]: message };
  return { metadata: { ...metadata, annotations }, spec: {} };
}
