/** Compares checksums with Node's, for announced sizes. */
import { assertEquals, assertRejects } from "@std/assert";
import { createHash } from "node:crypto";
import { crc32 as nodeCrc32 } from "node:zlib";
import { crc32Sum, crc32Text, sha256Sum } from "./content_sum.ts";
import { StoreError } from "@tiphys/model/artifact";

const MIB = 1 << 20;

for (const size of [0, 1, 7, 8, 4095, MIB - 1, MIB, MIB + 1]) {
  const content = Uint8Array.from({ length: size }, (_, index) => index * 31 + (index >> 8));

  for (const announced of [size, undefined]) {
    const how = announced === undefined ? "with a size that nobody announced" : "with their size";

    Deno.test(`content sums: of ${size} bytes, ${how}, equal Node's`, async () => {
      const [sha256, crc32] = [await sha256Sum(announced), await crc32Sum(announced)];
      const part = new Uint8Array(1000);
      for (let offset = 0; offset < size; offset += part.length) {
        // Each part arrives in the same buffer, as from the network.
        const read = part.subarray(0, Math.min(part.length, size - offset));
        read.set(content.subarray(offset, offset + read.length));
        sha256.add(read);
        crc32.add(read);
      }
      assertEquals(await sha256.value(), createHash("sha256").update(content).digest("hex"));
      assertEquals(await crc32.value(), crc32Text(nodeCrc32(content)));
    });
  }
}

Deno.test("sha256Sum: fails when there is more content than announced", async () => {
  const sum = await sha256Sum(3);
  sum.add(new Uint8Array(2));
  const error = await assertRejects(
    () => Promise.try(() => sum.add(new Uint8Array(2))),
    StoreError,
    "more than the announced 3",
  );
  assertEquals(error.kind, "transient");
});
