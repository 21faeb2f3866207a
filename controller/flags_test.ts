import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { type Flags, helpText, managedNamespace, readFlags } from "./flags.ts";

const read = (...args: string[]) => readFlags(args, () => undefined);
const flagsOf = (...args: string[]) => read(...args) as Flags;

Deno.test("readFlags(): has Argo's defaults, except for the rate of requests", () => {
  const { workflowWorkers, loglevel, logFormat, qps, burst, configmap, namespaced, ignored } = flagsOf();
  assertEquals([workflowWorkers, loglevel, logFormat, qps, burst], [32, "info", "text", undefined, undefined]);
  assertEquals([configmap, namespaced, ignored], ["workflow-controller-configmap", false, []]);
});

Deno.test("readFlags(): accepts values after a space or an equals sign, and no value for true", () => {
  const { qps, burst, namespaced, namespace, managedNamespace } = flagsOf(
    ...["--qps", "12.5", "--burst=30", "--namespaced", "-n", "argo", "--managed-namespace=jobs"],
  );
  assertEquals([qps, burst, namespaced, namespace, managedNamespace], [12.5, 30, true, "argo", "jobs"]);
  assertEquals(flagsOf("--namespaced=false").namespaced, false);
});

Deno.test("readFlags(): flags override the environment", () => {
  const env = new Map([["ARGO_EXECUTOR_IMAGE", "argoexec:env"], ["ARGO_NAMESPACE", "env"], ["ARGO_CONTEXT", ""]]);
  const flags = readFlags(["-n", "given"], (name) => env.get(name)) as Flags;
  assertEquals([flags.executorImage, flags.namespace, flags.context], ["argoexec:env", "given", undefined]);
});

Deno.test("readFlags(): accepts flags of Argo's controller that have no effect here, and lists them", () => {
  const { ignored } = flagsOf("--pod-cleanup-workers", "8", "--workflow-ttl-workers=8", "--gloglevel", "6");
  assertEquals(ignored, ["--pod-cleanup-workers", "--workflow-ttl-workers", "--gloglevel"]);
  assertEquals(flagsOf("--burst", "30").ignored, ["--burst"]);
});

Deno.test("readFlags(): an error names the flag, the actual value and the expected one", () => {
  const wrong = (message: string, ...args: string[]) => assertThrows(() => read(...args), Error, message);
  wrong('--loglevel: expected debug, info, warn, error, got "loud"', "--loglevel", "loud");
  wrong('--workflow-workers: expected a whole number, got "many"', "--workflow-workers=many");
  wrong('--workflow-workers: expected a whole number above 0, got "0"', "--workflow-workers=0");
  wrong('--qps: expected a number above 0, got "-3"', "--qps=-3");
  wrong("--configmap: expected a value", "--configmap");
  wrong("there is no flag --worklow-workers; did you mean --workflow-workers?", "--worklow-workers=3");
  wrong('unknown command "start"', "start");
  const env = (name: string) => name === "ARGO_LOGLEVEL" ? "loud" : undefined;
  assertThrows(() => readFlags([], env), Error, 'ARGO_LOGLEVEL: expected debug, info, warn, error, got "loud"');
});

Deno.test("readFlags(): recognizes help and version", () => {
  assertEquals([read("--help"), read("-h"), read("help")], ["help", "help", "help"]);
  assertEquals([read("version"), read("--version")], ["version", "version"]);
});

Deno.test("helpText(): has a line for each flag that fits into a terminal", () => {
  for (const name of ["--qps rate", "-n, --namespace string", "--loglevel string"]) {
    assertStringIncludes(helpText(), name);
  }
  for (const line of helpText().split("\n")) assert(line.length <= 150, line);
});

Deno.test("managedNamespace(): prefers the flags to the settings, and defaults to all namespaces", () => {
  const found = (flags: string[], setting?: string) =>
    managedNamespace({ ...flagsOf(...flags), namespace: "argo" }, setting);
  assertEquals(found(["--namespaced", "--managed-namespace=jobs"], "other"), "jobs");
  assertEquals(found(["--namespaced"], "other"), "argo");
  assertEquals(found(["--managed-namespace=jobs"], "other"), "other");
  assertEquals(found([], ""), undefined);
  assertEquals(found([]), undefined);
});
