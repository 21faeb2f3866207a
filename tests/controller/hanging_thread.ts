/**
 * The thread of the slow lane, changed so that a pass over a workflow named `hangs` never ends. It writes the path of
 * its thread below `/proc` to the file that the parameter `note` of its URL names.
 */
import type { ToThread } from "../../controller/workflow/lane/protocol.ts";
import "../../controller/workflow/lane/thread.ts";

const thread = globalThis as unknown as { onmessage: (event: { readonly data: ToThread }) => void };
const handleMessage = thread.onmessage;
const note = new URL(import.meta.url).searchParams.get("note")!;

/** A map that blocks its reader forever: a pass that creates a pod reads it. */
const endless = new Proxy(new Map<string, never>(), {
  get() {
    Deno.writeTextFileSync(note, Deno.readLinkSync("/proc/thread-self"));
    for (;;);
  },
});

thread.onmessage = ({ data }) => {
  const isHanging = data.kind === "decide" && data.key.endsWith("/hangs");
  handleMessage({ data: isHanging ? { ...data, refusals: endless } : data });
};
