import { assertMatch } from "@std/assert";
import { BackgroundBuild } from "./background_build.ts";

Deno.test("BackgroundBuild: wait reports that the build succeeded", async () => {
  assertMatch(
    await new BackgroundBuild(["true"]).waitForBuild(),
    /^were built in \d+ s, of which \d+ s were waited for$/,
  );
});

Deno.test("BackgroundBuild: wait reports a failed build with the end of its output", async () => {
  assertMatch(
    await new BackgroundBuild(["sh", "-c", "echo no compiler >&2; exit 1"]).waitForBuild(),
    /^could not be built in .*:\nno compiler$/,
  );
});

Deno.test("BackgroundBuild: stop ends the build with everything that it started", async () => {
  const build = new BackgroundBuild(["sh", "-c", "sleep 1000 & wait"]);
  build.stop();
  assertMatch(await build.waitForBuild(), /^could not be built/);
});
