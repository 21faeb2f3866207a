import { assertEquals, assertThrows } from "@std/assert";
import { PODS, SERVICE_ACCOUNTS } from "@tiphys/kube";
import { fieldsOf } from "@tiphys/base/fields_of";
import { MAX_STREAMS } from "../limits.ts";
import { createApiServer } from "../mod.ts";
import { StatusError } from "../status_error.ts";
import { OpenStreams } from "./open_streams.ts";
import { awaitFact } from "../../../tests/await_fact.ts";

const pod = (uid: string) => ({ namespace: "a", name: uid, uid });

Deno.test("streams: a pod, a user and all users together have a limit each, and a closed stream is not counted", () => {
  const streams = new OpenStreams({ total: 5, user: 3, pod: 2 });
  const refused = (caller: Parameters<OpenStreams["acquire"]>[0]) => {
    const error = assertThrows(() => streams.acquire(caller), StatusError, "Too many requests");
    assertEquals([error.status.code, error.status.details], [429, { retryAfterSeconds: 1 }]);
  };
  const close = streams.acquire({ user: "u", pod: pod("1") });
  streams.acquire({ user: "u", pod: pod("1") });
  refused({ user: "u", pod: pod("1") });
  streams.acquire({ user: "u", pod: pod("2") });
  refused({ user: "u", pod: pod("2") });
  streams.acquire({ user: "v" });
  streams.acquire({ user: "v" });
  refused({ user: "w" });
  close();
  close();
  streams.acquire({ user: "w" });
  refused({ user: "w" });
});

Deno.test("streams: too many watches of one pod do not close watches of other pods, and the refusal has Retry-After", async () => {
  const api = createApiServer({ storePath: ":memory:" });
  const admin = api.client();
  await admin.create(SERVICE_ACCOUNTS, "a", { metadata: { name: "runner" } });
  const tokens: string[] = [];
  for (const name of ["greedy", "quiet"]) {
    const spec = { containers: [{ name: "main", image: "i" }] };
    const { metadata: { uid } } = await admin.create(PODS, "a", { metadata: { name }, spec });
    const issued = await admin.request("POST", "/api/v1/namespaces/a/serviceaccounts/runner/token", {
      body: { spec: { boundObjectRef: { kind: "Pod", name, uid } } },
    });
    tokens.push(String(fieldsOf(fieldsOf(issued).status).token));
  }
  const [greedy = "", quiet = ""] = tokens;
  const served = await api.serve();
  const stop = new AbortController();
  const watch = (token: string) =>
    fetch(`${served.url}/api/v1/namespaces/a/configmaps?watch=true`, {
      headers: { authorization: `Bearer ${token}` },
      signal: stop.signal,
    });
  const open = await Promise.all(Array.from({ length: MAX_STREAMS.pod }, () => watch(greedy)));
  assertEquals(new Set(open.map(({ status }) => status)), new Set([200]));
  const refused = await watch(greedy);
  assertEquals([refused.status, refused.headers.get("retry-after")], [429, "1"]);
  assertEquals((await refused.json()).reason, "TooManyRequests");
  const other = await watch(quiet);
  assertEquals(other.status, 200);
  // The end of one watch makes room for another.
  await open[0]!.body!.cancel();
  await awaitFact("another watch opens", async () => {
    const again = await watch(greedy);
    if (again.status !== 200) await again.body?.cancel();
    return again.status === 200;
  }, { seconds: 10 });
  stop.abort();
  await served.close();
  api.close();
});
