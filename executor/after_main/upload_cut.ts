/** The end of uploads in a pod that is being ended: what is left of its grace period must do for the report. */
import { ExecutorError } from "../failure.ts";
import { graceSeconds, type World } from "../world.ts";

/** The part of the grace period that is kept for the report, milliseconds; or half of the rest, when that is less. */
const KEPT_MILLIS = 5000;

/** The end of uploads, for a pod that is being ended. */
export interface UploadCut extends Disposable {
  /** Uploads begin; the signal is aborted when they must end. */
  begin(): AbortSignal;
}

/** Begins to look at what becomes of the pod; `stop` is aborted when it is being ended. */
export function uploadCut(world: World, stop: AbortSignal): UploadCut {
  const cut = new AbortController();
  let endsAt: number | undefined;
  let isUploading = false;
  let takeBack = () => {};
  const arm = () => {
    if (endsAt === undefined || !isUploading) return;
    const left = Math.max(0, endsAt - world.clock.now());
    const tell = () => cut.abort(new ExecutorError("upload cut by the end of the pod", { stage: "outputs" }));
    takeBack = world.clock.after(Math.max(left - KEPT_MILLIS, left / 2), tell);
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
