import { assertEquals } from "@std/assert";
import type { Workflow } from "@tiphys/model/api";
import { ChangeLines } from "./change_lines.ts";
import { describeWorkflow } from "./describe_workflow.ts";
import { headLine } from "./live_view.ts";
import { PLAIN } from "./look.ts";
import { escapeControls, escapeForTerminal } from "./plain.ts";
import { runCli } from "../program.ts";
import { FakeWorld } from "../testing/fake_world.ts";

const HOSTILE = "\x1b[2Jcleared \x1b]0;title\x07 \x9b31m \u202egnp.exe \rover\x7f";
const SHOWN = "^[[2Jcleared ^[]0;title^G \\u009b31m \\u202egnp.exe ^Mover^?";

Deno.test("escapeControls: shows control characters, and leaves letters, symbols and line ends unchanged", () => {
  assertEquals(escapeControls(HOSTILE), SHOWN);
  assertEquals(escapeControls("a\tb\nc ✔ ü 漢 👩‍👩‍👧"), "a\tb\nc ✔ ü 漢 👩‍👩‍👧");
  assertEquals(escapeControls("\x1b[31mred"), "^[[31mred");
});

Deno.test("escapeForTerminal: keeps colors and line ends, and shows other control characters", () => {
  assertEquals(escapeForTerminal("\x1b[1;31mred\x1b[0m\r\n"), "\x1b[1;31mred\x1b[0m\r\n");
  assertEquals(escapeForTerminal(HOSTILE), SHOWN);
  assertEquals(escapeForTerminal("\x1b[3A\x1b[0J"), "^[[3A^[[0J");
  assertEquals(escapeForTerminal(`\x1b[${"1;".repeat(100)}m`).startsWith("^["), true);
});

const time = "2026-01-01T00:00:00Z";
const node = {
  id: "w",
  name: "w",
  displayName: HOSTILE,
  type: "Pod",
  phase: "Failed",
  message: HOSTILE,
  startedAt: time,
};
const workflow = {
  metadata: { name: "w", uid: "u" },
  spec: { arguments: { parameters: [{ name: HOSTILE, value: HOSTILE }] } },
  status: {
    phase: "Failed",
    message: HOSTILE,
    nodes: { w: { ...node, templateName: HOSTILE, hostNodeName: HOSTILE } },
    conditions: [{ type: HOSTILE, message: HOSTILE }],
    outputs: { parameters: [{ name: HOSTILE, value: HOSTILE }] },
  },
} as unknown as Workflow;

// deno-lint-ignore no-control-regex -- the expression searches for control characters
const LEFT = /[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/;

Deno.test("workflow lines: contain no control characters of objects", () => {
  const now = new Date(time);
  const lines = [
    ...describeWorkflow(workflow, { look: PLAIN, now, wide: true }),
    ...new ChangeLines(PLAIN).linesOf(workflow, now),
    headLine(workflow, PLAIN, now),
  ];
  for (const line of lines) assertEquals(LEFT.test(line), false, JSON.stringify(line));
});

Deno.test("errors: contain no control characters of files", async () => {
  const text = `apiVersion: argoproj.io/v1alpha1\nkind: ${JSON.stringify(HOSTILE)}\nmetadata: {name: a}\n`;
  using world = new FakeWorld({ files: { "w.yaml": text } });
  await runCli(["submit", "w.yaml"], world);
  assertEquals(world.errors.length > 0, true);
  assertEquals(LEFT.test(world.errors), false, JSON.stringify(world.errors));
});
