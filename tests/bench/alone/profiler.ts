/**
 * Loaded before a controller that runs on Deno. Writes V8's profile of the main thread, from the start to a SIGUSR2, to
 * CPU_PROFILE_FILE. Chromium's developer tools can show the file, and `profile_summary.ts` summarizes it.
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
