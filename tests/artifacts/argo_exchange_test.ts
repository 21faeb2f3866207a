/**
 * Artifacts that Argo's executor saves can be loaded by ours, and vice versa: archives in S3, encrypted with a
 * customer-provided key. `ARGO_EXECUTOR` is the path of Argo's `argoexec`; without it the test is skipped.
 */
import { assertEquals, assertRejects } from "@std/assert";
import { listingOf } from "../../lib/artifacts/formats/testing/raw_archives.ts";
import { joinedBytes } from "@tiphys/base/joined_bytes";
import { load, retryPolicyOf, save, type SaveFormat } from "@tiphys/artifacts/transfer";
import { systemClock } from "@tiphys/base/clock";
import { Folder, Handle } from "@tiphys/base/confined";
import { needs } from "../../lib/base/testing/needs.ts";
import { serveReports } from "../bench/artifacts/api_stand_in.ts";
import { moveArtifact } from "../bench/artifacts/pod_stage.ts";
import { contractSecrets, driverAt, settingsAt } from "./servers/s3.ts";

const PROGRAM = Deno.env.get("ARGO_EXECUTOR");
const CAN = PROGRAM !== undefined && Deno.build.os === "linux" && Deno.uid() === 0;

const CUSTOMER_KEY = "x-amz-server-side-encryption-customer-key";

/** An object, and the customer key that a client must send to read it. */
interface StoredObject {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly key: string | null;
}

/** Serves the few S3 requests that both executors send, over TLS. Objects are returned only with their customer key. */
function serveObjects(cert: string, key: string) {
  const objects = new Map<string, StoredObject>();
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, cert, key, onListen() {} }, async (request) => {
    const { pathname, searchParams } = new URL(request.url);
    if (searchParams.has("location")) return new Response("<LocationConstraint/>");
    if (searchParams.has("list-type")) {
      return new Response("<ListBucketResult><KeyCount>0</KeyCount></ListBucketResult>");
    }
    const customer = request.headers.get(CUSTOMER_KEY);
    if (request.method === "PUT") {
      const body = new Uint8Array(await request.arrayBuffer());
      const isChunked = request.headers.get("x-amz-content-sha256")?.startsWith("STREAMING-");
      objects.set(pathname, { bytes: isChunked ? decodeChunks(body) : body, key: customer });
      return new Response(null, { headers: { etag: '"e"' } });
    }
    const found = objects.get(pathname);
    if (!found) return new Response("<Error><Code>NoSuchKey</Code></Error>", { status: 404 });
    if (found.key !== customer) return new Response("<Error><Code>InvalidRequest</Code></Error>", { status: 400 });
    const headers = {
      etag: '"e"',
      "last-modified": new Date().toUTCString(),
      "content-length": `${found.bytes.length}`,
    };
    return new Response(request.method === "HEAD" ? null : found.bytes, { headers });
  });
  return { objects, port: server.addr.port, [Symbol.asyncDispose]: () => server.shutdown() };
}

/** Decodes a chunked body of S3: for each chunk a line `SIZE;…` (hexadecimal), then SIZE bytes and a line end. */
function decodeChunks(body: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for (let offset = 0;;) {
    const end = body.indexOf(0x0a, offset);
    const size = parseInt(new TextDecoder().decode(body.subarray(offset, end)), 16);
    if (!(size > 0)) break;
    parts.push(body.subarray(end + 1, end + 1 + size));
    offset = end + 1 + size + 2;
  }
  return joinedBytes(parts);
}

async function makeTree(path: string): Promise<void> {
  await Deno.mkdir(`${path}/sub`, { recursive: true });
  await Deno.mkdir(`${path}/hollow`);
  await Deno.writeTextFile(`${path}/text`, "text");
  await Deno.writeTextFile(`${path}/sub/bücher`, "unicode".repeat(5_000));
  await Deno.writeTextFile(`${path}/run`, "echo");
  await Deno.chmod(`${path}/run`, 0o755);
  await Deno.symlink("text", `${path}/link`);
}

/** The listing of a folder without owners, link counts and times. */
function listingWithoutOwners(folder: string): string[] {
  return listingOf(folder).map((line) => line.replace(/ \d+:\d+/, "").replace(/ x1 -?\d+/, ""));
}

Deno.test({
  ...needs(
    "root, Linux and ARGO_EXECUTOR",
    CAN,
    "exchange with Argo: each executor reads what the other saved with a customer key, and nobody without that key does (AR-72)",
  ),
  async fn() {
    const folder = await Deno.makeTempDir();
    await using opened = new AsyncDisposableStack();
    opened.defer(() => Deno.remove(folder, { recursive: true }));
    const api = opened.use(await serveReports(folder));
    const [cert, key, ca] = ["tls.crt", "tls.key", "ca.crt"].map((name) => Deno.readTextFileSync(`${folder}/${name}`));
    const store = opened.use(serveObjects(cert!, key!));
    const secrets = { ...contractSecrets(), ca: ca!, customer: "a secret of the customer's", other: "another" };
    const settingsOf = (customer: string) => ({
      ...settingsAt(store.port),
      insecure: false,
      region: "us-east-1",
      caSecret: { name: "s", key: "ca" },
      encryptionOptions: { enableEncryption: true, serverSideCustomerKeySecret: { name: "s", key: customer } },
    });
    const settings = settingsOf("customer");
    await Deno.mkdir(`${folder}/argo/bin`, { recursive: true });
    await Deno.copyFile(PROGRAM!, `${folder}/argo/bin/argoexec`);
    await Deno.chmod(`${folder}/argo/bin/argoexec`, 0o755);
    const argo = { name: "Argo's", folder: `${folder}/argo`, command: "/argo-bin/bin/argoexec" };
    const around = { api, store: settings, secrets, folder };
    const driverOf = async (customer: string) => {
      const known: Readonly<Record<string, string>> = secrets;
      const driver = await driverAt(settingsOf(customer), { secret: (_, name) => Promise.resolve(known[name] ?? "") });
      return Object.assign(driver, { [Symbol.asyncDispose]: async () => await driver.close?.() });
    };
    const how = {
      policy: { ...retryPolicyOf(() => undefined), steps: 1 },
      clock: systemClock,
      stop: new AbortController().signal,
      log: () => {},
      objects: 2,
      env: () => undefined,
    };
    const at = (name: string) => ({ store: "s3", key: name, settings });
    const tree = `${folder}/tree`;
    await makeTree(tree);

    for (const packing of ["tar", "none"] as const) {
      const from = packing === "tar" ? tree : `${tree}/sub/bücher`;
      await moveArtifact(argo, around, { direction: "save", packing, key: `argo-${packing}`, from });
      await using driver = await driverOf("customer");
      using target = Folder.open(folder);
      await load(driver, at(`argo-${packing}`), {
        target: { folder: target, name: `in-${packing}` },
        packing,
        transfer: how,
      });
      if (packing === "tar") assertEquals(listingWithoutOwners(`${folder}/in-tar`), listingWithoutOwners(tree));
      else assertEquals(await Deno.readTextFile(`${folder}/in-none`), await Deno.readTextFile(from));

      using held = Handle.open(from);
      const packed: SaveFormat = packing === "tar" ? { kind: "tar", name: "tree" } : { kind: "none" };
      await save(driver, at(`ours-${packing}`), { held, packed, how });
      await moveArtifact(argo, around, { direction: "load", packing, key: `ours-${packing}` }, async (root) => {
        const got = `${root}/argo/inputs/artifacts/content`;
        if (packing === "tar") assertEquals(listingWithoutOwners(got), listingWithoutOwners(tree));
        else assertEquals(await Deno.readTextFile(got), await Deno.readTextFile(from));
      });
      await using stranger = await driverOf("other");
      for (const name of [`argo-${packing}`, `ours-${packing}`]) {
        await assertRejects(() => stranger.read(at(name), {}, how.stop), Error, "InvalidRequest");
      }
    }
    const keys = [...store.objects.values()].map(({ key }) => key);
    assertEquals([keys.length, keys.includes(null), new Set(keys).size], [4, false, 4]);
  },
});
