/**
 * Runs recursions of maximum depth, in the shapes with the largest stack frames, and prints how each ended. A test runs
 * it in a process with unoptimized code, in which the frames are the largest.
 */
import { Scenario } from "./scenario.ts";

const SHAPES: Readonly<Record<string, string>> = {
  "steps": "- {name: main, steps: [[{name: a, template: main}]]}",
  "loops of steps with retries":
    "- {name: main, retryStrategy: {limit: 1}, steps: [[{name: a, template: main, withItems: [1]}]]}",
  "loops of DAGs with retries":
    "- {name: main, retryStrategy: {limit: 1}, dag: {tasks: [{name: a, template: main, withItems: [1]}]}}",
  "exit handlers of loops of DAGs with retries":
    "- {name: main, retryStrategy: {limit: 1}, dag: {tasks: [{name: a, template: none, withItems: [1], onExit: main}]}}\n" +
    "- {name: none, steps: []}",
};

for (const [name, templates] of Object.entries(SHAPES)) {
  const world = new Scenario();
  const spec = `  entrypoint: main\n  templates:\n${templates.replaceAll(/^/gm, "  ")}`;
  world.load(`kind: Workflow\nmetadata: {name: w}\nspec:\n${spec}`);
  world.config = { ...world.config, maxDepth: 0 };
  let messages: string[] = [];
  // Each pass creates some of the calls.
  for (let passes = 0; passes < 100; passes++) {
    world.makePass();
    messages = Object.values(world.workflow!.status?.nodes ?? {}).map(({ message = "" }) => message);
    if (messages.some((message) => /nested too deeply|Maximum recursion/.test(message))) break;
  }
  const isOverflow = messages.some((message) => message.includes("nested too deeply"));
  const isLimit = messages.some((message) => message.startsWith("Maximum recursion depth exceeded"));
  console.log(`${name}: ${isOverflow ? "the stack" : isLimit ? "the limit" : "neither"}`);
}
