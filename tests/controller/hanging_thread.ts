/** The thread of the slow lane, in which no pass over a workflow with the name `hangs` ever ends. */
import type { ToThread } from "../../controller/workflow/lane/protocol.ts";
import "../../controller/workflow/lane/thread.ts";

const thread = globalThis as unknown as { onmessage: (event: MessageEvent<ToThread>) => void };
const hear = thread.onmessage;
thread.onmessage = (event) => {
  const isHanging = event.data.kind === "decide" && event.data.key.endsWith("/hangs");
  while (isHanging);
  hear(event);
};
