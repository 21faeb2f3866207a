import { assertEquals, assertThrows } from "@std/assert";
import { StoreError } from "@tiphys/model/artifact";
import { Pages } from "./pages.ts";

Deno.test("Pages: ends a list whose pages form a cycle, however late it begins and however long it is", () => {
  for (const [before, length] of [[0, 1], [0, 2], [5, 1], [5, 7], [100, 1000]] as const) {
    const pages = new Pages("listing x");
    const error = assertThrows(() => {
      for (let page = 0; page < 10_000; page++) {
        pages.nextToken(`${page < before ? page : before + (page - before) % length}`, 1);
      }
    }, StoreError);
    assertEquals([error.kind, error.message], ["final", "listing x failed: the pages of the list form a cycle"]);
  }
});

Deno.test("Pages: ends a list of only empty pages, and accepts a long list with some", () => {
  const pages = new Pages("listing x");
  for (let page = 0; page < 50_000; page++) {
    assertEquals(pages.nextToken(`${page}`, page % 9_999 === 0 ? 1 : 0), `${page}`);
  }
  assertEquals(pages.nextToken(undefined, 0), undefined);
  const endless = new Pages("listing x");
  assertThrows(
    () => {
      for (let page = 0; page < 50_000; page++) endless.nextToken(`${page}`, 0);
    },
    StoreError,
    "10000 consecutive pages are empty",
  );
});
