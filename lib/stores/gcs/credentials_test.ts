import { generateKeyPairSync, verify } from "node:crypto";
import { Buffer } from "node:buffer";
import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { StoreError } from "@tiphys/model/artifact";
import { driverEnvironment, type TestEnvironment } from "../../artifacts/testing/surroundings.ts";
import { googleCredentials } from "./credentials.ts";

const stop = new AbortController().signal;
const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();

/** A token issuer that counts its tokens and records requests. */
function issuer() {
  const asked: { readonly path: string; readonly form: URLSearchParams; readonly flavor: string | null }[] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
    const form = new URLSearchParams(await request.text());
    asked.push({ path: new URL(request.url).pathname, form, flavor: request.headers.get("metadata-flavor") });
    return Response.json({ access_token: `token-${asked.length}`, expires_in: 3600, token_type: "Bearer" });
  });
  return { asked, host: `127.0.0.1:${server.addr.port}`, [Symbol.asyncDispose]: () => server.shutdown() };
}

function tokens(test: TestEnvironment, withSecret = true) {
  return googleCredentials(driverEnvironment(test), withSecret ? { name: "s", key: "k" } : undefined);
}

Deno.test("googleCredentials: a service account requests a token with a signed claim, once per lifetime", async () => {
  await using google = issuer();
  let now = Date.parse("2026-01-01T00:00:00Z");
  const uri = `http://${google.host}/token`;
  const key = { type: "service_account", client_email: "a@b", private_key: pem, private_key_id: "id", token_uri: uri };
  const token = tokens({ secrets: { "s/k": JSON.stringify(key) }, now: () => now });
  assertEquals([(await token(stop)).value, (await token(stop)).value], ["token-1", "token-1"]);
  const [head, claims, signature] = google.asked[0]!.form.get("assertion")!.split(".");
  const signed = Buffer.from(`${head}.${claims}`);
  assertEquals(verify("RSA-SHA256", signed, publicKey, Buffer.from(signature!, "base64url")), true);
  assertEquals(JSON.parse(Buffer.from(claims!, "base64url").toString()), {
    iss: "a@b",
    scope: "https://www.googleapis.com/auth/devstorage.read_write",
    aud: uri,
    iat: now / 1000,
    exp: now / 1000 + 3600,
  });
  now += 3600_000;
  const third = await token(stop);
  assertEquals(third.value, "token-2");
  third.forget();
  assertEquals((await token(stop)).value, "token-3");
});

Deno.test("googleCredentials: without a secret, uses the file of the environment, then the metadata server", async () => {
  await using google = issuer();
  const file = await Deno.makeTempFile();
  const user = {
    type: "authorized_user",
    refresh_token: "r",
    client_id: "i",
    client_secret: "c",
    token_uri: `http://${google.host}/u`,
  };
  await Deno.writeTextFile(file, JSON.stringify(user));
  await tokens({ env: { GOOGLE_APPLICATION_CREDENTIALS: file } }, false)(stop);
  assertEquals(google.asked[0]!.form.get("grant_type"), "refresh_token");
  await tokens({ env: { GCE_METADATA_HOST: google.host } }, false)(stop);
  const { path, flavor } = google.asked[1]!;
  assertEquals([path, flavor], ["/computeMetadata/v1/instance/service-accounts/default/token", "Google"]);
});

Deno.test("googleCredentials: other kinds of credentials are rejected with their type, and never shown", async () => {
  const secrets = { "s/k": JSON.stringify({ type: "external_account", token_url: "canary" }) };
  const error = await assertRejects(() => tokens({ secrets })(stop), StoreError);
  assertEquals(error.kind, "final");
  assertStringIncludes(error.message, 'its type is "external_account"');
  for (const text of ["canary", '{"type":"service_account","client_email":"a","private_key":"canary"}']) {
    const failure = await assertRejects(() => tokens({ secrets: { "s/k": text } })(stop), StoreError);
    assertEquals([failure.kind, failure.message.includes("canary")], ["final", false]);
  }
});
