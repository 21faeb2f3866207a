/** The deadline of uploads in a pod that is being terminated, which leaves time in the grace period for the report. */
import { ExecutorError } from "../failure.ts";
import { graceSeconds, type World } from "../world.ts";

/**
 * Milliseconds of the grace period that are reserved for the report. If less than twice this time is left, half of the
 * rest is reserved.
 */
const KEPT_MILLIS = 5000;

/** The deadline of uploads in a pod that is being terminated. */
export interface UploadDeadline extends Disposable {
  /** Marks the start of uploads. The returned signal is aborted when they must end. */
  begin(): AbortSignal;
}

/** Creates the deadline. `stop` is aborted when the pod is being terminated. */
export function openUploadDeadline(world: World, stop: AbortSignal): UploadDeadline {
  const cut = new AbortController();
  let endsAt: number | undefined;
  let isUploading = false;
  let takeBack = () => {};
  const arm = () => {
    if (endsAt === undefined || !isUploading) return;
    const left = Math.max(0, endsAt - world.clock.now());
    const abort = () => cut.abort(new ExecutorError("upload aborted: the pod is ending", { stage: "outputs" }));
    takeBack = world.clock.after(Math.max(left - KEPT_MILLIS, left / 2), abort);
  };
  const ended = () => {
    endsAt = world.clock.now() + graceSeconds(world) * 1000;
    arm();
  };
  if (stop.aborted) ended();
  else stop.addEventListener("abort", ended, { once: true });
  return {
    begin() {
      isUploading = true;
      arm();
      return cut.signal;
    },
    [Symbol.dispose]() {
      stop.removeEventListener("abort", ended);
      takeBack();
    },
  };
}
