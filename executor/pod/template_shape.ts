/** The template of a pod, read where it enters: what the executor looks at is checked, the fields of stores pass through. */
import { type Check, listOf, mapOf, number, objectOf, text, yesOrNo } from "../../lib/api/checks.ts";
import { ExecutorError } from "../failure.ts";
import type { PodTemplate } from "./template.ts";

/**
 * The template of a JSON text.
 * @throws {ExecutorError} for a text that is none, with the place.
 */
export function templateOf(json: string): PodTemplate {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    throw new ExecutorError(`The template of the pod is no JSON: ${error instanceof Error ? error.message : error}`);
  }
  const problem = TEMPLATE(value);
  if (problem === undefined) return value as PodTemplate;
  throw new ExecutorError(`The template of the pod cannot be read: ${problem.replace(/^[.:] ?/, "")}`);
}

const ANY: Check = () => undefined;
const PLUGIN = objectOf({ name: text, key: text });
const MOUNTS = listOf(objectOf({ name: text, mountPath: text, readOnly: yesOrNo }, "name", "mountPath"));
const ARTIFACT = objectOf({
  name: text,
  path: text,
  optional: yesOrNo,
  mode: number,
  recurseMode: yesOrNo,
  archive: objectOf({ tar: objectOf({ compressionLevel: number }) }),
  raw: objectOf({ data: text }, "data"),
  plugin: PLUGIN,
}, "name");
const ARTIFACTS = listOf(ARTIFACT);
const RUNNABLE = { source: text, volumeMounts: MOUNTS };

const TEMPLATE = objectOf({
  name: text,
  metadata: objectOf({ annotations: mapOf(text) }),
  inputs: objectOf({ artifacts: ARTIFACTS }),
  outputs: objectOf({
    parameters: listOf(objectOf({
      name: text,
      globalName: text,
      value: text,
      valueFrom: objectOf({ path: text, jsonPath: text, jqFilter: text, default: text }),
    }, "name")),
    artifacts: ARTIFACTS,
  }),
  container: objectOf(RUNNABLE),
  script: objectOf(RUNNABLE),
  resource: objectOf({
    manifest: text,
    manifestFrom: objectOf({ artifact: ARTIFACT }, "artifact"),
    mergeStrategy: text,
    setOwnerReference: yesOrNo,
    successCondition: text,
    failureCondition: text,
    flags: listOf(text),
  }),
  data: objectOf({
    source: objectOf({ artifactPaths: ARTIFACT }),
    transformation: listOf(objectOf({ expression: text }, "expression")),
  }, "source"),
  containerSet: objectOf({
    containers: listOf(objectOf({ ...RUNNABLE, name: text, dependencies: listOf(text) }, "name")),
    retryStrategy: objectOf({ retries: ANY, duration: text }),
    volumeMounts: MOUNTS,
  }, "containers"),
  archiveLocation: objectOf({ archiveLogs: yesOrNo, plugin: PLUGIN }),
});
