/** The manifest of a resource template, inline or from an artifact. */
import type { KubeObject } from "@tiphys/kube/object";
import { API_VERSION, ENV, PATH } from "@tiphys/base/constants";
import { parseYaml } from "@tiphys/model/yaml/parse";
import { ExecutorError } from "../failure.ts";
import { PLAIN_FILES } from "../pod/shared_files.ts";
import type { PodTemplate } from "../pod/template.ts";
import { at, type World } from "../world.ts";
import { isObject } from "@tiphys/base/fields_of";

/** The maximum size of a manifest, in bytes: more than an API server accepts. */
const MAX_MANIFEST_BYTES = 4 << 20;

/** A parsed manifest. */
export interface Manifest {
  /** The file name for messages. */
  readonly source: string;
  /** Its documents: objects, or the operations of a JSON patch. */
  readonly documents: readonly unknown[];
}

/**
 * Reads the manifest of a template. It may be empty. With `setOwnerReference`, the workflow becomes an owner of each
 * object.
 * @throws {ExecutorError} when it cannot be read, or is not valid YAML.
 */
export function readManifest(world: World, template: PodTemplate): Manifest {
  const { manifest = "", manifestFrom, setOwnerReference } = template.resource!;
  const { source, text } = manifestFrom
    ? readArtifact(world, template, manifestFrom.artifact.name)
    : { source: PATH.resourceManifest, text: manifest };
  const documents = parseYaml(text, { allowsRepeatedKeys: true }).flatMap(({ value, errors }) => {
    for (const { message } of errors) throw new ExecutorError(`error parsing ${source}: ${message}`);
    return isList(value) ? value.items : [value];
  });
  return { source, documents: setOwnerReference ? documents.map((document) => addOwner(world, document)) : documents };
}

function readArtifact(world: World, template: PodTemplate, name: string) {
  const path = template.inputs?.artifacts?.find((artifact) => artifact.name === name)?.path;
  const file = `${PATH.inputArtifacts}/${name}`;
  // In the folder of inputs, if main mounts it; otherwise the artifact is mounted at its path.
  const text = PLAIN_FILES.read(at(world, file), MAX_MANIFEST_BYTES) ??
    (path === undefined ? undefined : PLAIN_FILES.read(at(world, path), MAX_MANIFEST_BYTES));
  if (text === undefined) throw new ExecutorError(`open ${path ?? file}: no such file or directory`);
  return { source: path ?? file, text };
}

function isList(value: unknown): value is { items: unknown[] } {
  return isObject(value) && typeof value.kind === "string" && value.kind.endsWith("List") && Array.isArray(value.items);
}

function addOwner(world: World, document: unknown): unknown {
  if (!isObject(document)) return document;
  const { metadata = {} } = document as Partial<KubeObject>;
  const owner = {
    apiVersion: API_VERSION,
    kind: "Workflow",
    name: world.env(ENV.workflowName),
    uid: world.env(ENV.workflowUid),
    controller: true,
    blockOwnerDeletion: true,
  };
  return { ...document, metadata: { ...metadata, ownerReferences: [...metadata.ownerReferences ?? [], owner] } };
}
