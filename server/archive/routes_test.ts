/**
 * Tests of the archive through the server: lists that merge archived and live workflows, and the archive's own routes.
 */
import { assert, assertEquals } from "@std/assert";
import type { NodeStatus, Workflow } from "@tiphys/model/api";
import { LABEL } from "@tiphys/base/constants";
import { silentLog } from "@tiphys/base/log";
import { WORKFLOWS } from "@tiphys/kube";
import { awaitFact } from "../../tests/await_fact.ts";
import { archiveBench, endedWorkflow } from "../testing/archive_bench.ts";
import { NAMESPACE, type ServerBench, serverBench } from "../testing/server_bench.ts";
import { ArchiveSource } from "./archive_source.ts";

const LIVE = `/api/v1/workflows/${NAMESPACE}`;
const ARCHIVED = "/api/v1/archived-workflows";

async function json(server: ServerBench, method: string, path: string, body?: unknown, token?: string) {
  const response = await server.ask(method, path, {
    ...(body === undefined ? {} : { body }),
    ...(token ? { token } : {}),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

const namesOf = (items: readonly Workflow[] | null) => (items ?? []).map(({ metadata }) => metadata.name).join(" ");

async function names(server: ServerBench, path: string): Promise<string> {
  const { status, body } = await json(server, "GET", path);
  assertEquals(status, 200, JSON.stringify(body));
  return namesOf(body.items);
}

/** Creates a workflow in the cluster. Resolves to its UID when the server's cache contains it. */
async function createLive(server: ServerBench, workflow: Workflow): Promise<string> {
  const { uid: _, ...metadata } = workflow.metadata;
  const made = await server.admin.create<Workflow>(WORKFLOWS, NAMESPACE, { ...workflow, metadata });
  await awaitFact("the server's cache contains the workflow", async () => {
    const { body } = await json(server, "GET", `${LIVE}?listOptions.limit=1000`);
    return (body.items ?? []).some((item: Workflow) => item.metadata.uid === made.metadata.uid);
  }, { seconds: 20 });
  return made.metadata.uid ?? "";
}

/** Returns the names on each page of a list, and the remaining count of the first page. */
async function namesByPage(server: ServerBench, query: string): Promise<string[]> {
  const found: string[] = [];
  let next = "";
  do {
    const { body } = await json(server, "GET", `${LIVE}?${query}&listOptions.continue=${encodeURIComponent(next)}`);
    found.push(namesOf(body.items));
    next = body.metadata.continue ?? "";
  } while (next !== "" && found.length < 100);
  return found;
}

Deno.test("archive list: live and archived workflows are merged in order, without duplicates, for any page size", async () => {
  await using bench = await archiveBench();
  const { server, archive } = bench;
  for (const minute of [1, 3, 5]) await archive.archive(endedWorkflow(`old-${minute}`, minute));
  for (const minute of [2, 4, 6]) await createLive(server, endedWorkflow(`new-${minute}`, minute));
  const all = "new-6 old-5 new-4 old-3 new-2 old-1";
  assertEquals(await names(server, LIVE), all);
  assertEquals((await json(server, "GET", LIVE)).body.metadata.continue, undefined);
  for (const limit of [1, 2, 3, 4, 5, 6, 7]) {
    const found = await namesByPage(server, `listOptions.limit=${limit}`);
    assertEquals(found.join(" "), all, `limit ${limit}`);
    assertEquals(found.length, Math.ceil(6 / limit), `limit ${limit}`);
  }
});

Deno.test("archive list: a numeric continue skips that many workflows of both sources", async () => {
  await using bench = await archiveBench();
  const { server, archive } = bench;
  for (const minute of [1, 2, 3, 4, 7, 8]) await archive.archive(endedWorkflow(`old-${minute}`, minute));
  for (const minute of [5, 6]) await createLive(server, endedWorkflow(`new-${minute}`, minute));
  const all = (await names(server, LIVE)).split(" ");
  for (let skip = 0; skip <= all.length; skip++) {
    const found = await names(server, `${LIVE}?listOptions.limit=2&listOptions.continue=${skip}`);
    assertEquals(found, all.slice(skip, skip + 2).join(" "), `from ${skip}`);
  }
});

Deno.test("archive list: a workflow that is archived between two pages is listed", async () => {
  await using bench = await archiveBench();
  const { server, archive } = bench;
  for (const minute of [1, 2, 3]) await archive.archive(endedWorkflow(`old-${minute}`, minute));
  for (const minute of [4, 5, 6]) await createLive(server, endedWorkflow(`new-${minute}`, minute));
  const first = await json(server, "GET", `${LIVE}?listOptions.limit=2`);
  assertEquals(namesOf(first.body.items), "new-6 new-5");
  const moving = await server.admin.get<Workflow>(WORKFLOWS, NAMESPACE, "new-4");
  await archive.archive(moving);
  await server.admin.delete(WORKFLOWS, NAMESPACE, "new-4");
  const rest = () => names(server, `${LIVE}?listOptions.continue=${first.body.metadata.continue}`);
  assertEquals(await rest(), "new-4 old-3 old-2 old-1");
});

Deno.test("archive list: a workflow in both sources is listed once, as Persisted, or live if it runs again", async () => {
  await using bench = await archiveBench();
  const { server, archive } = bench;
  const archived = endedWorkflow("kept", 1, { labels: { [LABEL.archivingStatus]: "Pending" } });
  const uid = await createLive(server, archived);
  await archive.archive({ ...archived, metadata: { ...archived.metadata, uid } });
  const status = async () => {
    const { body } = await json(server, "GET", `${LIVE}?listOptions.fieldSelector=ext.showRemainingItemCount=true`);
    return [body.items.length, body.metadata.remainingItemCount, body.items[0].metadata.labels[LABEL.archivingStatus]];
  };
  assertEquals(await status(), [1, 0, "Pending"]);
  await server.admin.patch(WORKFLOWS, NAMESPACE, "kept", {
    metadata: { labels: { [LABEL.archivingStatus]: "Archived" } },
  });
  await awaitFact("the row of the archive is listed", async () => (await status())[2] === "Persisted", { seconds: 20 });
  assertEquals(await status(), [1, 0, "Persisted"]);
});

Deno.test("archive list: the remaining count is exact for both sources, and only sent on request", async () => {
  await using bench = await archiveBench();
  const { server, archive } = bench;
  for (let minute = 0; minute < 7; minute++) await archive.archive(endedWorkflow(`old-${minute}`, minute));
  const again = endedWorkflow("again", 3);
  const uid = await createLive(server, again);
  await archive.archive({ ...again, metadata: { ...again.metadata, uid } });
  const left = async (query: string) =>
    (await json(server, "GET", `${LIVE}?${query}`)).body.metadata.remainingItemCount;
  const shown = "listOptions.fieldSelector=ext.showRemainingItemCount=true";
  assertEquals(await left(`listOptions.limit=2&${shown}`), 6);
  assertEquals(await left(`listOptions.limit=8&${shown}`), 0);
  assertEquals(await left("listOptions.limit=2"), undefined);
});

Deno.test("archive list: label operators match live and archived workflows alike", async () => {
  await using bench = await archiveBench();
  const { server, archive } = bench;
  const labels: readonly Record<string, string>[] = [{ env: "prod", size: "5" }, { env: "test", size: "50" }, {
    size: "large",
  }, {}];
  for (const [index, own] of labels.entries()) {
    await archive.archive(endedWorkflow(`old-${index}`, index, { labels: own }));
    await createLive(server, endedWorkflow(`new-${index}`, index, { labels: own }));
  }
  const selectors = [
    "env",
    "!env",
    "env=prod",
    "env==prod",
    "env!=prod",
    "env in (prod,test)",
    "env notin (prod)",
    "size>5",
    "size<50",
  ];
  for (const selector of selectors) {
    const found = (await names(server, `${LIVE}?listOptions.labelSelector=${encodeURIComponent(selector)}`)).split(" ")
      .sort();
    const [news, olds] = ["new-", "old-"].map((prefix) =>
      found.filter((name) => name.startsWith(prefix)).map((name) => name.slice(4))
    );
    assert(news!.length > 0 && news!.length < labels.length, selector);
    assertEquals(news, olds, selector);
  }
});

Deno.test("archive list: name filters have no wildcards, for live and archived workflows", async () => {
  await using bench = await archiveBench();
  const { server, archive } = bench;
  for (const [index, name] of ["a_b", "axb", "a%b"].entries()) await archive.archive(endedWorkflow(name, index));
  const path = (filter: string, name: string) =>
    `${ARCHIVED}?nameFilter=${filter}&listOptions.fieldSelector=metadata.name=${encodeURIComponent(name)}`;
  assertEquals(await names(server, path("Contains", "_")), "a_b");
  assertEquals(await names(server, path("Contains", "%")), "a%b");
  assertEquals(await names(server, path("Prefix", "a_")), "a_b");
  assertEquals(await names(server, path("Exact", "axb")), "axb");
  assertEquals(await names(server, path("NotEquals", "axb")), "a%b a_b");
});

Deno.test("archive list: namePrefix is a prefix, and with nameFilter=Exact the whole name", async () => {
  await using bench = await archiveBench();
  const { server, archive } = bench;
  await archive.archive(endedWorkflow("foobar", 1));
  assertEquals(await names(server, `${ARCHIVED}?namePrefix=foo`), "foobar");
  assertEquals(await names(server, `${ARCHIVED}?namePrefix=foo&nameFilter=Exact`), "");
  assertEquals(await names(server, `${ARCHIVED}?namespace=elsewhere`), "");
});

Deno.test("archive: a workflow deleted from the cluster is read from the archive, by UID or as the newest with its name", async () => {
  await using bench = await archiveBench();
  const { server, archive } = bench;
  for (const minute of [1, 3, 2]) await archive.archive(endedWorkflow("w", minute, { uid: `uid-${minute}` }));
  await archive.archive(endedWorkflow("other", 4, { uid: "uid-other" }));
  const uidOf = async (path: string) => {
    const { status, body } = await json(server, "GET", path);
    return status === 200 ? body.metadata.uid : status;
  };
  assertEquals(await uidOf(`${LIVE}/w`), "uid-3");
  assertEquals(await uidOf(`${LIVE}/w?uid=uid-1`), "uid-1");
  assertEquals(await uidOf(`${LIVE}/w?uid=uid-other`), 404);
  assertEquals(await uidOf(`${LIVE}/nobody`), 404);
  const missing = await json(server, "GET", `${LIVE}/nobody`);
  assertEquals(missing.body, { code: 5, message: 'workflows.argoproj.io "nobody" not found' });
  const own = await createLive(server, endedWorkflow("w", 9));
  assertEquals(await uidOf(`${LIVE}/w`), own);
  assertEquals(await uidOf(`${LIVE}/w?uid=uid-2`), "uid-2");
});

Deno.test("archive: a workflow is read and deleted by UID, or by namespace and name", async () => {
  await using bench = await archiveBench();
  const { server, archive } = bench;
  await archive.archive(endedWorkflow("a", 1));
  await archive.archive(endedWorkflow("b", 2));
  assertEquals((await json(server, "GET", `${ARCHIVED}/uid-a`)).body.metadata.name, "a");
  assertEquals((await json(server, "GET", `${ARCHIVED}/uid-a?fields=metadata.uid`)).body, {
    metadata: { uid: "uid-a" },
    spec: { arguments: {} },
    status: { startedAt: null, finishedAt: null },
  });
  assertEquals((await json(server, "GET", `${ARCHIVED}/uid-a?namespace=elsewhere`)).status, 404);
  const missing = await json(server, "GET", `${ARCHIVED}/nobody`);
  assertEquals([missing.status, missing.body], [404, { code: 5, message: "not found" }]);
  assertEquals((await json(server, "DELETE", `${ARCHIVED}/uid-a`)).body, {});
  assertEquals((await json(server, "DELETE", `${ARCHIVED}/uid-a`)).status, 404);
  assertEquals(await names(server, ARCHIVED), "b");
});

Deno.test("archive: a caller with access to one namespace cannot detect archived workflows elsewhere", async () => {
  await using bench = await archiveBench(["client"]);
  const { server, archive } = bench;
  await archive.archive(endedWorkflow("mine", 1));
  await archive.archive(endedWorkflow("theirs", 2, { namespace: "elsewhere", uid: "uid-theirs" }));
  const { token } = await namespaceReader(server);
  const ask = async (path: string) => await json(server, "GET", path, undefined, token);
  assertEquals((await ask(`${ARCHIVED}/uid-mine`)).body.metadata.name, "mine");
  const [theirs, nobodys] = [await ask(`${ARCHIVED}/uid-theirs`), await ask(`${ARCHIVED}/uid-nobody`)];
  assertEquals(theirs.status, 403);
  assertEquals(theirs.body, nobodys.body);
  assertEquals((await ask(`${ARCHIVED}/uid-theirs?namespace=${NAMESPACE}`)).status, 404);
  assertEquals((await ask(ARCHIVED)).status, 403);
  assertEquals((await ask(`${ARCHIVED}?namespace=${NAMESPACE}`)).status, 200);
  assertEquals((await ask("/api/v1/archived-workflows-label-keys")).status, 403);
});

/** A caller with permissions on workflows in one namespace only. */
async function namespaceReader(server: ServerBench) {
  const caller = await server.account([]);
  const group = "rbac.authorization.k8s.io";
  const home = { group, version: "v1", namespaced: true };
  const rules = [{ verbs: ["get", "list"], apiGroups: ["argoproj.io"], resources: ["workflows"] }];
  const object = (kind: string, fields: Record<string, unknown>) => ({
    apiVersion: `${group}/v1`,
    kind,
    metadata: { name: caller.name },
    ...fields,
  });
  await server.admin.create({ ...home, plural: "roles", kind: "Role" }, NAMESPACE, object("Role", { rules }));
  await server.admin.create(
    { ...home, plural: "rolebindings", kind: "RoleBinding" },
    NAMESPACE,
    object("RoleBinding", {
      subjects: [{ kind: "ServiceAccount", name: caller.name, namespace: NAMESPACE }],
      roleRef: { apiGroup: group, kind: "Role", name: caller.name },
    }),
  );
  return caller;
}

Deno.test("archive: resubmit creates a workflow with a new name", async () => {
  await using bench = await archiveBench();
  const { server, archive } = bench;
  await archive.archive(endedWorkflow("w", 1, { labels: { team: "red" } }));
  for (const path of [`${ARCHIVED}/uid-w/resubmit`, `${LIVE}/w/resubmit`]) {
    const { status, body } = await json(server, "PUT", path, {});
    assertEquals(status, 200, JSON.stringify(body));
    assert(/^w-/.test(body.metadata.name), body.metadata.name);
    const { team, [LABEL.resubmittedFrom]: from, [LABEL.archivingStatus]: archiving } = body.metadata.labels;
    assertEquals([team, from, archiving], ["red", "w", undefined]);
  }
});

Deno.test("archive: retry restores a workflow under its name, and fails if it still exists in the cluster", async () => {
  await using bench = await archiveBench();
  const { server, archive } = bench;
  await archive.archive(endedWorkflow("w", 1));
  const { status, body } = await json(server, "PUT", `${ARCHIVED}/uid-w/retry`, {});
  assertEquals(status, 200, JSON.stringify(body));
  const made = await server.admin.get<Workflow>(WORKFLOWS, NAMESPACE, "w");
  assert(made.metadata.uid !== "uid-w");
  assertEquals([made.status?.phase, made.metadata.labels?.[LABEL.archivingStatus]], ["", undefined]);
  const again = await json(server, "PUT", `${ARCHIVED}/uid-w/retry`, {});
  assertEquals(again.status, 409);
  assertEquals(again.body.message, "Workflow already exists on cluster, use argo retry {name} instead");
  await server.admin.delete(WORKFLOWS, NAMESPACE, "w");
  assertEquals((await json(server, "PUT", `${LIVE}/w/retry`, {})).status, 200);
  assertEquals((await server.admin.get<Workflow>(WORKFLOWS, NAMESPACE, "w")).status?.phase, "");
});

Deno.test("archive: retry compresses the nodes of a large workflow with the configured algorithm (LC-17)", async () => {
  await using bench = await archiveBench(["server"], { compression: { format: "zstd" } });
  const { server, archive } = bench;
  const ended = endedWorkflow("w", 1);
  const node = ended.status!.nodes!.w!;
  const nodes: Record<string, NodeStatus> = {
    w: { ...node, type: "Steps", children: ["done", "failed"] },
    done: { ...node, id: "done", name: "done", boundaryID: "w", phase: "Succeeded", message: "m".repeat(2 ** 21) },
    failed: { ...node, id: "failed", name: "failed", boundaryID: "w" },
  };
  await archive.archive({ ...ended, status: { ...ended.status, nodes } });
  assertEquals((await json(server, "PUT", `${ARCHIVED}/uid-w/retry`, {})).status, 200);
  const { status } = await server.admin.get<Workflow>(WORKFLOWS, NAMESPACE, "w");
  // The magic number of zstd, in Base64.
  assertEquals(status?.compressedNodes?.slice(0, 5), "KLUv/");
  assertEquals(Object.keys((await json(server, "GET", `${LIVE}/w`)).body.status.nodes).sort(), ["done", "w"]);
});

Deno.test("archive: lists label keys and values", async () => {
  await using bench = await archiveBench(["server"], { isHiddenLabel: (key) => key === "secret" });
  const { server, archive } = bench;
  await archive.archive(endedWorkflow("a", 1, { labels: { team: "red", secret: "x" } }));
  await archive.archive(endedWorkflow("b", 2, { labels: { team: "blue" }, namespace: "elsewhere" }));
  const items = async (path: string) => (await json(server, "GET", path)).body.items;
  assertEquals(await items("/api/v1/archived-workflows-label-keys"), ["secret", "team", LABEL.archivingStatus]);
  assertEquals(await items("/api/v1/archived-workflows-label-keys?namespace=elsewhere"), [
    "team",
    LABEL.archivingStatus,
  ]);
  const values = (selector: string) =>
    json(server, "GET", `/api/v1/archived-workflows-label-values?listOptions.labelSelector=${selector}`);
  assertEquals((await values("team")).body.items, ["blue", "red"]);
  assertEquals((await values("secret")).body.items, []);
  for (const [selector, message] of Object.entries(WRONG_SELECTORS)) {
    const { status, body } = await values(encodeURIComponent(selector));
    assertEquals([status, body.message], [400, message], selector);
  }
});

const WRONG_SELECTORS = {
  "": "only allow 1 labelRequirement, found 0",
  "a,b": "only allow 1 labelRequirement, found 2",
  "a=b": "operation = is not supported",
};

Deno.test("archive: when unavailable, live workflows are listed with a warning, and the archive's routes fail", async () => {
  const settings = { archive: true, sqlite: { file: "/nowhere/at/all/archive.db" } };
  const secret = () => Promise.reject(new Error("unexpected read of a secret"));
  await using source = new ArchiveSource({ settings, log: silentLog, secret });
  await using server = await serverBench(["server"], { archive: source });
  await createLive(server, endedWorkflow("w", 1, { labels: { [LABEL.archivingStatus]: "Archived" } }));
  const listed = await json(server, "GET", LIVE);
  assertEquals(namesOf(listed.body.items), "w");
  assert(listed.headers.get("warning")?.includes("cannot be reached"));
  assertEquals((await json(server, "GET", `${ARCHIVED}/uid-w`)).status, 503);
  assertEquals((await json(server, "GET", ARCHIVED)).body, {
    code: 14,
    message: "the archive of workflows cannot be reached",
  });
});

Deno.test("archive: when not configured, lists are empty, and a request for one workflow fails", async () => {
  await using server = await serverBench(["server"]);
  assertEquals(await names(server, ARCHIVED), "");
  assertEquals((await json(server, "GET", "/api/v1/archived-workflows-label-keys")).body, { items: [] });
  assertEquals((await json(server, "GET", `${ARCHIVED}/uid`)).status, 501);
});
