import { assertEquals } from "@std/assert";
import { sprintf } from "./printf.ts";

Deno.test("sprintf: prints integers as Go does", () => {
  const cases: [string, bigint, string][] = [
    ["%d", 5n, "5"],
    ["%03d", 7n, "007"],
    ["%-5d|", 42n, "42   |"],
    ["%+d", 5n, "+5"],
    ["% d", 5n, " 5"],
    ["%02X", 255n, "FF"],
    ["%#x", 255n, "0xff"],
    ["%o", 8n, "10"],
    ["%b", 5n, "101"],
    ["%c", 65n, "A"],
    ["%q", 65n, "'A'"],
    ["%U", 128512n, "U+1F600"],
    ["%#U", -1n, "U+FFFFFFFFFFFFFFFF"],
    ["%#o", 8n, "010"],
    ["%#.4O", 255n, "0o0377"],
    ["%v", 5n, "5"],
    ["%.4d", 5n, "0005"],
    ["%05d", -42n, "-0042"],
    ["host-%d.example", 3n, "host-3.example"],
    ["100%%-%d", 3n, "100%-3"],
  ];
  for (const [format, value, text] of cases) assertEquals(sprintf(format, value), text, format);
});

Deno.test("sprintf: reports verbs that do not match their argument in the text", () => {
  assertEquals(sprintf("%s", 5n), "%!s(int=5)");
  assertEquals(sprintf("%d", "x"), "%!d(string=x)");
  assertEquals(sprintf("%d %d", 1n), "1 %!d(MISSING)");
  assertEquals(sprintf("none", 1n), "none%!(EXTRA int=1)");
  assertEquals(sprintf("%[1]%x", 1n), "%x");
  assertEquals(sprintf("%", 1n), "%!(NOVERB)%!(EXTRA int=1)");
});

Deno.test("sprintf: stars read arguments and report a missing one in the text", () => {
  assertEquals(sprintf("%*d|", 4n, 7n), "   7|");
  assertEquals(sprintf("%*d|", -4n, 7n), "7   |");
  assertEquals(sprintf("%[1]*d", 3n), "%!d(MISSING)");
  assertEquals(sprintf("%[1]*[1]d", 3n), "  3");
  assertEquals(sprintf("%.*d", 3n, 7n), "007");
  assertEquals(sprintf("%-*d", "x", 5n), "%!(BADWIDTH)5");
  assertEquals(sprintf("%.*d", -1n, 5n), "%!(BADPREC)5");
});

Deno.test("sprintf: reports an index that is out of range or misplaced", () => {
  assertEquals(sprintf("%[2]d %d", 1n), "%!d(BADINDEX) 1");
  assertEquals(sprintf("%[x]d", 1n), "%!d(BADINDEX)");
  assertEquals(sprintf("%[1]2d", 1n), "%!d(BADINDEX)");
  assertEquals(sprintf("%[1].2d", 1n), "%!d(BADINDEX)");
  assertEquals(sprintf("%2[1]d", 1n), " 1");
});

Deno.test("sprintf: a width that is too large leaves no verb", () => {
  assertEquals(sprintf("a%99999999999d", 1n), "a%!(NOVERB)%!(EXTRA int=1)");
});

Deno.test("sprintf: supports the verbs of floats and strings", () => {
  assertEquals(sprintf("%.2f|%8.3e|%g", 2.675, 12345.678, 1e21), "2.67|1.235e+04|1e+21");
  assertEquals(sprintf("%6s|%-6s|%.2s|%x", "abc", "abc", "abc", "hi"), "   abc|abc   |ab|6869");
});
