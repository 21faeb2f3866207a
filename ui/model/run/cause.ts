/** The cause of a node's failure in words, and advice. Pure. */
import type { NodeStatus, Template } from "../../../lib/api/mod.ts";
import { containersOf } from "./node_facts.ts";
import * as words from "../text/en/cause.ts";

/** A cause. */
export interface Cause {
  /** One line; empty where the node has no message. */
  readonly text: string;
  /** A sentence about what to do; undefined where nothing is known. */
  readonly advice?: string | undefined;
}

/** The longest cause, in characters. */
const LONGEST = 300;

// `main: Error (exit code 3): two rows have no id`
const ENDED = /^(?:([\w.-]+): )?(\w*) ?\(exit code (\d{1,10})\)(?:: (.*))?$/;

const ADVICE_BY_CODE: Readonly<Record<string, string>> = {
  "126": words.checkExecutable,
  "127": words.checkCommand,
  "137": words.checkKiller,
};

/** The cause, from the node's message and its template. A message that is not recognized is its own cause. */
export function causeOf(
  { message = "", outputs }: { readonly message?: string | undefined; readonly outputs?: NodeStatus["outputs"] },
  template?: Template,
): Cause {
  const line = firstLine(message);
  const [, name = "main", reason, code, rest = ""] = ENDED.exec(line) ?? [];
  const containers = template ? containersOf(template) : [];
  const container = containers.find((one) => one.name === name) ??
    (containers.length === 1 ? containers[0] : undefined);
  if (reason === "OOMKilled" || line.includes("OOMKilled")) {
    const limit = container?.resources?.limits?.memory;
    return { text: words.outOfMemory(limit === undefined ? undefined : String(limit)), advice: words.raiseMemory };
  }
  if (/deadline|Max duration limit exceeded/i.test(line)) {
    const { timeout, activeDeadlineSeconds: seconds } = template ?? {};
    const limit = timeout ?? (seconds === undefined || String(seconds).includes("{{") ? undefined : `${seconds}s`);
    return { text: words.timedOut(limit), advice: words.raiseDeadline };
  }
  if (/\b(?:ErrImagePull|ImagePullBackOff|InvalidImageName|ErrImageNeverPull)\b/.test(line)) {
    return { text: words.imageMissing(container?.image), advice: words.checkImage };
  }
  const exitCode = code ?? outputs?.exitCode;
  const advice = exitCode !== undefined && Object.hasOwn(ADVICE_BY_CODE, exitCode)
    ? ADVICE_BY_CODE[exitCode]
    : undefined;
  if (code === "137" && !rest) return { text: words.killed, advice };
  return { text: code !== undefined && reason === "Error" ? words.exited(code, rest) : line, advice };
}

/** `child 'hello-215 (load: main: Error (exit code 3))' failed`: the message of a workflow or a node whose step failed. */
const CHILD = /^child '\S+(?: \((.*)\))?' failed$/s;
/** A step, and its own message. */
const STEP = /^(.{1,200}?): (.*)$/s;

/** The message of a workflow in words: the step that failed instead of its ID, and its cause. */
export function runMessage(message = ""): string {
  const [isChild, step] = CHILD.exec(message) ?? [];
  if (isChild === undefined) return causeOf({ message }).text;
  if (step === undefined) return words.stepFailed;
  const [, name, own] = STEP.exec(step) ?? [];
  return name === undefined ? words.failedStep(step) : `${name}: ${causeOf({ message: own }).text}`;
}

/** The first line of a message, cut to a length that a line of the page has room for. */
export function firstLine(message: string | undefined): string {
  const [line = ""] = (message ?? "").split("\n", 1);
  return line.length > LONGEST ? `${line.slice(0, LONGEST - 1)}…` : line;
}
