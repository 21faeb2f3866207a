import { assertEquals } from "@std/assert";
import { itemsOf } from "@tiphys/base/fields_of";
import { fieldsOfJson } from "@tiphys/base/fields_of_json";
import { sbomText } from "./sbom.ts";

Deno.test("sbom: names packages with license and digest, also those whose lock entry has peers", () => {
  const packages = [
    { name: "@a/b", version: "1.0.0", license: "MIT", bytes: 1 },
    { name: "c", version: "2.0.0", license: "ISC", bytes: 1 },
  ];
  const npm = { "@a/b@1.0.0_c@2.0.0": { integrity: "sha512-AAH/" }, "c@2.0.0-beta": { integrity: "sha512-AAAA" } };
  const text = sbomText(packages, npm);
  const [, scoped, plain] = itemsOf(fieldsOfJson(text).components);
  const library = { type: "library", licenses: [{ expression: "MIT" }] };
  assertEquals(scoped, {
    ...library,
    name: "@a/b",
    version: "1.0.0",
    purl: "pkg:npm/%40a/b@1.0.0",
    hashes: [{ alg: "SHA-512", content: "0001ff" }],
  });
  assertEquals(plain, {
    ...library,
    name: "c",
    version: "2.0.0",
    purl: "pkg:npm/c@2.0.0",
    licenses: [{ expression: "ISC" }],
    hashes: [],
  });
  assertEquals(sbomText(packages, npm), text);
});
