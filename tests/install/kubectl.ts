import { type CommandResult, outputOf, runCommand } from "../../scripts/command.ts";
import { awaitFact } from "../await_fact.ts";

/** `kubectl` against one cluster. */
export class Kubectl {
  /** The words that every call starts with: the program and the way to its cluster. */
  readonly command: readonly string[];

  constructor(command: readonly string[]) {
    this.command = command;
  }

  /** The standard output of a call; throws with what it said when it fails. */
  output(...args: string[]): Promise<string> {
    return outputOf([...this.command, ...args]);
  }

  /** The result of a call that may fail. */
  try(...args: string[]): Promise<CommandResult> {
    return runCommand([...this.command, ...args]);
  }

  /** The answer of a call with `-o json`, parsed. */
  async json<T>(...args: string[]): Promise<T> {
    return JSON.parse(await this.output(...args, "-o", "json")) as T;
  }

  /** Applies objects in a namespace; by the server, so that two who apply the same at once do not meet. */
  async apply(namespace: string, ...objects: unknown[]): Promise<void> {
    const input = objects.map((object) => JSON.stringify(object)).join("\n---\n");
    await outputOf([...this.command, "-n", namespace, "apply", "--server-side", "--force-conflicts", "-f", "-"], {
      input,
    });
  }

  /** Creates one object as a file or text has it and returns it as the server made it. */
  async create<T>(namespace: string, text: string, ...flags: string[]): Promise<T> {
    const create = [...this.command, "-n", namespace, "create", "-o", "json", "-f", "-", ...flags];
    return JSON.parse(await outputOf(create, { input: text })) as T;
  }

  /** Waits until a call's output satisfies a condition. */
  awaitOutput(fact: string, args: string[], holds: (output: string) => boolean, seconds: number): Promise<void> {
    return awaitFact(fact, async () => holds(await this.output(...args)), { seconds });
  }
}
