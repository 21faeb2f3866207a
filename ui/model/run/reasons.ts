/** The reasons why a run waits, worked out here before a server that does not know: by `lib/explain`, from the run alone. */
import { config } from "zod";
import type { Workflow } from "../../../lib/api/mod.ts";
import { explain, type Reason } from "../../../lib/explain/mod.ts";

// The page's policy lets nothing be compiled from text: parsers that try to are reported to whoever keeps watch of it.
config({ jitless: true });

/** The reasons as far as the run itself says them. */
export function reasonsKnownHere(run: Workflow, now: Date): Reason[] {
  return explain(run, {}, now);
}
