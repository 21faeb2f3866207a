import { assertEquals, assertMatch } from "@std/assert";
import { lineLog } from "./log.ts";

function lines(format: "text" | "json", act: (log: ReturnType<typeof lineLog>) => void): string[] {
  const written: string[] = [];
  act(lineLog({ level: "info", format, write: (line) => written.push(line) }));
  return written;
}

Deno.test("lineLog: a text line has Argo's keys in Argo's order and quotes other than plain words", () => {
  const [line = ""] = lines(
    "text",
    (log) => log.warn("A pass failed", { workflow: "argo/w-1", error: 'no "b" = c\n' }),
  );
  const rest = ' level=WARN msg="A pass failed" workflow=w-1 namespace=argo error="no \\"b\\" = c\\n"';
  assertMatch(line, /^time=\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z /);
  assertEquals(line.slice(line.indexOf(" ")), rest);
});

Deno.test("lineLog: a JSON entry has the same fields on one line", () => {
  const written = lines("json", (log) => {
    log.debug("not told");
    log.info("two\nlines", { workflow: "argo/w-1", nodeID: "n", podName: "p" });
  });
  const { time, ...fields } = JSON.parse(written.join("\n"));
  assertEquals(Number.isNaN(Date.parse(time)), false);
  assertEquals(fields, {
    level: "INFO",
    msg: "two\nlines",
    workflow: "w-1",
    namespace: "argo",
    nodeID: "n",
    podName: "p",
  });
});
