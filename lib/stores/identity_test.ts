import { assertEquals, assertRejects } from "@std/assert";
import type { HttpRequest } from "@tiphys/base/net";
import { StoreError } from "@tiphys/model/artifact";
import { driverFor } from "./driver_for.ts";
import { STORES, type StoreTable } from "@tiphys/model/artifact/stores";
import { driverEnvironment } from "../artifacts/testing/surroundings.ts";

const ENV = {
  AWS_ACCESS_KEY_ID: "id",
  AWS_SECRET_ACCESS_KEY: "key",
  AWS_CONTAINER_CREDENTIALS_FULL_URI: "http://127.0.0.1:1/aws",
  AWS_EC2_METADATA_SERVICE_ENDPOINT: "http://127.0.0.1:1",
  GCE_METADATA_HOST: "127.0.0.1:1",
  GOOGLE_APPLICATION_CREDENTIALS: "/dev/null",
  AZURE_CLIENT_ID: "id",
  AZURE_TENANT_ID: "tenant",
  AZURE_CLIENT_SECRET: "secret",
  AZURE_AUTHORITY_HOST: "http://127.0.0.1:1",
  IDENTITY_ENDPOINT: "http://127.0.0.1:1/azure",
  IDENTITY_HEADER: "header",
  ALIBABA_CLOUD_ACCESS_KEY_ID: "id",
  ALIBABA_CLOUD_ACCESS_KEY_SECRET: "key",
  ALIBABA_CLOUD_ECS_METADATA_ENDPOINT: "http://127.0.0.1:1/",
};

const PLACES: Readonly<Record<string, readonly Record<string, unknown>[]>> = {
  s3: [
    { endpoint: "s3.example", bucket: "b" },
    { endpoint: "s3.example", bucket: "b", useSDKCreds: true },
    { endpoint: "s3.example", bucket: "b", roleARN: "arn:aws:iam::1:role/r" },
    {
      endpoint: "s3.example",
      bucket: "b",
      accessKeySecret: { name: "s", key: "empty" },
      secretKeySecret: { name: "s", key: "empty" },
    },
  ],
  gcs: [{ bucket: "b" }],
  azure: [
    { endpoint: "https://a.blob.core.windows.net", container: "c", useSDKCreds: true },
    { endpoint: "http://evil.example", container: "c", useSDKCreds: true },
  ],
  oss: [{ endpoint: "oss.example", bucket: "b", useSDKCreds: true }],
};

for (const [store, all] of Object.entries(PLACES)) {
  for (const settings of all) {
    Deno.test(`${store}: without permission the program's identity is not used for ${JSON.stringify(settings)}`, async () => {
      const asked: string[] = [];
      const net = {
        send(request: HttpRequest) {
          asked.push(request.url.href);
          return Promise.reject(new StoreError("no network", "final"));
        },
      };
      const place = { store, key: "k", settings };
      const environment = driverEnvironment({ mayUseIdentity: false, env: ENV, net, secrets: { "s/empty": "" } });
      const stop = new AbortController().signal;
      const error = await assertRejects(async () => {
        const driver = await driverFor(place, environment);
        if ("find" in driver) await driver.find(place, stop);
      }, StoreError);
      assertEquals([error.kind, asked], ["forbidden", []], error.message);
    });
  }
}

Deno.test("identity: every store with identity fields is tested above", () => {
  const names = Object.entries(STORES as StoreTable)
    .filter(([, { fields, usesIdentity }]) => usesIdentity || "useSDKCreds" in fields).map(([name]) => name);
  assertEquals(names.toSorted(), Object.keys(PLACES).toSorted());
});
