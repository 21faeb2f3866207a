import { assertEquals } from "@std/assert";
import { levelOf } from "./line_level.ts";

Deno.test("levelOf: detects errors of common programs and loggers", () => {
  const lines = [
    "Traceback (most recent call last):",
    "ValueError: two rows have no id",
    "java.io.IOException: broken pipe",
    "Caused by: java.lang.NullPointerException",
    "error: failed to push some refs",
    "error[E0308]: mismatched types",
    "panic: runtime error: index out of range",
    "2026-03-04 11:00:00 ERROR load.py:12 no id",
    'time="2026-03-04T11:00:00Z" level=error msg="no id"',
    '{"severity":"CRITICAL","message":"no id"}',
    "E0304 11:00:00.000000       1 main.go:12] no id",
    "main.c:3:1: error: unknown type",
    "sh: nope: not found",
    "cat: /x: No such file or directory",
    "npm ERR! code 1",
    "FAILED tests/test_load.py::test_ids",
    "Killed",
  ];
  assertEquals(lines.filter((line) => levelOf(line) !== "error"), []);
});

Deno.test("levelOf: detects warnings, and ignores other lines", () => {
  const warnings = ["WARN slow query", "warning: unused variable", '{"level":"warning"}', "a.c:1: warning: unused"];
  assertEquals(warnings.filter((line) => levelOf(line) !== "warning"), []);
  const plain = [
    "0 errors, 0 warnings",
    "loaded 3 rows",
    '{"error":null,"level":"info"}',
    "errors are retried",
    "",
    "fatalities: 0",
  ];
  assertEquals(plain.filter((line) => levelOf(line) !== undefined), []);
  assertEquals(levelOf(`${" ".repeat(100_000)}ERROR`), undefined);
});
