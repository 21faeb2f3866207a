import { assertEquals } from "@std/assert";
import { scriptedNet, surroundingsOn } from "./testing/scripted_net.ts";
import { uploadLimits } from "./settings.ts";

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
