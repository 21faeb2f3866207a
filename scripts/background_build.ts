/** A build at low priority in the background. */
import { runCommand } from "./command.ts";

/** The priorities of a build in the background, and of one that is waited for. */
const IDLE = "19";
const NORMAL = "0";

/** A build command in the background, in its own process group. */
export class BackgroundBuild {
  readonly #child: Deno.ChildProcess;
  readonly #output: Promise<Deno.CommandOutput>;
  readonly #started = performance.now();
  #ended: number | undefined;

  constructor(command: readonly string[]) {
    this.#child = new Deno.Command("nice", {
      args: ["-n", IDLE, ...command],
      detached: true,
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    this.#output = this.#child.output().finally(() => this.#ended = performance.now());
  }

  /**
   * Waits for the end of the build at normal priority. Returns a message about its outcome. A caller that needs the
   * result runs the build again.
   */
  async waitForBuild(): Promise<string> {
    const waited = performance.now();
    if (this.#ended === undefined) await runCommand(["renice", "-n", NORMAL, "-g", `${this.#child.pid}`]);
    const { success, stderr } = await this.#output;
    const seconds = (millis: number) => Math.round(millis / 1000);
    const took = `${seconds(this.#ended! - this.#started)} s, of which ${
      seconds(performance.now() - waited)
    } s were waited for`;
    if (success) return `were built in ${took}`;
    return `could not be built in ${took}:\n${
      new TextDecoder().decode(stderr).trimEnd().split("\n").slice(-5).join("\n")
    }`;
  }

  /** Stops a running build. */
  stop(): void {
    if (this.#ended !== undefined) return;
    try {
      Deno.kill(-this.#child.pid, "SIGKILL");
    } catch (error) {
      // The process group has just ended.
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
}
