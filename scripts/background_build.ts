/** A build that runs at low priority next to other work, until somebody waits for it. */
import { runCommand } from "./command.ts";

/** The build's lowest priority, and the one it gets when it is waited for. */
const IDLE = "19";
const NORMAL = "0";

/** A command that builds something in the background, in a process group of its own. */
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

  /** Waits for the end of the build, at normal priority. Returns a text on how it ended. A caller that needs the result runs the same build again. */
  async wait(): Promise<string> {
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

  /** Stops a build that has not ended. */
  stop(): void {
    if (this.#ended !== undefined) return;
    try {
      Deno.kill(-this.#child.pid, "SIGKILL");
    } catch (error) {
      // The group has just ended.
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
}
