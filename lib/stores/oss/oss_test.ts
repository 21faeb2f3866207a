import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { type Driver, StoreError } from "@tiphys/model/artifact";
import { driverFor } from "../driver_for.ts";
import { testContract } from "../../artifacts/testing/contract/mod.ts";
import { driverEnvironment, sourceOf, textOf } from "../../artifacts/testing/surroundings.ts";
import type { OssSettings } from "./credentials.ts";
import { type FakeOss, fakeOss } from "./testing/stand_in.ts";

const stop = new AbortController().signal;
const PART_BYTES = 256 * 1024;
const KEYS = { id: "key-id", secret: "the-secret", token: "a-token" };

const shared = fakeOss(KEYS);
shared.buckets.set("bucket", new Map());
globalThis.addEventListener("unload", () => void shared[Symbol.asyncDispose]());

function placeIn(port: number, key: string, settings: Partial<OssSettings> = {}) {
  return {
    store: "oss",
    key,
    settings: {
      endpoint: `http://127.0.0.1:${port}`,
      bucket: "bucket",
      accessKeySecret: { name: "s", key: "id" },
      secretKeySecret: { name: "s", key: "secret" },
      securityToken: KEYS.token,
      ...settings,
    },
  };
}

async function at(server: FakeOss, key: string, settings: Partial<OssSettings> = {}, secret = KEYS.secret + "\n") {
  const place = placeIn(server.port, key, settings);
  const environment = driverEnvironment({ secrets: { "s/id": KEYS.id, "s/secret": secret }, partBytes: PART_BYTES });
  return { driver: await driverFor(place, environment) as Driver, place };
}

testContract({
  name: "oss",
  driver: async (through = shared.port) => (await at({ ...shared, port: through }, "x")).driver,
  place: (key, through = shared.port) => placeIn(through, key),
  port: shared.port,
  partBytes: PART_BYTES,
  noBucket: () => at(shared, "x", { bucket: "none" }),
  wrongSecret: (through = shared.port) => at({ ...shared, port: through }, "x", {}, "wrong-secret-value"),
  cannot: { "AR-09": "the fake store is a Deno server, which normalizes paths before it handles them" },
});

Deno.test("oss: the first upload creates a missing bucket if configured, and no earlier request does", async () => {
  await using server = fakeOss(KEYS);
  const { driver, place } = await at(server, "a", { createBucketIfNotPresent: true });
  await driver.write(place, sourceOf("x"), stop);
  await driver.write(place, sourceOf("y"), stop);
  assertEquals(await textOf(await driver.read(place, {}, stop)), "y");
  assertEquals(server.requests, ["PUT /a", "PUT /", "PUT /a", "PUT /a", "GET /a"]);
  const other = await at(server, "a", { bucket: "other" });
  assertEquals(
    (await assertRejects(() => other.driver.write(other.place, sourceOf("x"), stop), StoreError)).kind,
    "bucket",
  );
});

Deno.test("oss: a lifecycle rule is added to other rules, once per key", async () => {
  await using server = fakeOss(KEYS);
  server.buckets.set("bucket", new Map());
  const other = "<Rule><ID>theirs</ID><Prefix>x/</Prefix><Status>Enabled</Status><Odd/></Rule>";
  server.lifecycle.set("bucket", `<LifecycleConfiguration>${other}</LifecycleConfiguration>`);
  const lifecycleRule = { markInfrequentAccessAfterDays: 30 };
  for (const key of ["a", "b", "a"]) {
    const { driver, place } = await at(server, key, { lifecycleRule });
    await driver.write(place, sourceOf("x"), stop);
  }
  const { driver, place } = await at(server, "b", { lifecycleRule: { markDeletionAfterDays: 7 } });
  await driver.write(place, sourceOf("x"), stop);
  const document = server.lifecycle.get("bucket")!;
  assertStringIncludes(document, other);
  assertEquals(document.match(/<Prefix>[^<]*<\/Prefix>/g), [
    "<Prefix>x/</Prefix>",
    "<Prefix>a</Prefix>",
    "<Prefix>b</Prefix>",
  ]);
  assertEquals(document.match(/<(Transition|Expiration)><Days>\d+/g), ["<Transition><Days>30", "<Expiration><Days>7"]);
});

Deno.test("oss: a failed upload leaves no parts behind", async () => {
  await using server = fakeOss(KEYS);
  server.buckets.set("bucket", new Map());
  const { driver, place } = await at(server, "a");
  let pulls = 0;
  const broken = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      if (pulls++ > 3) throw new Error("the file is gone");
      controller.enqueue(new Uint8Array(PART_BYTES));
    },
  });
  await assertRejects(() => driver.write(place, broken, stop), Error, "the file is gone");
  assertEquals([server.uploads.size, server.buckets.get("bucket")!.size], [0, 0]);
});

Deno.test("oss: an incomplete or missing key pair is rejected before any request", async () => {
  await assertRejects(() => at(shared, "a", { secretKeySecret: undefined } as never), StoreError, "needed together");
  const none = { accessKeySecret: undefined, secretKeySecret: undefined } as never;
  await assertRejects(() => at(shared, "a", none), StoreError, "useSDKCreds is false");
});

Deno.test("oss: the role of a machine, and one assumed by OIDC, provide keys, once for many requests", async () => {
  await using server = fakeOss(KEYS);
  server.buckets.set("bucket", new Map());
  let asked = 0;
  const keys = {
    AccessKeyId: KEYS.id,
    AccessKeySecret: KEYS.secret,
    SecurityToken: KEYS.token,
    Expiration: "2099-01-01T00:00:00Z",
  };
  await using issuer = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
    asked++;
    if (request.method === "GET") {
      return new URL(request.url).pathname === "/" ? new Response("role") : Response.json(keys);
    }
    const form = new URLSearchParams(await request.text());
    const isRight = form.get("OIDCToken") === "jwt" && form.get("RoleArn") === "arn";
    return isRight ? Response.json({ Credentials: keys }) : Response.json({ Code: "No" }, { status: 400 });
  });
  const base = `http://127.0.0.1:${issuer.addr.port}/`;
  const file = await Deno.makeTempFile();
  await Deno.writeTextFile(file, "jwt\n");
  const environments: { env: Record<string, string>; requests: number }[] = [
    { env: { ALIBABA_CLOUD_ECS_METADATA_ENDPOINT: base }, requests: 2 },
    {
      env: {
        ALIBABA_CLOUD_ROLE_ARN: "arn",
        ALIBABA_CLOUD_OIDC_PROVIDER_ARN: "p",
        ALIBABA_CLOUD_OIDC_TOKEN_FILE: file,
        ALIBABA_CLOUD_STS_ENDPOINT: base,
      },
      requests: 1,
    },
  ];
  for (const { env, requests } of environments) {
    asked = 0;
    const place = placeIn(server.port, "a", { useSDKCreds: true });
    const driver = await driverFor(place, driverEnvironment({ env })) as Driver;
    await driver.write(place, sourceOf("x"), stop);
    assertEquals(await textOf(await driver.read(place, {}, stop)), "x");
    assertEquals(asked, requests);
  }
});
