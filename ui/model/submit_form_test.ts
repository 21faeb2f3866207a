/** The form by which a run is submitted. */
import { assertEquals } from "@std/assert";
import type { WorkflowSpec } from "@tiphys/model/api";
import {
  areAllThere,
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

Deno.test("the form asks for the run's arguments and for inputs of the entrypoint that they leave out", () => {
  assertEquals(entrypointsOf(SPEC), ["main", "clean"]);
  const fields = fieldsOf(SPEC, "main");
  assertEquals(fields.map(({ name, usual }) => [name, usual]), [["region", "eu"], ["day", undefined], [
    "tag",
    undefined,
  ]]);
  assertEquals([fields[0]?.choices, fields[0]?.description], [["eu", "us"], "Where"]);
  assertEquals(fieldsOf(SPEC, "clean").map(({ name }) => name), ["region"]);
});

Deno.test("a template without arguments has a form without fields", () => {
  assertEquals(fieldsOf({ templates: [{ name: "main" }] } as WorkflowSpec, "main"), []);
});

Deno.test("only what differs from the template is sent, and what nobody gave is missing", () => {
  const fields = fieldsOf(SPEC, "main");
  const values = new Map([["region", "eu"], ["day", "2026-01-01"]]);
  assertEquals(parametersToSend(fields, values), ["day=2026-01-01"]);
  assertEquals(missingFields(fields, values), ["tag"]);
});

Deno.test("values go into the address and come back from it", () => {
  const values = new Map([["day", "a=b&c"], ["x y", ""]]);
  assertEquals(valuesInQuery(queryWithValues([["sidePanel", "submit"], ["parameters[old]", "1"]], values)), values);
});

Deno.test("a file is needed for an artifact that the template places nowhere", () => {
  const artifacts = [{ name: "data" }, { name: "notes", optional: true }, { name: "model", s3: { key: "model.bin" } }];
  assertEquals(artifactFieldsOf({ arguments: { artifacts } }), [
    { name: "data", isOptional: false },
    { name: "notes", isOptional: true },
    { name: "model", isOptional: true },
  ]);
});

Deno.test("a file that was refused, or is on its way, is not given", () => {
  const artifacts = ["a", "b", "c", "d"].map((name) => ({ name, isOptional: name === "d" }));
  const uploads = new Map<string, UploadState>([
    ["a", { kind: "refused", file: "a.csv", words: "too large" }],
    ["b", { kind: "sending", file: "b.csv" }],
    ["c", { kind: "there", file: "c.csv", key: "k" }],
  ]);
  assertEquals(missingFiles(artifacts, uploads), ["a", "b"]);
});

Deno.test("nothing is submitted while a file is refused, whether it is needed or not", () => {
  const there: UploadState = { kind: "there", file: "a.csv", key: "k" };
  assertEquals(areAllThere(new Map()), true);
  assertEquals(areAllThere(new Map([["a", there]])), true);
  const refused: UploadState = { kind: "refused", file: "b.csv", words: "too large" };
  assertEquals(areAllThere(new Map<string, UploadState>([["a", there], ["b", refused]])), false);
});
