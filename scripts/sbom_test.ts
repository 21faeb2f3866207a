import { assertEquals, assertMatch } from "@std/assert";
import { itemsOf } from "@tiphys/base/fields_of";
import { fieldsOfJson } from "@tiphys/base/fields_of_json";
import { needs } from "../lib/base/testing/needs.ts";
import { hasProgram } from "./command.ts";
import { imagePackages } from "./image_packages.ts";
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

Deno.test("sbom: names the packages of the distribution in the images", () => {
  const git = { name: "git", version: "1:2.39.5-0+deb12u2", architecture: "amd64", distribution: "debian" };
  const [, component] = itemsOf(fieldsOfJson(sbomText([], {}, [git])).components);
  assertEquals(component, {
    type: "library",
    name: "git",
    version: "1:2.39.5-0+deb12u2",
    purl: "pkg:deb/debian/git@1%3A2.39.5-0%2Bdeb12u2?arch=amd64",
  });
});

Deno.test({
  ...needs(
    "dpkg",
    await hasProgram("dpkg-query"),
    "imagePackages: reads the versions of packages with files in an image",
  ),
  fn: async () => {
    const root = await Deno.makeTempDir();
    for (const name of ["tiphys", "libc6"]) await Deno.mkdir(`${root}/git/share/doc/${name}`, { recursive: true });
    const [libc, ...others] = await imagePackages(root);
    assertEquals([libc?.name, others], ["libc6", []]);
    assertMatch(libc!.version, /^\d/);
    await Deno.remove(root, { recursive: true });
  },
});
