import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { createApiServer } from "../../../local/api/mod.ts";
import { CONFIGMAPS, handlerTransport, KubeClient, type KubeObject } from "@tiphys/kube";
import { configMapLimits, readSyncType, SyncLimitError, SyncLimits } from "./mod.ts";

const NAME = { type: "CONFIGMAP", namespace: "default", cmName: "limits", key: "builds" } as const;

async function withLimits(act: (limits: SyncLimits, client: KubeClient) => Promise<void>): Promise<void> {
  const api = createApiServer({ storePath: ":memory:" });
  try {
    const client = api.client();
    await act(new SyncLimits({ CONFIGMAP: configMapLimits(client) }), client);
  } finally {
    await api.close();
  }
}

async function refusal(promise: Promise<unknown>): Promise<[string, string]> {
  const error = await assertRejects(() => promise, SyncLimitError);
  return [error.code, error.message];
}

Deno.test("sync limits: create adds the ConfigMap or a key", () =>
  withLimits(async (limits, client) => {
    assertEquals(await limits.create({ ...NAME, limit: 3 }), { ...NAME, limit: 3 });
    await limits.create({ ...NAME, key: "other", limit: 1 });
    assertEquals((await limits.get(NAME)).limit, 3);
    const { data } = await client.get<KubeObject & { data: unknown }>(CONFIGMAPS, "default", "limits");
    assertEquals(data, { builds: "3", other: "1" });
    await limits.update({ ...NAME, limit: 5 });
    await limits.update({ ...NAME, limit: 5 });
    assertEquals((await limits.get(NAME)).limit, 5);
    await limits.delete(NAME);
    await limits.delete(NAME);
    await limits.delete({ ...NAME, cmName: "nowhere" });
    assertEquals(await refusal(limits.get(NAME)), ["NotFound", "key builds not found in configmap default/limits"]);
    assertEquals((await limits.get({ ...NAME, key: "other" })).limit, 1);
  }));

Deno.test("sync limits: an invalid request fails with Argo's message", () =>
  withLimits(async (limits, client) => {
    const zero = ["InvalidArgument", "limit must be greater than zero"];
    for (const limit of [0, -1, 1.5, NaN]) assertEquals(await refusal(limits.create({ ...NAME, limit })), zero);
    assertEquals(await refusal(limits.update({ ...NAME, limit: 1 })), [
      "NotFound",
      "key builds not found in configmap default/limits - please create it first",
    ]);
    await limits.create({ ...NAME, limit: 3 });
    assertEquals(await refusal(limits.create({ ...NAME, limit: 3 })), [
      "AlreadyExists",
      "sync limit cannot be created as it already exists",
    ]);
    await client.patch(CONFIGMAPS, "default", "limits", { data: { builds: "many" } }, "merge");
    assertEquals(await refusal(limits.get(NAME)), [
      "InvalidArgument",
      "invalid limit format for key builds in configmap default/limits",
    ]);
    const inDatabase = { ...NAME, type: "DATABASE" as const };
    const unsupported = ["InvalidArgument", "unsupported sync config type: DATABASE"];
    assertEquals(await refusal(limits.get(inDatabase)), unsupported);
    assertEquals(await refusal(limits.create({ ...inDatabase, limit: 1 })), unsupported);
  }));

Deno.test("sync limits: of concurrent creations, one succeeds", () =>
  withLimits(async (limits) => {
    const tries = await Promise.allSettled([1, 2, 3, 4].map((limit) => limits.create({ ...NAME, limit })));
    assertEquals(tries.filter(({ status }) => status === "fulfilled").length, 1);
    const keys = await Promise.allSettled(["a", "b", "c"].map((key) => limits.create({ ...NAME, key, limit: 1 })));
    assertEquals(keys.map(({ status }) => status), ["fulfilled", "fulfilled", "fulfilled"]);
  }));

Deno.test("sync limits: the error of a missing permission names the verb", async () => {
  const status = { kind: "Status", status: "Failure", reason: "Forbidden", message: 'User "u" cannot', code: 403 };
  const client = new KubeClient(handlerTransport(() => Promise.resolve(Response.json(status, { status: 403 }))));
  const limits = new SyncLimits({ CONFIGMAP: configMapLimits(client) });
  const denied = (verb: string) => [
    "PermissionDenied",
    `Permission denied, you are not allowed to ${verb} configmaps in namespace "default".`,
  ];
  assertEquals(await refusal(limits.create({ ...NAME, limit: 1 })), denied("create"));
  assertEquals(await refusal(limits.get(NAME)), denied("get"));
  assertEquals(await refusal(limits.update({ ...NAME, limit: 1 })), denied("update"));
  assertEquals(await refusal(limits.delete(NAME)), denied("update"));
});

Deno.test("readSyncType: accepts names in any case and Argo's numbers", () => {
  assertEquals(["configmap", "ConfigMap", 0, "DATABASE", 1].map(readSyncType), [
    "CONFIGMAP",
    "CONFIGMAP",
    "CONFIGMAP",
    "DATABASE",
    "DATABASE",
  ]);
  assertThrows(() => readSyncType("2"), SyncLimitError, "unsupported sync config type: 2");
});
