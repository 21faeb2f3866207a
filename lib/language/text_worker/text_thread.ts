/** The program of the thread: started by `text_lane.ts`, and bundled separately. */
import { parentPort } from "node:worker_threads";
import { CallStoppedError, callWithin } from "@tiphys/base/bounded_call";
import { joinJson, splitJson } from "@tiphys/base/split_json";
import { atOnce } from "@tiphys/base/turns";
import { TASKS } from "./tasks.ts";
import type { FromTextThread, ToTextThread } from "./text_lane.ts";

const port = parentPort!;

port.on("message", (message: ToTextThread) => {
  // In a timer, because Deno does not report an exceeded memory limit in a listener.
  setTimeout(() => port.postMessage(answerTo(message)), 0);
});
port.postMessage({ kind: "ready" } satisfies FromTextThread);

function answerTo({ name, input, millis }: ToTextThread): FromTextThread {
  try {
    const task = TASKS[name] as (input: unknown) => unknown;
    const read = () => "json" in input ? atOnce(joinJson(input.json)) : input.value;
    return { kind: "result", result: callWithin(millis, () => atOnce(splitJson(task(read())))) };
  } catch (error) {
    if (error instanceof CallStoppedError) return { kind: "late" };
    return { kind: "failed", message: error instanceof Error ? error.message : String(error) };
  }
}
