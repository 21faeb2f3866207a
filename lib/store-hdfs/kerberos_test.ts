/** Clusters with Kerberos: logins at name nodes, and protected transfers (AR-134). */
import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { type Driver, StoreError } from "@tiphys/model/artifact";
import { driverFor } from "../stores/driver_for.ts";
import { assertSame, bytesOf, noise } from "../artifacts/testing/contract/mod.ts";
import { driverEnvironment, sourceOf } from "../artifacts/testing/surroundings.ts";
import { readKrb5Conf, Tickets } from "./kerberos/mod.ts";
import { cacheOf, keytabOf, newKey, standInKdc } from "./kerberos/testing/kdc.ts";
import { ticketService } from "./kerberos/principal.ts";
import { message } from "./rpc_messages.ts";
import { type DataLogin, dataLogin, type NameLogin, nameLogin } from "./testing/logins.ts";
import { rpcCluster } from "./testing/rpc_cluster.ts";

const stop = new AbortController().signal;

const ME = { realm: "R.TEST", parts: ["me"] };

/** The user and password in the token of a block. */
const BLOCK = { user: btoa("t"), password: btoa("p") };

interface GivenSettings {
  readonly names?: Partial<NameLogin>;
  readonly data?: Partial<DataLogin>;
  readonly settings?: object;
  readonly key?: Uint8Array;
  /** The name node's host, as in its address. */
  readonly host?: string;
}

/** A realm, a cluster in it, and the driver of `me`. */
async function kerberosBench({ names, data, settings, key, host = "127.0.0.1" }: GivenSettings = {}) {
  const kdc = standInKdc("R.TEST");
  const serviceKey = newKey();
  kdc.keys.set("me", newKey());
  kdc.keys.set("nn/127.0.0.1", serviceKey);
  const logins: string[] = [];
  const chosen: string[] = [];
  const cluster = rpcCluster({
    names: nameLogin({ serviceKey, bits: 1, logins, ...names }),
    data: dataLogin({ qop: "auth", chosen, ...BLOCK, ...data }),
    ...(key ? { key } : {}),
  });
  const place = {
    store: "hdfs",
    key: "/dir/a",
    settings: {
      addresses: [`${host}:${cluster.port}`],
      force: true,
      krbKeytabSecret: { name: "s", key: "keytab" },
      krbUsername: "me",
      krbRealm: "R.TEST",
      krbConfigConfigMap: { name: "c", key: "krb5.conf" },
      krbServicePrincipalName: "nn/_HOST",
      ...settings,
    },
  };
  const confOf = (port: number) =>
    `[libdefaults]\ndefault_realm = R.TEST\n[realms]\nR.TEST = {\nkdc = 127.0.0.1:${port}\n}`;
  const keytab = keytabOf("R.TEST", { me: kdc.keys.get("me")! });
  const tickets = Tickets.ofKeytab({ conf: readKrb5Conf(confOf(kdc.port)), now: Date.now }, keytab, ME);
  const environment = driverEnvironment({
    secrets: { "s/keytab": keytab, "s/cache": cacheOf(await tickets.get(ticketService("R.TEST"), stop)) },
    configMaps: { "c/krb5.conf": confOf(kdc.port), "c/away": confOf(1) },
  });
  const driver = await driverFor(place, environment) as Driver;
  return {
    driver,
    place,
    kdc,
    cluster,
    logins,
    chosen,
    async [Symbol.asyncDispose]() {
      await driver.close?.();
      await cluster[Symbol.asyncDispose]();
      await kdc[Symbol.asyncDispose]();
    },
  };
}

/** Writes a file of several blocks and reads it. */
async function roundTrip({ driver, place }: Awaited<ReturnType<typeof kerberosBench>>): Promise<void> {
  const content = noise(600_001);
  await driver.write(place, sourceOf(content), stop);
  assertSame(await bytesOf(await driver.read(place, {}, stop)), content);
}

Deno.test("hdfs: a keytab logs in by Kerberos, and calls are sealed as strongly as the name node supports (AR-134)", async () => {
  for (const [bits, chosen] of [[1, 1], [3, 2], [7, 4], [5, 4]] as const) {
    await using bench = await kerberosBench({ names: { bits } });
    await roundTrip(bench);
    assertEquals([bench.logins, [...bench.cluster.users]], [[`me@R.TEST ${chosen}`], ["proved"]]);
  }
});

Deno.test("hdfs: a broken connection is reopened with the cached ticket", async () => {
  await using bench = await kerberosBench({ names: { bits: 4 } });
  await roundTrip(bench);
  const asked = bench.kdc.requestedServices.length;
  bench.cluster.drop();
  await bench.driver.find(bench.place, stop);
  assertEquals([bench.logins.length, bench.kdc.requestedServices.length], [2, asked]);
});

Deno.test("hdfs: transfers are protected as offered by the data node, and at least as required by dataTransferProtection", async () => {
  for (
    const [qop, least, chosen] of [
      ["auth,auth-int,auth-conf", undefined, "auth"],
      ["auth-int,auth-conf", undefined, "auth-int"],
      ["auth,auth-int,auth-conf", "integrity", "auth-int"],
      ["auth,auth-conf", "integrity", "auth-conf"],
      ["auth-conf", "authentication", "auth-conf"],
    ] as const
  ) {
    await using bench = await kerberosBench({ data: { qop }, settings: { dataTransferProtection: least } });
    await roundTrip(bench);
    assertEquals([...new Set(bench.chosen)], [chosen]);
  }
  await using weak = await kerberosBench({ data: { qop: "auth" }, settings: { dataTransferProtection: "privacy" } });
  const words = "offers the protection authentication, and dataTransferProtection requires privacy";
  assertEquals((await assertRejects(() => roundTrip(weak), StoreError, words)).kind, "final");
});

Deno.test("hdfs: encryption uses AES if the data node supports it, and RC4 otherwise", async () => {
  for (const hasAes of [true, false]) {
    await using bench = await kerberosBench({ data: { qop: "auth-conf", hasAes } });
    await roundTrip(bench);
  }
});

Deno.test("hdfs: a cluster that encrypts all transfers is accessed with its key, with Kerberos or without", async () => {
  const key = message([[1, 0xfffffffe], [2, "pool"], [3, "nonce"], [4, "secret"]]);
  const data = { qop: "auth-conf", user: `-2 pool ${btoa("nonce")}`, password: btoa("secret") };
  await using bench = await kerberosBench({ key, data });
  await roundTrip(bench);
  await using open = rpcCluster({ key, data: dataLogin({ ...data, chosen: [] }) });
  const settings = { addresses: [`127.0.0.1:${open.port}`], hdfsUser: "me", force: true };
  const place = { store: "hdfs", key: "/a", settings };
  const driver = await driverFor(place, driverEnvironment()) as Driver;
  const content = noise(300_000);
  await driver.write(place, sourceOf(content), stop);
  assertSame(await bytesOf(await driver.read(place, {}, stop)), content);
  await driver.close?.();
});

Deno.test("hdfs: a data node that rejects, forges its proof or modifies sealed data is an error", async () => {
  for (
    const [data, words] of [
      [{ refusal: message([[1, 2], [3, "no such token\nat Java"]]) }, "refused the login: no such token"],
      [{ refusal: message([[1, 1]]) }, "it does not know the key of the cluster yet"],
      [{ refusal: message([[1, 0]]) }, "unexpected step in the login"],
      [{ isForged: true }, "its response does not prove that it has the block's token"],
      [{ qop: "auth-int", isBroken: true }, "an encrypted message does not match its checksum"],
    ] as const
  ) {
    await using bench = await kerberosBench({ data });
    await assertRejects(() => roundTrip(bench), StoreError, words);
  }
});

Deno.test("hdfs: a name node without Kerberos, with another key or protection is rejected with the reason (AR-134)", async () => {
  for (
    const [names, words] of [
      [{ methods: ["TOKEN", "SIMPLE"] }, "the name node does not accept Kerberos logins"],
      [{ isForged: true }, "the service does not prove to be nn/127.0.0.1@R.TEST"],
      [{ bits: 8 }, "it offers no supported protection of calls"],
      [{ serviceKey: newKey() }, "was interrupted"],
      [{ refuses: true }, "SaslException: GSS initiate failed (is krbServicePrincipalName the name node's own?)"],
    ] as const
  ) {
    await using bench = await kerberosBench({ names });
    await assertRejects(() => bench.driver.find(bench.place, stop), StoreError, words);
  }
});

Deno.test("hdfs: a wrong realm, an unknown principal and an unreachable KDC are different errors (AR-134)", async () => {
  await using wrong = await kerberosBench({ settings: { krbServicePrincipalName: "nn/_HOST@OTHER.TEST" } });
  await assertRejects(() => wrong.driver.find(wrong.place, stop), StoreError, "no principal krbtgt/OTHER.TEST@R.TEST");
  await using unknown = await kerberosBench({ settings: { krbServicePrincipalName: "hdfs/_HOST" } });
  await assertRejects(() => unknown.driver.find(unknown.place, stop), StoreError, "no principal hdfs/127.0.0.1@R.TEST");
  await using large = await kerberosBench({ host: "LOCALHOST" });
  await assertRejects(() => large.driver.find(large.place, stop), StoreError, "no principal nn/localhost@R.TEST");
  await using away = await kerberosBench({ settings: { krbConfigConfigMap: { name: "c", key: "away" } } });
  const error = await assertRejects(() => away.driver.find(away.place, stop), StoreError, "cannot be reached");
  assertEquals(error.kind, "transient");
  await assertRejects(
    () => kerberosBench({ settings: { krbRealm: "OTHER.TEST" } }),
    StoreError,
    "no key of me@OTHER.TEST",
  );
});

Deno.test("hdfs: a credential cache is used if there is no keytab (AR-134)", async () => {
  const settings = { krbKeytabSecret: undefined, krbUsername: undefined, krbCCacheSecret: { name: "s", key: "cache" } };
  await using bench = await kerberosBench({ settings });
  await roundTrip(bench);
  assertEquals(bench.logins, ["me@R.TEST 1"]);
});

Deno.test("hdfs: incomplete or invalid Kerberos fields are rejected by name before any request", async () => {
  for (
    const [settings, words] of [
      [{ krbServicePrincipalName: undefined }, "krbConfigConfigMap and krbServicePrincipalName are required"],
      [{ krbConfigConfigMap: undefined }, "krbConfigConfigMap and krbServicePrincipalName are required"],
      [{ krbUsername: undefined }, "krbUsername and krbRealm are required with krbKeytabSecret"],
      [{ dataTransferProtection: "all" }, '"all", and none of authentication, integrity, privacy'],
      [{ dataTransferProtection: "constructor" }, '"constructor", and none of authentication, integrity, privacy'],
      [{ addresses: ["http://127.0.0.1:1"] }, "Kerberos is not supported over WebHDFS"],
      [{ krbKeytabSecret: { name: "s", key: "none" } }, 'secret "s" has no key "none"'],
      [{ krbKeytabSecret: { name: "s", key: "cache" } }, "the keytab is invalid"],
    ] as const
  ) {
    const error = await assertRejects(() => kerberosBench({ settings }), StoreError);
    assertEquals(error.kind, "final");
    assertStringIncludes(error.message, words);
  }
});
