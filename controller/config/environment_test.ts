import { assertEquals, assertThrows } from "@std/assert";
import { readEnvironment, VARIABLES } from "./environment.ts";

const read = (env: Record<string, string>) => readEnvironment((name) => env[name]);

Deno.test("readEnvironment(): an empty variable is unset", () => {
  const empty = Object.fromEntries(Object.keys(VARIABLES).map((name) => [name, ""]));
  assertEquals(read(empty), read({}));
});

Deno.test("readEnvironment(): reads durations, counts and booleans as Argo does", () => {
  const found = read({
    TASK_RESULT_TIMEOUT_DURATION: "90s",
    RECENTLY_DELETED_POD_DURATION: "30",
    MAX_WORKFLOW_NODES: "7",
    MAX_PASS_TIME: "250ms",
    DISABLE_MAX_RECURSION: "TRUE",
    ARGO_POD_STATUS_CAPTURE_FINALIZER: "no",
    ARGO_REMOVE_PVC_PROTECTION_FINALIZER: "false",
    POD_NAMES: "v1",
    LEADER_ELECTION_LEASE_DURATION: "1m",
  });
  assertEquals([found.TASK_RESULT_TIMEOUT_DURATION, found.RECENTLY_DELETED_POD_DURATION], [90, 30]);
  assertEquals([found.MAX_WORKFLOW_NODES, found.MAX_PASS_TIME, found.LEADER_ELECTION_LEASE_DURATION], [7, 250, 60_000]);
  // On with exactly "true", off with exactly "false".
  assertEquals([found.DISABLE_MAX_RECURSION, found.ARGO_POD_STATUS_CAPTURE_FINALIZER], [false, true]);
  assertEquals([found.ARGO_REMOVE_PVC_PROTECTION_FINALIZER, found.POD_NAMES], [false, "v1"]);
});

const WRONG: Record<string, [string, string]> = {
  TASK_RESULT_TIMEOUT_DURATION: ["soon", 'expected a duration such as 10s, got "soon"'],
  LEADER_ELECTION_RETRY_PERIOD: ["-5s", 'expected a duration such as 10s, got "-5s"'],
  ARGO_PROGRESS_PATCH_TICK_DURATION: ["often", 'expected a duration such as 10s, got "often"'],
  MAX_WORKFLOW_NODES: ["1e3", 'expected a whole number above 0, got "1e3"'],
  WORKFLOW_USER_OVERRIDE_ALLOWLIST: ["podSpecPatch, toString", '"toString" is not a WorkflowSpec field name'],
  TRANSIENT_ERROR_PATTERN: ["(disk", 'expected a regular expression, got "(disk": '],
  TIPHYS_SEAL_KEY: ["hunter2", "expected at least 32 characters, got 7"],
};

for (const [name, [value, message]] of Object.entries(WRONG)) {
  Deno.test(`readEnvironment(): rejects ${name}=${value} with its name`, () => {
    assertThrows(() => read({ [name]: value }), Error, `${name}: ${message}`);
  });
}

Deno.test("readEnvironment(): errors do not contain keys", () => {
  const error = assertThrows(() => read({ TIPHYS_SEAL_KEY: "hunter2" }), Error);
  assertEquals((error as Error).message.includes("hunter2"), false);
});

Deno.test("WORKFLOW_USER_OVERRIDE_ALLOWLIST: names fields as they are spelled in workflows", () => {
  const found = read({ WORKFLOW_USER_OVERRIDE_ALLOWLIST: " podSpecPatch, volumes,," });
  assertEquals([...found.WORKFLOW_USER_OVERRIDE_ALLOWLIST], ["podSpecPatch", "volumes"]);
  assertThrows(() => read({ WORKFLOW_USER_OVERRIDE_ALLOWLIST: "PodSpecPatch" }), Error, "is not a WorkflowSpec field");
});

Deno.test("TRANSIENT_ERROR_PATTERN: matches anywhere in a message, in time that is linear in its length", () => {
  const pattern = read({ TRANSIENT_ERROR_PATTERN: "disk (on|at) fire" }).TRANSIENT_ERROR_PATTERN;
  assertEquals([pattern?.test("main: the disk at fire again"), pattern?.test("the disk is full")], [true, false]);
  assertEquals(read({}).TRANSIENT_ERROR_PATTERN, undefined);
  assertEquals(
    read({ TRANSIENT_ERROR_PATTERN: "(a+)+$" }).TRANSIENT_ERROR_PATTERN?.test(`${"a".repeat(100_000)}b`),
    false,
  );
});

Deno.test("readEnvironment(): without a key of the administrator, every process has its own", () => {
  assertEquals(read({}).TIPHYS_SEAL_KEY, read({}).TIPHYS_SEAL_KEY);
  assertEquals(read({ TIPHYS_SEAL_KEY: "x".repeat(32) }).TIPHYS_SEAL_KEY.length, 32);
});
