/**
 * Blocks of YAML in pages, read as the program would that they are for: manifests by lint, settings as the controller's
 * ConfigMap, pieces of a workflow in the place where they stand in one.
 */
import { readConfigMap } from "../../controller/config/read_config_map.ts";
import { API_VERSION, CONTROLLER_SETTINGS, formatFieldError, parseKind } from "@tiphys/model/api";
import { fieldsOf } from "@tiphys/base/fields_of";
import { parseRegistries } from "@tiphys/registry/registries";
import { lintFile } from "@tiphys/language/validate";
import { parseYaml } from "@tiphys/model/yaml";
import type { Block, Piece } from "./page.ts";

/** Stores of artifacts: a piece that begins with one is the place of an artifact. */
const STORES = ["artifactory", "azure", "gcs", "git", "hdfs", "http", "oss", "plugin", "raw", "s3"];

/** A piece of a workflow, by its keys, in the specification of one. */
type Place = (piece: unknown) => Record<string, unknown>;

const inTemplate: Place = (piece) => ({ templates: [{ name: "main", ...fieldsOf(piece) }] });
const inStep: Place = (piece) => inTemplate({ steps: [[{ name: "one", template: "other", ...fieldsOf(piece) }]] });
const inArtifact: Place = (piece) =>
  inTemplate({ outputs: { artifacts: [{ name: "one", path: "/tmp/one", ...fieldsOf(piece) }] } });

/** The places of pieces, by the key that they begin with. */
const PLACES: Readonly<Record<string, Place>> = {
  inputs: inTemplate,
  outputs: inTemplate,
  steps: inTemplate,
  when: inStep,
  ...Object.fromEntries(STORES.map((store) => [store, inArtifact])),
};

/** What is wrong with a block, in words, at the line where it begins or where the fault is. */
export function yamlProblems(block: Block): Piece[] {
  const documents = parseYaml(block.text);
  const unreadable = documents.flatMap(({ errors }) => errors);
  if (unreadable.length > 0) {
    return unreadable.map(({ line, message }) => ({
      line: block.line + line - 1,
      text: `the YAML cannot be read: ${message}`,
    }));
  }
  if (documents.length === 0) return [{ line: block.line, text: "the block of YAML is empty" }];
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
  if (Array.isArray(value)) return problemsInPlace({ templates: value });
  const [first = ""] = Object.keys(fields);
  const place = PLACES[first];
  if (place) return problemsInPlace(place(value));
  if (first === "metadata" || first === "spec") return problemsOfKind(fields);
  if (first in CONTROLLER_SETTINGS) {
    return readConfigMap({ metadata: {}, data: textsOf(fields) }).problems.map(({ message }) => message);
  }
  if (first === "mirrors") return refusalOf(() => parseRegistries(text, "registries.yaml"));
  if (first === "containers") return [];
  return [`the piece begins with ${JSON.stringify(first)}, of which scripts/docs/yaml_blocks.ts knows no place`];
}

function textsOf(fields: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, String(value)]));
}

function refusalOf(read: () => unknown): string[] {
  try {
    read();
    return [];
  } catch (error) {
    return [String(error)];
  }
}

function problemsInPlace(spec: Readonly<Record<string, unknown>>): string[] {
  return problemsOfKind({ metadata: { generateName: "piece-" }, spec });
}

/** A piece is part of a workflow: what else that needs is not asked for, but no field may be unknown or of another type. */
function problemsOfKind(fields: Readonly<Record<string, unknown>>): string[] {
  const read = parseKind("Workflow", { apiVersion: API_VERSION, kind: "Workflow", metadata: {}, spec: {}, ...fields });
  return read.ok ? [] : read.errors.map(formatFieldError);
}
