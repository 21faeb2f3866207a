import { type CommandResult, outputOf, runCommand } from "../../scripts/command.ts";
import { awaitFact } from "../await_fact.ts";

/** Runs `kubectl` against one cluster. */
export class Kubectl {
  /** The first words of every call: the program, and the flags that select the cluster. */
  readonly command: readonly string[];

  constructor(command: readonly string[]) {
    this.command = command;
  }

  /** The standard output of a call. @throws {Error} with its output when it fails. */
  output(...args: string[]): Promise<string> {
    return outputOf([...this.command, ...args]);
  }

  /** The result of a call that may fail. */
  try(...args: string[]): Promise<CommandResult> {
    return runCommand([...this.command, ...args]);
  }

  /** The parsed output of a call with `-o json`. */
  async json<T>(...args: string[]): Promise<T> {
    return JSON.parse(await this.output(...args, "-o", "json")) as T;
  }

  /**
   * Applies objects in a namespace. Uses server-side apply, so that concurrent calls with the same object do not
   * conflict.
   */
  async apply(namespace: string, ...objects: unknown[]): Promise<void> {
    const input = objects.map((object) => JSON.stringify(object)).join("\n---\n");
    await outputOf([...this.command, "-n", namespace, "apply", "--server-side", "--force-conflicts", "-f", "-"], {
      input,
    });
  }

  /** Creates an object from YAML or JSON, and returns it as stored by the API server. */
  async create<T>(namespace: string, text: string, ...flags: string[]): Promise<T> {
    const create = [...this.command, "-n", namespace, "create", "-o", "json", "-f", "-", ...flags];
    return JSON.parse(await outputOf(create, { input: text })) as T;
  }

  /** Waits until a call's output satisfies a condition. */
  awaitOutput(fact: string, args: string[], holds: (output: string) => boolean, seconds: number): Promise<void> {
    return awaitFact(fact, async () => holds(await this.output(...args)), { seconds });
  }
}
