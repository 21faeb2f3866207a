import { assertEquals, assertThrows } from "@std/assert";
import { ExecutorError } from "../failure.ts";
import { parseFlags } from "./flags.ts";

Deno.test("parseFlags: separates flags from positional arguments, in all of kubectl's forms", () => {
  const flags = parseFlags("delete", [
    "pod",
    "-n",
    "a",
    "--selector=x=y",
    "p",
    "--grace-period",
    "3",
    "-ojson",
    "--all",
  ]);
  assertEquals(flags.words, ["pod", "p"]);
  assertEquals([flags.text("namespace"), flags.text("selector"), flags.text("grace-period")], ["a", "x=y", "3"]);
  assertEquals([flags.text("output"), flags.text("all"), flags.text("cascade")], ["json", "true", undefined]);
});

Deno.test("parseFlags: a boolean flag is true by its name alone and false by a value", () => {
  const flags = parseFlags("delete", ["--wait=false", "--force"]);
  assertEquals([flags.isOn("wait", true), flags.isOn("force"), flags.isOn("now"), flags.isOn("now", true)], [
    false,
    true,
    false,
    true,
  ]);
});

Deno.test("parseFlags: the error for an unknown flag lists the flags of the action", () => {
  assertThrows(() => parseFlags("get", ["--force"]), ExecutorError, 'unknown flag: --force; "get" accepts --namespace');
  assertThrows(() => parseFlags("get", ["-x"]), ExecutorError, "unknown flag: -x");
  assertThrows(() => parseFlags("get", ["-n"]), ExecutorError, "flag needs an argument: -n");
});
