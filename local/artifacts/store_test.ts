import { assert, assertEquals, assertNotEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { signHeaders } from "@tiphys/stores/s3/signature";
import { EMBEDDED_STORE } from "@tiphys/base/constants";
import { ArtifactStore, DamagedBlock } from "./artifact_store.ts";
import { accessKeyOf, secretKeyOf } from "./credentials.ts";
import { BLOCK_BYTES } from "./limits.ts";
import { s3Handler } from "./s3_handler.ts";
import { serveStore } from "./serve.ts";

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);

interface StoreRequest {
  readonly method?: string;
  readonly path: string;
  readonly query?: readonly (readonly [string, string])[];
  readonly body?: BodyInit;
  readonly namespace?: string;
  readonly headers?: Record<string, string>;
  readonly at?: number;
  /** Changes the request after it was signed. */
  readonly change?: (headers: Headers) => void;
}

/** A store in a temporary folder, which is called without a network connection. */
async function openStore(folder: string, limitBytes?: number) {
  const store = await ArtifactStore.open({ folder, ...(limitBytes === undefined ? {} : { limitBytes }) });
  const handler = s3Handler({ store, now: () => NOW });
  return {
    store,
    async ask(
      { method = "GET", path, query = [], body, namespace = "a", headers = {}, at = NOW, change }: StoreRequest,
    ) {
      const keys = { accessKey: accessKeyOf(namespace), secretKey: secretKeyOf(store, namespace) };
      const all = signHeaders(
        { method, path, query, host: "h", headers, payload: "UNSIGNED-PAYLOAD" },
        keys,
        { service: "s3", region: "us-east-1", at },
      );
      const sent = new Headers({ ...all, host: "h" });
      change?.(sent);
      const text = query.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&");
      const request = new Request("http://h/", { method, headers: sent, ...(body === undefined ? {} : { body }) });
      // `Request` normalizes its path, unlike a request that a server receives.
      Object.defineProperty(request, "url", { value: `http://h${path}${text ? `?${text}` : ""}` });
      const answer = await handler(request);
      return { status: answer.status, text: await answer.text(), headers: answer.headers };
    },
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}

async function inFolder(act: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await act(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function filesBelow(folder: string): Promise<string[]> {
  const names: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    if (isDirectory) names.push(...await filesBelow(`${folder}/${name}`));
    else names.push(`${folder}/${name}`);
  }
  return names.sort();
}

/**
 * Returns a free port outside of the range from which systems choose ports, so that no connection of another test has
 * it when the store opens it again.
 */
function stablePort(): number {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 10_000);
    try {
      Deno.listen({ hostname: "127.0.0.1", port }).close();
      return port;
    } catch (error) {
      if (!(error instanceof Deno.errors.AddrInUse)) throw error;
    }
  }
}

const at = (key: string) => `/${EMBEDDED_STORE.bucket}/${key}`;

Deno.test("namespaces: cannot read, list, change or remove objects of another namespace", () =>
  inFolder(async (folder) => {
    await using store = await openStore(folder);
    await store.ask({ method: "PUT", path: at("k"), body: "of a" });
    assertEquals((await store.ask({ path: at("k"), namespace: "b" })).status, 404);
    const list = { path: `/${EMBEDDED_STORE.bucket}`, query: [["list-type", "2"]] as const };
    assertStringIncludes((await store.ask({ ...list, namespace: "b" })).text, "<KeyCount>0</KeyCount>");
    await store.ask({ method: "PUT", path: at("k"), body: "of b", namespace: "b" });
    await store.ask({ method: "DELETE", path: at("k"), namespace: "b" });
    assertEquals((await store.ask({ path: at("k") })).text, "of a");
  }));

Deno.test("signature: a request that is unsigned or changed after signing is rejected", () =>
  inFolder(async (folder) => {
    await using store = await openStore(folder);
    await store.ask({ method: "PUT", path: at("k"), body: "secret" });
    const code = async (request: StoreRequest) => {
      const { status, text } = await store.ask(request);
      assert(!text.includes("secret"), text);
      return `${status} ${/<Code>(\w+)/.exec(text)?.[1]}`;
    };
    const change = (name: string, value: (before: string) => string) => (headers: Headers) =>
      headers.set(name, value(headers.get(name) ?? ""));
    const path = at("k");
    assertEquals(await code({ path, change: (headers) => headers.delete("authorization") }), "403 AccessDenied");
    const other = change("authorization", (text) => text.replace("namespace:a", "namespace:b"));
    assertEquals(await code({ path, change: other }), "403 SignatureDoesNotMatch");
    assertEquals(await code({ path, change: change("host", () => "other") }), "403 SignatureDoesNotMatch");
    const region = change("authorization", (text) => text.replace("us-east-1", "eu-west-1"));
    assertEquals(await code({ path, change: region }), "403 SignatureDoesNotMatch");
    const unknown = change("authorization", (text) => text.replace("namespace:a", "somebody"));
    assertEquals(await code({ path, change: unknown }), "403 InvalidAccessKeyId");
    const malformed = change("authorization", () => "AWS4-HMAC-SHA256 nonsense");
    assertEquals(await code({ path, change: malformed }), "400 AuthorizationHeaderMalformed");
    assertEquals(await code({ path, at: NOW - 16 * 60_000 }), "403 RequestTimeTooSkewed");
    assertEquals(await code({ path, change: (headers) => headers.delete("x-amz-date") }), "403 AccessDenied");
  }));

Deno.test("keys: never refer to a file outside of the store, and are not normalized", () =>
  inFolder(async (top) => {
    const folder = `${top}/store`;
    const keys = [
      "../../evil",
      "/etc/passwd",
      "a/../../b",
      "%2e%2e%2fx",
      "./a",
      "a//b",
      "..",
      "blocks/aa",
      "index.sqlite",
    ];
    {
      await using store = await openStore(folder);
      for (const key of keys) assertEquals((await store.ask({ method: "PUT", path: at(key), body: key })).status, 200);
      for (const key of keys) assertEquals((await store.ask({ path: at(key) })).text, key);
    }
    const names = (await filesBelow(top)).map((name) => name.slice(top.length));
    for (const name of names) {
      assert(/^\/store\/(index\.sqlite|blocks\/[0-9a-f]{2}\/[0-9a-f]{64})$/.test(name), name);
    }
    assertEquals((Deno.statSync(folder).mode ?? 0) & 0o777, 0o700);
  }));

Deno.test("blocks: equal content is stored once, and removed with its last key", () =>
  inFolder(async (folder) => {
    await using store = await openStore(folder);
    const blocks = async () => (await filesBelow(`${folder}/blocks`)).length;
    for (const key of ["one", "two", "three"]) await store.ask({ method: "PUT", path: at(key), body: "same" });
    assertEquals(await blocks(), 1);
    await store.ask({ method: "PUT", path: at("one"), body: "other" });
    await store.ask({ method: "DELETE", path: at("two") });
    assertEquals(await blocks(), 2);
    await store.ask({ method: "DELETE", path: at("three") });
    assertEquals(await blocks(), 1);
    assertEquals((await store.ask({ path: at("one") })).text, "other");
  }));

Deno.test("blocks: a damaged block is never returned", () =>
  inFolder(async (folder) => {
    await using store = await openStore(folder);
    await store.ask({ method: "PUT", path: at("k"), body: "right" });
    const [block] = await filesBelow(`${folder}/blocks`);
    await Deno.writeTextFile(block!, "wrong");
    const { status, text } = await store.ask({ path: at("k") });
    assertEquals(status, 422);
    assertStringIncludes(text, "DamagedObject");
    const object = store.store.index.object("a", "k")!;
    await assertRejects(() => store.store.read(object, 0, 5), DamagedBlock);
    await store.ask({ method: "PUT", path: at("k"), body: "right" });
    assertEquals((await store.ask({ path: at("k") })).text, "right");
  }));

Deno.test("limit: an upload above the limit is rejected and removed", () =>
  inFolder(async (folder) => {
    await using store = await openStore(folder, 10);
    assertEquals((await store.ask({ method: "PUT", path: at("k"), body: "12345678" })).status, 200);
    const { status, text } = await store.ask({ method: "PUT", path: at("l"), body: "abcdefgh" });
    assertEquals(status, 413);
    assertStringIncludes(text, "QuotaExceeded");
    assertEquals((await filesBelow(`${folder}/blocks`)).length, 1);
    await store.ask({ method: "DELETE", path: at("k") });
    assertEquals((await store.ask({ method: "PUT", path: at("l"), body: "abcdefgh" })).status, 200);
  }));

Deno.test("checksum: content that does not match is rejected, and the existing object is kept", () =>
  inFolder(async (folder) => {
    await using store = await openStore(folder);
    await store.ask({ method: "PUT", path: at("k"), body: "before" });
    const sums = [["x-amz-checksum-crc32", "AAAAAA=="], ["content-md5", "AAAA"], ["x-amz-checksum-sha256", "AAAA"]];
    for (const [name = "", value = ""] of sums) {
      const { status } = await store.ask({ method: "PUT", path: at("k"), body: "after", headers: { [name]: value } });
      assertEquals(status, 400, name);
    }
    assertEquals((await store.ask({ path: at("k") })).text, "before");
    assertEquals((await filesBelow(`${folder}/blocks`)).length, 1);
  }));

Deno.test("restart: objects, keys and the port are kept, and incomplete blocks are removed", () =>
  inFolder(async (folder) => {
    let before = { port: stablePort(), secret: "" };
    {
      await using store = await openStore(folder);
      store.store.index.changeSetting("port", `${before.port}`);
      await store.ask({ method: "PUT", path: at("k"), body: "kept" });
      const id = /<UploadId>(.*?)</.exec(
        (await store.ask({ method: "POST", path: at("part"), query: [["uploads", ""]] })).text,
      )?.[1] ?? "";
      const query = [["partNumber", "1"], ["uploadId", id]] as const;
      assertEquals((await store.ask({ method: "PUT", path: at("part"), query, body: "lost" })).status, 200);
      await using served = await serveStore(store.store);
      before = { port: served.port, secret: secretKeyOf(store.store, "a") };
      await Deno.writeTextFile(`${folder}/tmp/0`, "half");
    }
    await using store = await openStore(folder);
    await using served = await serveStore(store.store);
    assertEquals({ port: served.port, secret: secretKeyOf(store.store, "a") }, before);
    assertEquals(served.repository.s3?.endpoint, `127.0.0.1:${before.port}`);
    assertEquals((await store.ask({ path: at("k") })).text, "kept");
    assertEquals(store.store.index.uploads("a"), []);
    assertEquals((await filesBelow(`${folder}/blocks`)).length, 1);
    assertEquals(await filesBelow(`${folder}/tmp`), []);
  }));

Deno.test("port: a free port is chosen at the first start and saved", () =>
  inFolder(async (folder) => {
    await using store = await openStore(folder);
    await using served = await serveStore(store.store);
    assertEquals(store.store.index.setting("port", () => "not saved"), `${served.port}`);
  }));

Deno.test("port: if the saved port is in use, another port is used with a notice, and the saved port at the next start", () =>
  inFolder(async (folder) => {
    await using store = await openStore(folder);
    const port = stablePort();
    store.store.index.changeSetting("port", `${port}`);
    const notices: string[] = [];
    {
      using _taken = Deno.listen({ hostname: "127.0.0.1", port });
      await using served = await serveStore(store.store, { onNotice: (text) => notices.push(text) });
      assertNotEquals(served.port, port);
      assertStringIncludes(notices.join(), `port ${port}`);
    }
    await using served = await serveStore(store.store);
    assertEquals(served.port, port);
  }));

Deno.test("list: a delimiter combines the keys below a folder, across pages", () =>
  inFolder(async (folder) => {
    await using store = await openStore(folder);
    const keys = ["a.txt", "d/1", "d/2/3", "e.txt", "f/1", "z"];
    for (const key of [...keys, ...Array.from({ length: 300 }, (_, n) => `d/many/${n}`)]) {
      assertEquals((await store.ask({ method: "PUT", path: at(key), body: "x" })).status, 200);
    }
    const list = async (more: readonly (readonly [string, string])[]) => {
      const query = [["list-type", "2"], ["delimiter", "/"], ...more] as const;
      const { text } = await store.ask({ path: `/${EMBEDDED_STORE.bucket}`, query });
      const rows = [...text.matchAll(/<(?:Key|CommonPrefixes><Prefix)>([^<]*)</g)].map(([, key]) => key!);
      return { rows, next: /<NextContinuationToken>([^<]*)</.exec(text)?.[1] };
    };
    assertEquals((await list([])).rows, ["a.txt", "d/", "e.txt", "f/", "z"]);
    assertEquals((await list([["prefix", "d/"]])).rows, ["d/1", "d/2/", "d/many/"]);
    assertEquals((await list([["prefix", "d"], ["max-keys", "1"]])).rows, ["d/"]);
    const pages: string[][] = [];
    let next: string | undefined;
    do {
      const page = await list([
        ["max-keys", "2"],
        ...next === undefined ? [] : [["continuation-token", next]] as const,
      ]);
      pages.push(page.rows);
      next = page.next;
    } while (next !== undefined);
    assertEquals(pages, [["a.txt", "d/"], ["e.txt", "f/"], ["z"]]);
  }));

Deno.test("requests: unsupported requests are rejected", () =>
  inFolder(async (folder) => {
    await using store = await openStore(folder);
    const bucket = `/${EMBEDDED_STORE.bucket}`;
    const unsupported: StoreRequest[] = [
      { path: bucket, query: [["versioning", ""]] },
      { path: at("k"), query: [["acl", ""]] },
      { method: "PUT", path: at("k"), body: "x", headers: { "x-amz-server-side-encryption": "AES256" } },
      { method: "PUT", path: at("k"), body: "x", headers: { "x-amz-copy-source": "/artifacts/other" } },
    ];
    for (const request of unsupported) assertEquals((await store.ask(request)).status, 501, JSON.stringify(request));
    assertEquals((await store.ask({ path: at("k") })).status, 404);
  }));

Deno.test("read: continues to the end if the object is replaced or removed, and then its blocks are removed", () =>
  inFolder(async (folder) => {
    await using store = await openStore(folder);
    const blocks = async () => (await filesBelow(`${folder}/blocks`)).length;
    const old = new Uint8Array(BLOCK_BYTES + 10).fill(1);
    const begin = async () => {
      using received = await store.store.receive(new Blob([old]).stream());
      const object = store.store.put("a", "k", received, {});
      return (await store.store.read(object, 0, object.size)).getReader();
    };
    const changes = [() => store.ask({ method: "PUT", path: at("k"), body: "new" }), () => {
      return store.ask({ method: "DELETE", path: at("k") });
    }];
    for (const change of changes) {
      const reader = await begin();
      await change();
      const left = await blocks();
      let seen = 0;
      for (let part = await reader.read(); !part.done; part = await reader.read()) seen += part.value.length;
      assertEquals(seen, old.length);
      assertEquals(await blocks(), left - 2);

      const leaver = await begin();
      await change();
      await leaver.cancel();
      assertEquals(await blocks(), left - 2);
    }
  }));

Deno.test("receive: content that one writer discards is kept for another writer of the same content", () =>
  inFolder(async (folder) => {
    await using store = await openStore(folder);
    for (let round = 0; round < 100; round++) {
      const write = async (key: string) => {
        await store.ask({ method: "PUT", path: at(key), body: `round ${round}` });
        if (key === "kept") return;
        await store.ask({ method: "DELETE", path: at(key) });
      };
      await Promise.all(["gone 1", "kept", "gone 2"].map(write));
      assertEquals((await store.ask({ path: at("kept") })).text, `round ${round}`);
    }
  }));

Deno.test("if-none-match: only one of several concurrent writers succeeds", () =>
  inFolder(async (folder) => {
    await using store = await openStore(folder);
    const write = (body: string) =>
      store.ask({ method: "PUT", path: at("k"), headers: { "if-none-match": "*" }, body });
    const statuses = (await Promise.all(["a", "b", "c"].map(write))).map(({ status }) => status);
    assertEquals(statuses.toSorted(), [200, 412, 412]);
    const [winner] = ["a", "b", "c"].filter((_, index) => statuses[index] === 200);
    assertEquals((await store.ask({ path: at("k") })).text, winner);
  }));

Deno.test("limit: applies to the sum of concurrent writers, and a rejected writer frees its share", () =>
  inFolder(async (folder) => {
    await using store = await openStore(folder, 3 * BLOCK_BYTES);
    // Two blocks with different content, because equal ones are stored once.
    const write = (number: number) => {
      const body = new Uint8Array(2 * BLOCK_BYTES).fill(number).fill(100 + number, BLOCK_BYTES);
      return store.ask({ method: "PUT", path: at(`k${number}`), body });
    };
    const statuses = (await Promise.all([1, 2, 3].map(write))).map(({ status }) => status);
    assert(statuses.filter((status) => status === 200).length <= 1, statuses.join());
    for (const number of [1, 2, 3]) await store.ask({ method: "DELETE", path: at(`k${number}`) });
    assertEquals((await write(4)).status, 200);
  }));
