import { assertEquals } from "@std/assert";
import { chooseEncoding } from "./choose_encoding.ts";

Deno.test("chooseEncoding: returns the encoding of the highest weight, and the smaller result if equal", () => {
  const rows: readonly (readonly [accept: string | null, chosen: string | undefined])[] = [
    [null, undefined],
    ["", undefined],
    ["gzip, deflate, br, zstd", "br"],
    ["gzip", "gzip"],
    ["x-gzip", "gzip"],
    ["GZIP;Q=1", "gzip"],
    ["br;q=0, gzip", "gzip"],
    ["br;q=0.5, gzip;q=0.8", "gzip"],
    ["*", "br"],
    ["*;q=0, gzip", "gzip"],
    ["br;q=0, *;q=0.1", "gzip"],
    ["identity;q=1, gzip;q=0.5", undefined],
    ["gzip;q=0.000", undefined],
    ["gzip;q=2", undefined],
    ["gzip;q=x, br;q=", undefined],
    ["deflate, zstd", undefined],
    [";;,,;q=1", undefined],
  ];
  for (const [accept, chosen] of rows) assertEquals(chooseEncoding(accept, () => true), chosen, String(accept));
  assertEquals(chooseEncoding("br, gzip", (encoding) => encoding === "gzip"), "gzip");
  assertEquals(chooseEncoding("br", (encoding) => encoding === "gzip"), undefined);
});
