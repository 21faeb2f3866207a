import { assertEquals } from "@std/assert";
import { githubAnnotation } from "./annotations.ts";
import { githubGroups, gitlabSections, type GroupForm, prefixLines, StepOutput } from "./step_output.ts";

function printedLines(form: GroupForm, act: (output: StepOutput) => void): string[] {
  const lines: string[] = [];
  const output = new StepOutput({ form, nameOf: (step) => step.toUpperCase(), print: (line) => lines.push(line) });
  act(output);
  output.end();
  return lines;
}

const PLAIN = prefixLines((step) => step);

Deno.test("step output: lines of one step are printed at once, those of parallel steps when it has finished", () => {
  const lines = printedLines(PLAIN, (output) => {
    output.line("a", "1");
    output.line("b", "1");
    output.line("a", "2");
    output.line("c", "1");
    output.markFinished("c");
    output.markFinished("a");
    output.line("b", "2");
  });
  // The finished step comes before the running one, which keeps its group.
  assertEquals(lines, ["A: 1", "A: 2", "C: 1", "B: 1", "B: 2"]);
});

Deno.test("step output: lines that come after the end of their step are printed", () => {
  const lines = printedLines(PLAIN, (output) => {
    output.markFinished("a");
    output.line("a", "late");
    output.line("b", "1");
    output.line("a", "later");
  });
  assertEquals(lines, ["A: late", "B: 1", "A: later"]);
});

Deno.test("step output: the lines that wait are limited", () => {
  const lines = printedLines(PLAIN, (output) => {
    output.line("a", "1");
    for (let count = 0; count < 10_001; count++) output.line("b", String(count));
    output.line("a", "2");
  });
  assertEquals([lines.length, lines[1], lines.at(-1)], [10_003, "B: 0", "A: 2"]);
});

Deno.test("step output: a group of GitHub Actions contains no workflow command of a step", () => {
  const lines = printedLines(githubGroups("token"), (output) => output.line("a%\nb", "::set-env name=x::y"));
  assertEquals(lines, [
    "::group::A%25%0AB",
    "::stop-commands::token",
    "::set-env name=x::y",
    "::token::",
    "::endgroup::",
  ]);
});

Deno.test("step output: a group closes before other lines, and opens again", () => {
  const form = {
    open: (step: string) => [`[${step}`],
    line: (_step: string, text: string) => text,
    close: () => ["]"],
  };
  const lines = printedLines(form, (output) => {
    output.line("a", "1");
    output.pause();
    output.line("b", "1");
    output.line("a", "2");
    output.pause();
  });
  assertEquals(lines, ["[A", "1", "]", "[A", "2", "]", "[B", "1", "]"]);
});

Deno.test("step output: each section of GitLab CI has its own time and key", () => {
  const lines = printedLines(gitlabSections(() => new Date(5000)), (output) => {
    output.line("a", "1");
    output.markFinished("a");
    output.line("b", "1");
  });
  assertEquals(lines, [
    "\x1b[0Ksection_start:5:step_1\r\x1b[0KA",
    "1",
    "\x1b[0Ksection_end:5:step_1\r\x1b[0K",
    "\x1b[0Ksection_start:5:step_2\r\x1b[0KB",
    "1",
    "\x1b[0Ksection_end:5:step_2\r\x1b[0K",
  ]);
});

Deno.test("annotations: properties and messages are escaped, absent ones are omitted", () => {
  const annotation = { title: "w: a,b", message: "50%\nfailed", line: 3 };
  assertEquals(
    githubAnnotation("a:b.yaml", annotation),
    "::error file=a%3Ab.yaml,line=3,title=w%3A a%2Cb::50%25%0Afailed",
  );
  assertEquals(githubAnnotation(undefined, { message: "m", level: "warning" }), "::warning::m");
});

Deno.test("step output: the characters that wait are limited", () => {
  let printed = 0;
  const output = new StepOutput({ form: PLAIN, nameOf: (step) => step, print: () => printed++ });
  const long = "x".repeat(1 << 20);
  output.line("a", "1");
  for (let count = 0; count < 100; count++) output.line("b", long);
  // The first 33 lines are printed to free memory; the group stays open for the following lines.
  assertEquals(printed, 101);
  for (let count = 0; count < 30; count++) output.line("a", long);
  assertEquals(printed, 101);
});
