/**
 * Checks YAML blocks in pages with the parser of their program: manifests with lint, settings as the controller's
 * ConfigMap, and fragments of workflows at their position in a workflow.
 */
import { readConfigMap } from "../../controller/config/read_config_map.ts";
import { API_VERSION, CONTROLLER_SETTINGS, formatFieldError, parseKind } from "@tiphys/model/api";
import { STORES } from "@tiphys/model/artifact/stores";
import { fieldsOf } from "@tiphys/base/fields_of";
import { parseRegistries } from "@tiphys/registry/registries";
import { lintFile } from "@tiphys/language/validate";
import { parseYaml } from "@tiphys/model/yaml";
import type { Block, Piece } from "./page.ts";

/** Embeds a fragment in a workflow spec. */
type Embedding = (piece: unknown) => Record<string, unknown>;

const inTemplate: Embedding = (piece) => ({ templates: [{ name: "main", ...fieldsOf(piece) }] });
const inStep: Embedding = (piece) => inTemplate({ steps: [[{ name: "one", template: "other", ...fieldsOf(piece) }]] });
const inArtifact: Embedding = (piece) =>
  inTemplate({ outputs: { artifacts: [{ name: "one", path: "/tmp/one", ...fieldsOf(piece) }] } });

/** The embeddings of fragments by their first key. */
const EMBEDDINGS: Readonly<Record<string, Embedding>> = {
  inputs: inTemplate,
  outputs: inTemplate,
  steps: inTemplate,
  when: inStep,
  // A fragment that starts with a store is the location of an artifact.
  ...Object.fromEntries(Object.keys(STORES).map((store) => [store, inArtifact])),
};

/** Returns the problems of a block, at the line of the problem or the first line of the block. */
export function yamlProblems(block: Block): Piece[] {
  const documents = parseYaml(block.text);
  const unreadable = documents.flatMap(({ errors }) => errors);
  if (unreadable.length > 0) {
    return unreadable.map(({ line, message }) => ({
      line: block.line + line - 1,
      text: `invalid YAML: ${message}`,
    }));
  }
  if (documents.length === 0) return [{ line: block.line, text: "empty YAML block" }];
  return documents.flatMap(({ value, text }) => problemsOf(value, text, block));
}

function problemsOf(value: unknown, text: string, block: Block): Piece[] {
  const { apiVersion, kind, ...others } = fieldsOf(value);
  if (apiVersion === API_VERSION) {
    return lintFile(text, "").map(({ line, path, message }) => ({
      line: block.line + line - 1,
      text: [path, message].filter(Boolean).join(": "),
    }));
  }
  if (kind !== undefined) return [];
  return problemsOfPiece(value, others, text).map((problem) => ({ line: block.line, text: problem }));
}

function problemsOfPiece(value: unknown, fields: Readonly<Record<string, unknown>>, text: string): string[] {
  if (Array.isArray(value)) return problemsOfSpec({ templates: value });
  const [first = ""] = Object.keys(fields);
  const embed = EMBEDDINGS[first];
  if (embed) return problemsOfSpec(embed(value));
  if (first === "metadata" || first === "spec") return problemsOfKind(fields);
  if (first in CONTROLLER_SETTINGS) {
    return readConfigMap({ metadata: {}, data: textsOf(fields) }).problems.map(({ message }) => message);
  }
  if (first === "mirrors") return errorOf(() => parseRegistries(text, "registries.yaml"));
  if (first === "containers") return [];
  return [`the fragment starts with ${JSON.stringify(first)}, which scripts/docs/yaml_blocks.ts does not know`];
}

function textsOf(fields: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, String(value)]));
}

function errorOf(read: () => unknown): string[] {
  try {
    read();
    return [];
  } catch (error) {
    return [String(error)];
  }
}

function problemsOfSpec(spec: Readonly<Record<string, unknown>>): string[] {
  return problemsOfKind({ metadata: { generateName: "piece-" }, spec });
}

/** Checks a fragment for unknown fields and wrong types. Required fields outside of it may be missing. */
function problemsOfKind(fields: Readonly<Record<string, unknown>>): string[] {
  const read = parseKind("Workflow", { apiVersion: API_VERSION, kind: "Workflow", metadata: {}, spec: {}, ...fields });
  return read.ok ? [] : read.errors.map(formatFieldError);
}
