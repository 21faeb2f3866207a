import { assertEquals, assertStringIncludes } from "@std/assert";
import { driverOn, scriptedNet, STATIC, surroundingsOn } from "./testing/scripted_net.ts";
import { uploadLimits } from "./settings.ts";
import { failureOf, read } from "./testing/s3_bench.ts";

const MIB = 1024 * 1024;

for (
  const [threads, size, expected] of [
    [undefined, undefined, { parts: 2, partBytes: 4, objects: 2 }],
    ["8", "64", { parts: 8, partBytes: 64 * MIB, objects: 2 }],
    ["1", "5", { parts: 1, partBytes: 5 * MIB, objects: 2 }],
    ["x", "4", { parts: 2, partBytes: 4, objects: 2 }],
    ["0", "5121", { parts: 2, partBytes: 4, objects: 2 }],
  ] as const
) {
  Deno.test(`uploads with ${threads ?? "no"} threads and parts of ${size ?? "no"} MiB have the limits that follow (AR-20, AR-21)`, () => {
    const env: Record<string, string | undefined> = {
      ARTIFACT_S3_UPLOAD_THREADS: threads,
      ARTIFACT_S3_UPLOAD_PART_SIZE_MIB: size,
    };
    const told: string[] = [];
    const around = surroundingsOn(scriptedNet(() => undefined), {
      env: (name) => env[name],
      debug: (line) => told.push(line),
    });
    assertEquals(uploadLimits(around), expected);
    const ignored = [threads, size].filter((text) => text !== undefined && /^(x|0|4|5121)$/.test(text)).length;
    assertEquals(told.length, ignored, told.join());
  });
}

for (
  const [settings, expected] of [
    [{ endpoint: "minio:9000" }, "minio:9000 GET /b/k"],
    [{ endpoint: "http://minio:9000/", insecure: true }, "minio:9000 GET /b/k"],
    [{ endpoint: "[::1]:9000" }, "[::1]:9000 GET /b/k"],
    [{ endpoint: "s3.amazonaws.com" }, "b.s3.amazonaws.com GET /k"],
    [{ endpoint: "s3.amazonaws.com", bucket: "b.c" }, "s3.amazonaws.com GET /b.c/k"],
    [{ endpoint: "s3.amazonaws.com", bucket: "b.c", insecure: true }, "b.c.s3.amazonaws.com GET /k"],
    [{ endpoint: "s3.amazonaws.com", addressingStyle: "path" }, "s3.amazonaws.com GET /b/k"],
    [{ endpoint: "minio:9000", addressingStyle: "virtual-hosted" }, "b.minio:9000 GET /k"],
    [{ endpoint: "storage.googleapis.com" }, "b.storage.googleapis.com GET /k"],
    [{ endpoint: "notamazonaws.com" }, "notamazonaws.com GET /b/k"],
  ] as const
) {
  Deno.test(`s3: ${JSON.stringify(settings)} is requested as ${expected}`, async () => {
    const net = scriptedNet(() => ({ body: "x" }));
    await read(await driverOn(net, { ...STATIC, ...settings }));
    assertEquals(`${net.sent[0]?.host} ${net.sent[0]?.line}`, expected);
  });
}

for (const endpoint of ["", "https://h/path", "http://h", "h/p", "u:p@h", "h h", "h:port"]) {
  Deno.test(`the endpoint ${JSON.stringify(endpoint)} is rejected with an error that names it, without a request`, async () => {
    const error = await failureOf(() => driverOn(scriptedNet(() => undefined), { ...STATIC, endpoint }));
    assertEquals(error.kind, "final");
    assertStringIncludes(error.message, "s3.endpoint");
  });
}
