/**
 * The thread of the slow lane, in which no pass over a workflow with the name `hangs` ever ends. It writes the place of its
 * thread below `/proc` into the file that `note` of its address names.
 */
import type { ToThread } from "../../controller/workflow/lane/protocol.ts";
import "../../controller/workflow/lane/thread.ts";

const thread = globalThis as unknown as { onmessage: (event: { readonly data: ToThread }) => void };
const hear = thread.onmessage;
const note = new URL(import.meta.url).searchParams.get("note")!;

/** Facts that a pass which makes a pod looks at, and that no pass comes back from. */
const endless = new Proxy(new Map<string, never>(), {
  get() {
    Deno.writeTextFileSync(note, Deno.readLinkSync("/proc/thread-self"));
    for (;;);
  },
});

thread.onmessage = ({ data }) => {
  const isHanging = data.kind === "decide" && data.key.endsWith("/hangs");
  hear({ data: isHanging ? { ...data, refusals: endless } : data });
};
