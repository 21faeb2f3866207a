/** The cause of a node's failure in words. Pure. */
import type { NodeStatus, Template } from "@tiphys/model/api";
import { containersOf } from "./node_facts.ts";
import * as words from "../text/en/cause.ts";

/** A cause. */
export interface Cause {
  /** One line; empty if the node has no message. */
  readonly text: string;
  /** Undefined for a message that is not recognized. */
  readonly kind?: CauseKind | undefined;
}

/** The kinds of causes for which advice exists. */
export type CauseKind = "memory" | "deadline" | "image" | "killed" | "command" | "executable";

/** The longest cause, in characters. */
const MAX_CAUSE_LENGTH = 300;

// `main: Error (exit code 3): two rows have no id`
const ENDED = /^(?:([\w.-]+): )?(\w*) ?\(exit code (\d{1,10})\)(?:: (.*))?$/;

// Matches messages of Kubernetes, the controller and the executor only, because a command may print the same words.
const DEADLINE = /^(?:Pod was active on the node longer than|Step exceeded (?:its|workflow) deadline)/;
const NO_IMAGE =
  /^(?:Pod failed before .{1,100} due to )?(?:ErrImagePull|ImagePullBackOff|InvalidImageName|ErrImageNeverPull)\b/;

const KIND_BY_CODE: Readonly<Record<string, CauseKind>> = { "126": "executable", "127": "command", "137": "killed" };

/**
 * Returns the cause of a failure from the node's message and template. An unrecognized message is returned unchanged.
 */
export function causeOf(
  { message = "", outputs }: { readonly message?: string | undefined; readonly outputs?: NodeStatus["outputs"] },
  template?: Template,
): Cause {
  const line = firstLine(message);
  const [, name = "main", reason, code, rest = ""] = ENDED.exec(line) ?? [];
  const containers = template ? containersOf(template) : [];
  const container = containers.find((one) => one.name === name) ??
    (containers.length === 1 ? containers[0] : undefined);
  if (reason === "OOMKilled") {
    const limit = container?.resources?.limits?.memory;
    return { text: words.outOfMemory(limit === undefined ? undefined : String(limit)), kind: "memory" };
  }
  if (DEADLINE.test(line)) {
    const { timeout, activeDeadlineSeconds: seconds } = template ?? {};
    const limit = timeout ?? (seconds === undefined || String(seconds).includes("{{") ? undefined : `${seconds}s`);
    return { text: words.timedOut(limit), kind: "deadline" };
  }
  if (NO_IMAGE.test(line)) {
    return { text: words.imageMissing(container?.image), kind: "image" };
  }
  const exitCode = code ?? outputs?.exitCode;
  const kind = exitCode !== undefined && Object.hasOwn(KIND_BY_CODE, exitCode) ? KIND_BY_CODE[exitCode] : undefined;
  if (code === "137" && !rest) return { text: words.killed, kind };
  return { text: code !== undefined && reason === "Error" ? words.exited(code, rest) : line, kind };
}

/**
 * `child 'hello-215 (load: main: Error (exit code 3))' failed`: the message of a workflow or a node whose step failed.
 */
const CHILD = /^child '\S+(?: \((.*)\))?' failed$/s;
/** A step, and its own message. */
const STEP = /^(.{1,200}?): (.*)$/s;

/** Returns the message of a workflow with the name of the failed step instead of its ID, and with the cause. */
export function runMessage(message = ""): string {
  const [isChild, step] = CHILD.exec(message) ?? [];
  if (isChild === undefined) return causeOf({ message }).text;
  if (step === undefined) return words.stepFailed;
  const [, name, own] = STEP.exec(step) ?? [];
  return name === undefined ? words.failedStep(step) : `${name}: ${causeOf({ message: own }).text}`;
}

/** Returns the first line of a message, cut to fit a line of the page. */
export function firstLine(message: string | undefined): string {
  const [line = ""] = (message ?? "").split("\n", 1);
  return line.length > MAX_CAUSE_LENGTH ? `${line.slice(0, MAX_CAUSE_LENGTH - 1)}…` : line;
}
