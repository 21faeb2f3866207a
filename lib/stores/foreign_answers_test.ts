import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { type Driver, StoreError } from "@tiphys/model/artifact";
import { driverFor } from "./driver_for.ts";
import { googleCredentials } from "./gcs/credentials.ts";
import { identityToken } from "./azure/identity.ts";
import { ossCredentials } from "./oss/credentials.ts";
import { driverEnvironment } from "../artifacts/testing/surroundings.ts";

const stop = new AbortController().signal;

/** A server that returns the same response to every request, such as a proxy with a login page. */
function startServer(text: string) {
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, () => new Response(text));
  return { host: `127.0.0.1:${server.addr.port}`, [Symbol.asyncDispose]: () => server.shutdown() };
}

async function hdfs(host: string): Promise<unknown> {
  const settings = { addresses: [`http://${host}`], force: true, hdfsUser: "me" };
  const place = { store: "hdfs", key: "/a", settings };
  return await (await driverFor(place, driverEnvironment()) as Driver).find(place, stop);
}

const ASKED: Readonly<Record<string, (host: string) => Promise<unknown>>> = {
  "gcs: fetching a token": (host) =>
    googleCredentials(driverEnvironment({ env: { GCE_METADATA_HOST: host } }), undefined)(stop),
  "azure: fetching a token": (host) =>
    identityToken(driverEnvironment({ env: { AZURE_POD_IDENTITY_AUTHORITY_HOST: `http://${host}` } }), stop),
  "oss: reading the role's keys": (host) =>
    ossCredentials(
      { useSDKCreds: true },
      driverEnvironment({
        env: { ALIBABA_CLOUD_ECS_METADATA: "role", ALIBABA_CLOUD_ECS_METADATA_ENDPOINT: `http://${host}` },
      }),
    )(stop),
  "hdfs: GETFILESTATUS /a": hdfs,
};

Deno.test("stores: a web page instead of a response is a transient error that names the request, without the page's text", async (t) => {
  await using proxy = startServer("<html>please log in: canary</html>");
  for (const [what, ask] of Object.entries(ASKED)) {
    await t.step(what, async () => {
      const { kind, message } = await assertRejects(() => ask(proxy.host), StoreError);
      assertStringIncludes(message, what);
      assertEquals([kind, message.includes("canary")], ["transient", false]);
    });
  }
});

Deno.test("stores: an unexpected JSON response fails with an error that names the request", async (t) => {
  for (const text of ["null", "[]", '{"access_token":7,"FileStatus":{"type":"FILE"},"AccessKeyId":7}']) {
    await using service = startServer(text);
    for (const [what, ask] of Object.entries(ASKED)) {
      await t.step(`${what}: ${text}`, async () => {
        const { kind, message } = await assertRejects(() => ask(service.host), StoreError);
        assertStringIncludes(message, what.split(" ")[0]!);
        assertEquals(kind, "final");
      });
    }
  }
});

/** Locations at a server, and its lists of one object, with its key and size as given. */
const LISTS: Readonly<
  Record<string, {
    readonly settings: (host: string) => Readonly<Record<string, unknown>>;
    readonly list: (key: string, size: string) => string;
  }>
> = {
  s3: {
    settings: (endpoint) => ({ endpoint, bucket: "b", region: "r", insecure: true, ...KEYS }),
    list: (key, size) =>
      "<ListBucketResult><EncodingType>url</EncodingType>" +
      `<Contents><Key>${key}</Key><Size>${size}</Size></Contents></ListBucketResult>`,
  },
  oss: {
    settings: (host) => ({ endpoint: `http://${host}`, bucket: "b", ...KEYS }),
    list: (key, size) =>
      `<ListBucketResult><Contents><Key>${key}</Key><Size>${size}</Size></Contents></ListBucketResult>`,
  },
  azure: {
    settings: (host) => ({
      endpoint: `http://${host}/account`,
      container: "con",
      accountKeySecret: { name: "s", key: "key" },
    }),
    list: (key, size) =>
      `<EnumerationResults><Blobs><Blob><Name Encoded="true">${key}</Name>` +
      `<Properties><Content-Length>${size}</Content-Length></Properties></Blob></Blobs></EnumerationResults>`,
  },
};

const KEYS = { accessKeySecret: { name: "s", key: "key" }, secretKeySecret: { name: "s", key: "key" } };

async function listed(store: string, host: string): Promise<unknown> {
  const place = { store, key: "d", settings: LISTS[store]!.settings(host) };
  const driver = await driverFor(place, driverEnvironment({ secrets: { "s/key": "a2V5" } })) as Driver;
  return await Array.fromAsync(driver.list(place, stop), ({ name, size }) => [name, size]);
}

for (const [store, { list }] of Object.entries(LISTS)) {
  Deno.test(`stores: a list of ${store} with unescaped keys or invalid sizes is an error that names it`, async () => {
    await using good = startServer(list("d/a%20b", "7"));
    assertEquals(await listed(store, good.host), [["a b", 7]]);
    for (const [key, size] of [["d/%zz", "1"], ["d/%ff", "1"], ["d/a", "-1"], ["d/a", "1e99"], ["d/a", "Infinity"]]) {
      await using bad = startServer(list(key!, size!));
      const { kind, message } = await assertRejects(() => listed(store, bad.host), StoreError);
      assertStringIncludes(message, ": listing d/ failed: ");
      assertStringIncludes(message, JSON.stringify(size === "1" ? key : size));
      assertEquals(kind, "final");
    }
  });
}
