import { assert, assertEquals, assertThrows } from "@std/assert";
import { isInShare, parseShare, runsOfShare, shareNotice, shareOfCommit, shareText, WHOLE } from "./share.ts";

const THIRDS = [1, 2, 3].map((number) => ({ number, of: 3 }));

Deno.test("parseShare: parses the output of shareText, and returns the whole without a text", () => {
  for (const share of THIRDS) assertEquals(parseShare(shareText(share)), share);
  assertEquals(parseShare(undefined), WHOLE);
});

Deno.test("parseShare: refuses an invalid share", () => {
  for (const text of ["", "2", "0/3", "4/3", "1/0", "-1/3", "1/3/5", "1.5/3", "a/b"]) {
    assertThrows(() => parseShare(text), Error, "Expected a share such as 2/3");
  }
});

Deno.test("isInShare: each name is in exactly one share, and the shares are about equally large", () => {
  const names = Array.from({ length: 3000 }, (_, index) => `area/case-${index}`);
  const counts = THIRDS.map((share) => names.filter((name) => isInShare(name, share)).length);
  assertEquals(counts.reduce((sum, count) => sum + count, 0), names.length);
  for (const name of names) assertEquals(THIRDS.filter((share) => isInShare(name, share)).length, 1);
  for (const count of counts) assert(count > 900 && count < 1100, `${count} of 3000`);
  assert(names.every((name) => isInShare(name, WHOLE)));
});

Deno.test("shareOfCommit: the same for the same commit, and commits are distributed over all shares", () => {
  assertEquals(shareOfCommit("0000000aff", 3), { number: 2, of: 3 });
  assertEquals(shareOfCommit("0000000a00", 3), { number: 2, of: 3 });
  const hashes = Array.from({ length: 30 }, (_, index) => (index * 7919).toString(16).padStart(8, "0"));
  assertEquals(new Set(hashes.map((hash) => shareOfCommit(hash, 3).number)), new Set([1, 2, 3]));
});

Deno.test("shareOfCommit: the first share without a hash", () => {
  assertEquals(shareOfCommit("", 3), { number: 1, of: 3 });
});

Deno.test("runsOfShare: each run is in exactly one share", () => {
  for (const runs of [0, 1, 2, 3, 10, 4000]) {
    const numbers = THIRDS.flatMap((share) => {
      const own = runsOfShare(5, runs, share);
      return Array.from({ length: own.runs }, (_, index) => own.first + index);
    });
    assertEquals(numbers, Array.from({ length: runs }, (_, index) => 5 + index));
  }
});

Deno.test("shareNotice: names the share and the number of runs, and is undefined for the whole", () => {
  assertEquals(shareNotice(THIRDS[1]!, 104, 303, "cases"), "Share 2/3: 104 of 303 cases");
  assertEquals(shareNotice(WHOLE, 303, 303, "cases"), undefined);
});
