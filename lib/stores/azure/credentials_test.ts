import { assertEquals, assertRejects } from "@std/assert";
import { type Driver, StoreError } from "@tiphys/model/artifact";
import { driverFor } from "../driver_for.ts";
import { driverEnvironment, type TestEnvironment, textOf } from "../../artifacts/testing/surroundings.ts";

const stop = new AbortController().signal;

interface SeenRequest {
  readonly path: string;
  readonly search: string;
  readonly headers: Headers;
  readonly body: string;
}

function serve(answer: (seen: SeenRequest) => Response) {
  const seen: SeenRequest[] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
    const { pathname: path, search } = new URL(request.url);
    const received = { path, search, headers: new Headers(request.headers), body: await request.text() };
    seen.push(received);
    return answer(received);
  });
  return { url: `http://127.0.0.1:${server.addr.port}`, seen, [Symbol.asyncDispose]: () => server.shutdown() };
}

async function read(url: string, settings: object, test: TestEnvironment = {}): Promise<string> {
  const place = { store: "azure", key: "a b", settings: { endpoint: `${url}/account`, container: "c", ...settings } };
  const driver = await driverFor(place, driverEnvironment(test)) as Driver;
  return await textOf(await driver.read(place, {}, stop));
}

Deno.test("azureCredentials: appends a shared access signature to the query, with or without question mark, and with one parameter", async () => {
  await using blobs = serve(() => new Response("x"));
  for (const sas of ["?sv=1&sig=a%2Bb%3D", "sv=1&sig=a%2Bb%3D", "sig=a%2Bb%3D"]) {
    const settings = { accountKeySecret: { name: "s", key: "k" } };
    assertEquals(await read(blobs.url, settings, { secrets: { "s/k": `${sas}\n` } }), "x");
    const { search, path, headers } = blobs.seen.at(-1)!;
    assertEquals([path, search, headers.get("authorization")], ["/account/c/a%20b", `?${sas.replace("?", "")}`, null]);
  }
});

Deno.test("azureCredentials: without a key and without default credentials, the error names the required fields", async () => {
  const text = "accountKey secret is required for Azure Blob Storage if useSDKCreds is false";
  await assertRejects(() => read("http://127.0.0.1:1", {}), StoreError, text);
  const settings = { accountKeySecret: { name: "s", key: "k" } };
  await assertRejects(() => read("http://127.0.0.1:1", settings, { secrets: { "s/k": "" } }), StoreError, text);
});

Deno.test("azureCredentials: default credentials are those of a client, workload or machine, and are fetched again after a rejection", async () => {
  let tokens = 0;
  let refuse = false;
  await using issuer = serve(() => Response.json({ access_token: `token-${++tokens}`, expires_in: "3600" }));
  await using blobs = serve(() => {
    const status = refuse ? 401 : 200;
    refuse = false;
    return new Response("x", { status });
  });
  const file = await Deno.makeTempFile();
  await Deno.writeTextFile(file, "jwt\n");
  const client = { AZURE_CLIENT_ID: "i", AZURE_TENANT_ID: "t", AZURE_AUTHORITY_HOST: issuer.url };
  const environments: Record<string, string>[] = [
    { ...client, AZURE_CLIENT_SECRET: "canary" },
    { ...client, AZURE_FEDERATED_TOKEN_FILE: file },
    { AZURE_POD_IDENTITY_AUTHORITY_HOST: issuer.url },
    { IDENTITY_ENDPOINT: `${issuer.url}/msi`, IDENTITY_HEADER: "h" },
  ];
  for (const env of environments) {
    assertEquals(await read(blobs.url, { useSDKCreds: true }, { env }), "x");
    assertEquals(blobs.seen.at(-1)!.headers.get("authorization"), `Bearer token-${tokens}`);
  }
  const [secret, workload, machine, app] = issuer.seen;
  assertEquals([secret!.path, new URLSearchParams(secret!.body).get("client_secret")], [
    "/t/oauth2/v2.0/token",
    "canary",
  ]);
  assertEquals(new URLSearchParams(workload!.body).get("client_assertion"), "jwt");
  assertEquals([machine!.path, machine!.headers.get("metadata")], ["/metadata/identity/oauth2/token", "true"]);
  assertEquals([app!.path, app!.headers.get("x-identity-header")], ["/msi", "h"]);
  refuse = true;
  assertEquals(await read(blobs.url, { useSDKCreds: true }, { env: environments[2]! }), "x");
  assertEquals(tokens, 6);
});
