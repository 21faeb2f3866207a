import { createHash } from "node:crypto";
import { assertEquals } from "@std/assert";
import type { StartedUploads } from "@tiphys/model/artifact";
import { blockingContent, sourceOf, uploadsInMemory } from "../../artifacts/testing/contract/bench.ts";
import { driverOn, errorXml, type ScriptedNet, scriptedNet, STATIC } from "./testing/scripted_net.ts";
import { at, bytes, failureOf, lines, stop, uploads } from "./testing/s3_bench.ts";

/** A store that keeps the parts of uploads, and lists them, two per page. */
function partsStore(change: { crc?: boolean; list?: () => ReturnType<Parameters<typeof scriptedNet>[0]> } = {}) {
  const parts = new Map<number, { text: string; crc: string }>();
  let begun = 0;
  const net = scriptedNet(({ line, headers, body }) => {
    const query = new URLSearchParams(line.slice(line.indexOf("?") + 1));
    if (line.startsWith("POST") && query.has("uploads")) return { body: `<UploadId>u${++begun}</UploadId>` };
    if (line.startsWith("PUT")) {
      parts.set(Number(query.get("partNumber")), { text: body, crc: headers["x-amz-checksum-crc32"]! });
      return { headers: { etag: `"${md5(body)}"` } };
    }
    if (line.startsWith("GET")) {
      const marker = Number(query.get("part-number-marker") ?? 0);
      const found = [...parts].filter(([number]) => number > marker).sort(([a], [b]) => a - b);
      const page = found.slice(0, 2).map(([number, { text, crc }]) =>
        `<Part><PartNumber>${number}</PartNumber><ETag>&quot;${md5(text)}&quot;</ETag><Size>${text.length}</Size>` +
        `${change.crc ? `<ChecksumCRC32>${crc}</ChecksumCRC32>` : ""}</Part>`
      );
      const more = found.length > 2
        ? `<IsTruncated>true</IsTruncated><NextPartNumberMarker>${found[1]![0]}</NextPartNumberMarker>`
        : "";
      return change.list?.() ?? { body: `<ListPartsResult>${page.join("")}${more}</ListPartsResult>` };
    }
    if (line.startsWith("DELETE")) return { status: 404, body: errorXml("NoSuchUpload") };
    return { body: "<ETag>e</ETag>" };
  });
  return { net, parts };
}

function md5(text: string): string {
  return createHash("md5").update(text).digest("hex");
}

/** Sends the content before a byte, like a process that is killed then. */
async function killedAt(net: ScriptedNet, begun: StartedUploads, text: string, byte: number): Promise<void> {
  const stuck = blockingContent(bytes(text), byte);
  const driver = await driverOn(net, STATIC, { begun, limits: { parts: 1, partBytes: 4, objects: 1 } });
  driver.write(at("k"), stuck.source, stop).catch(() => {});
  await stuck.reached;
  net.sent.length = 0;
}

for (const crc of [true, false]) {
  const sum = crc ? "check sums" : "etags";
  Deno.test(`s3: an upload resumes where a killed process left it, by the ${sum} of its parts (AN-04)`, async () => {
    const begun = uploadsInMemory();
    const { net } = partsStore({ crc });
    await killedAt(net, begun, "aaaabbbbccccdddd", 12);
    const driver = await driverOn(net, STATIC, { begun });
    await driver.write(at("k"), sourceOf("aaaaXXXXccccdddd"), stop);
    assertEquals(lines(net.sent).map((line) => line.replace(/^(\S+) \S+\?/, "$1 ")), [
      "GET max-parts=1000&uploadId=u1",
      "GET max-parts=1000&part-number-marker=2&uploadId=u1",
      "PUT partNumber=2&uploadId=u1",
      "PUT partNumber=4&uploadId=u1",
      "POST uploadId=u1",
    ]);
    const named = [...net.sent.at(-1)!.body.matchAll(/&#34;([0-9a-f]+)&#34;/g)].map(([, etag]) => etag);
    assertEquals(named, ["aaaa", "XXXX", "cccc", "dddd"].map(md5));
    assertEquals(begun.said.size, 0);
  });
}

Deno.test("s3: an upload that cannot be resumed is aborted, and another one is started", async () => {
  for (
    const [what, change, text] of [
      ["content of another size", {}, "aaaabbbbccccd"],
      [
        "a store that does not list parts",
        { list: () => ({ status: 501, body: errorXml("NotImplemented") }) },
        undefined,
      ],
      ["an upload that is gone", { list: () => ({ status: 404, body: errorXml("NoSuchUpload") }) }, undefined],
    ] as const
  ) {
    const begun = uploadsInMemory();
    const { net } = partsStore(change);
    await killedAt(net, begun, "aaaabbbbccccdddd", 8);
    await (await driverOn(net, STATIC, { begun })).write(at("k"), sourceOf(text ?? "aaaabbbbccccdddd"), stop);
    const sent = lines(net.sent);
    assertEquals(sent.some((line) => line === "DELETE /b/k?uploadId=u1"), what !== "an upload that is gone", what);
    assertEquals(sent.filter((line) => line.startsWith("PUT")).length, 4, what);
    assertEquals([sent.at(-1), begun.said.size], ["POST /b/k?uploadId=u2", 0], what);
  }
});

Deno.test("s3: a completed or aborted upload is no longer stored; a small one never is", async () => {
  const begun = uploadsInMemory();
  const seen: number[] = [];
  const driver = await driverOn(
    uploads({
      put: () => {
        seen.push(begun.said.size);
        return seen.length === 3 ? { status: 403, body: errorXml("AccessDenied") } : { headers: { etag: '"e"' } };
      },
    }),
    STATIC,
    { begun },
  );
  await driver.write(at("k"), sourceOf("abc"), stop);
  assertEquals([seen, begun.said.size], [[], 0]);
  await driver.write(at("k"), sourceOf("abcdefg"), stop);
  assertEquals([seen, begun.said.size], [[1, 1], 0]);
  await failureOf(() => driver.write(at("k"), sourceOf("abcdefg"), stop));
  assertEquals(begun.said.size, 0);
});
