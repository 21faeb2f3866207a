import { assertEquals } from "@std/assert";
import type { WorkflowSpec } from "@tiphys/model/api";
import {
  areAllUploaded,
  artifactFieldsOf,
  entrypointsOf,
  fieldsOf,
  missingFields,
  missingFiles,
  parametersToSend,
  queryWithValues,
  type UploadState,
  valuesInQuery,
} from "./submit_form.ts";

const SPEC = {
  entrypoint: "main",
  arguments: { parameters: [{ name: "region", value: "eu", enum: ["eu", "us"], description: "Where" }] },
  templates: [
    {
      name: "main",
      inputs: { parameters: [{ name: "region" }, { name: "day" }, { name: "tag", default: "{{workflow.name}}" }] },
    },
    { name: "clean" },
  ],
} as WorkflowSpec;

Deno.test("fieldsOf: has the arguments of the workflow, and further inputs of the entrypoint", () => {
  assertEquals(entrypointsOf(SPEC), ["main", "clean"]);
  const fields = fieldsOf(SPEC, "main");
  assertEquals(fields.map(({ name, usual }) => [name, usual]), [["region", "eu"], ["day", undefined], [
    "tag",
    undefined,
  ]]);
  assertEquals([fields[0]?.choices, fields[0]?.description], [["eu", "us"], "Where"]);
  assertEquals(fieldsOf(SPEC, "clean").map(({ name }) => name), ["region"]);
});

Deno.test("fieldsOf: empty for a template without arguments", () => {
  assertEquals(fieldsOf({ templates: [{ name: "main" }] } as WorkflowSpec, "main"), []);
});

Deno.test("parametersToSend: sends what differs from the template; missingFields: lists fields without a value", () => {
  const fields = fieldsOf(SPEC, "main");
  const values = new Map([["region", "eu"], ["day", "2026-01-01"]]);
  assertEquals(parametersToSend(fields, values), ["day=2026-01-01"]);
  assertEquals(missingFields(fields, values), ["tag"]);
});

Deno.test("queryWithValues: values round-trip through the address", () => {
  const values = new Map([["day", "a=b&c"], ["x y", ""]]);
  assertEquals(valuesInQuery(queryWithValues([["sidePanel", "submit"], ["parameters[old]", "1"]], values)), values);
});

Deno.test("missingFiles: a file is required for an artifact without a location", () => {
  const artifacts = [{ name: "data" }, { name: "notes", optional: true }, { name: "model", s3: { key: "model.bin" } }];
  assertEquals(artifactFieldsOf({ arguments: { artifacts } }), [
    { name: "data", isOptional: false },
    { name: "notes", isOptional: true },
    { name: "model", isOptional: true },
  ]);
});

Deno.test("missingFiles: a file that was refused or is being uploaded does not count", () => {
  const artifacts = ["a", "b", "c", "d"].map((name) => ({ name, isOptional: name === "d" }));
  const uploads = new Map<string, UploadState>([
    ["a", { kind: "refused", file: "a.csv", words: "too large" }],
    ["b", { kind: "sending", file: "b.csv" }],
    ["c", { kind: "there", file: "c.csv", key: "k" }],
  ]);
  assertEquals(missingFiles(artifacts, uploads), ["a", "b"]);
});

Deno.test("areAllUploaded: false while a file, even an optional one, is rejected", () => {
  const there: UploadState = { kind: "there", file: "a.csv", key: "k" };
  assertEquals(areAllUploaded(new Map()), true);
  assertEquals(areAllUploaded(new Map([["a", there]])), true);
  const refused: UploadState = { kind: "refused", file: "b.csv", words: "too large" };
  assertEquals(areAllUploaded(new Map<string, UploadState>([["a", there], ["b", refused]])), false);
});
