/**
 * Loaded before a controller that runs on Deno: V8's profile of its main thread, from its start to a SIGUSR2, is written to
 * CPU_PROFILE_FILE. The tools of Chromium show such a file; `profile_summary.ts` says what took most.
 */
import { Session } from "node:inspector";

const file = Deno.env.get("CPU_PROFILE_FILE");
if (file) {
  const session = new Session();
  session.connect();
  session.post("Profiler.enable");
  session.post("Profiler.setSamplingInterval", { interval: 500 });
  session.post("Profiler.start");
  Deno.addSignalListener("SIGUSR2", () => {
    session.post("Profiler.stop", (error, result) => {
      if (!error) Deno.writeTextFileSync(file, JSON.stringify(result.profile));
    });
  });
}
