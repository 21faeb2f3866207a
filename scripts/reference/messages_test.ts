/** Checks the pages of messages and events against the sources. */
import { assertEquals } from "@std/assert";
import { NodePhase } from "@tiphys/model/api";
import { ERRORS } from "./errors.ts";
import { EVENTS } from "./events.ts";

const ROOT = new URL("../../", import.meta.url);

/** The events of nodes: no event reports that a node is pending. */
const NODE_REASONS = NodePhase.options.filter((phase) => phase !== "Pending")
  .map((phase) => `WorkflowNode${phase}`);

/** The texts of the sources below some folders. */
async function sourcesOf(...folders: readonly string[]): Promise<string> {
  const texts: string[] = [];
  for (const folder of folders) {
    const url = new URL(`${folder}/`, ROOT);
    for await (const { name, isDirectory } of Deno.readDir(url)) {
      if (isDirectory && name !== "testing") texts.push(await sourcesOf(`${folder}/${name}`));
      else if (name.endsWith(".ts") && !name.endsWith("_test.ts")) {
        texts.push(await Deno.readTextFile(new URL(name, url)));
      }
    }
  }
  return texts.join("\n");
}

Deno.test("reference of errors: the fixed parts of each message are in the sources", async () => {
  const sources = await sourcesOf("lib/engine", "lib/language", "executor", "controller", "cli", "local", "lib/kube");
  const parts = Object.values(ERRORS).flat().flatMap(([message]) => message.split("…"))
    .map((part) => part.replace(/^[\s'{}:]+|[\s'{}:]+$/g, "")).filter((part) => part.length > 3);
  assertEquals(parts.filter((part) => !sources.includes(part)), []);
});

Deno.test("reference of events: lists the events that the controller and the server emit, and no others", async () => {
  const sources = await sourcesOf("controller", "lib/engine", "server", "lib/base");
  const lines = sources.split("\n").filter((line) => /kind: "event"|events\.record\(/.test(line));
  const emitted = lines.flatMap((line) => /reason: "(\w+)"/.exec(line)?.[1] ?? []);
  const listed = EVENTS.map(([reason]) => reason);
  assertEquals([...emitted, ...NODE_REASONS].filter((reason) => !listed.includes(reason)), []);
  const isEmitted = (reason: string) => sources.includes(`"${reason}"`) || NODE_REASONS.includes(reason);
  assertEquals(listed.filter((reason) => !isEmitted(reason)), []);
});
