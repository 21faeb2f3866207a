import { assertEquals } from "@std/assert";
import { z } from "zod";
import { repositoryShape, storeShape } from "../api/artifact_store.ts";
import { object } from "../api/schema.ts";
import { list, required, secret, text } from "./fields.ts";
import { locationOfRepository } from "./location.ts";
import { hasStore, secretSelectors, storeOf, type StoreRow, STORES } from "./stores.ts";

Deno.test("hasStore: is true for an artifact with a store", () => {
  assertEquals([hasStore({ name: "a", s3: {} }), hasStore({ name: "a", path: "/a" })], [true, false]);
  assertEquals([hasStore({ s3: null }), hasStore({ s3: undefined }), hasStore(undefined)], [false, false, false]);
});

Deno.test("storeOf: returns the kind of store", () => {
  assertEquals([storeOf({ gcs: { key: "k" } }), storeOf({ raw: { data: "" } }), storeOf({})], [
    "gcs",
    "raw",
    undefined,
  ]);
});

Deno.test("secretSelectors: returns every secret of a location, at any depth, and no ConfigMap", () => {
  const http = {
    url: "u",
    auth: {
      clientCert: { clientCertSecret: { name: "c", key: "crt" }, clientKeySecret: { name: "c", key: "key" } },
      basicAuth: { usernameSecret: { name: "u", key: "k" } },
    },
  };
  assertEquals(secretSelectors({ http }).map(({ name, key }) => `${name}/${key}`), ["c/crt", "c/key", "u/k"]);
  const hdfs = {
    path: "/p",
    krbKeytabSecret: { name: "k", key: "tab" },
    krbConfigConfigMap: { name: "m", key: "conf" },
  };
  assertEquals(secretSelectors({ hdfs }).map(({ name }) => name), ["k"]);
  assertEquals(secretSelectors({ name: "a" }), []);
});

Deno.test("STORES: all fields that a row refers to exist", () => {
  for (const [name, row] of Object.entries(STORES) as [string, StoreRow][]) {
    const known = Object.keys(row.fields);
    const named = [row.key ?? [], row.full, row.pairs ?? []].flat(2);
    assertEquals(named.filter((field) => !known.includes(field)), [], name);
    const { repository } = row;
    if (!repository) continue;
    const ofRepository = Object.keys(repository.fields);
    assertEquals(ofRepository.includes(repository.keyFormat), true, name);
    assertEquals(row.can.output, true, `${name} is a repository`);
  }
});

Deno.test("STORES: a new row is sufficient for schemas, repositories and secrets", () => {
  const box: StoreRow = {
    fields: { host: text, boxes: list(text), tokenSecret: secret, name: required(text) },
    key: "name",
    full: ["host", "name"],
    repository: { keyFormat: "nameFormat", fields: { nameFormat: text } },
    can: { input: true, output: true, repository: true, logs: true, remove: true, list: true, stream: true },
  };
  const table = { ...STORES, box };
  const artifact = object({ name: z.string(), ...storeShape({ box }) });
  const given = { host: "h", boxes: ["b"], tokenSecret: { name: "s", key: "k" }, name: "n" };
  assertEquals<unknown>(artifact.parse({ name: "a", box: given }), { name: "a", box: given });
  assertEquals(artifact.safeParse({ name: "a", box: { host: "h" } }).success, false);
  const repository = object(repositoryShape(table)).parse({
    box: { host: "h", nameFormat: "x/{{pod.name}}", name: "no" },
  });
  assertEquals(repository, { box: { host: "h", nameFormat: "x/{{pod.name}}" } });
  assertEquals(locationOfRepository(repository, table), { box: { host: "h", name: "x/{{pod.name}}" } });
  assertEquals(secretSelectors({ box: given }, table), [{ name: "s", key: "k" }]);
});
