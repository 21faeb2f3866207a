/** The cause of a node's failure in words. Pure. */
import type { NodeStatus, Template } from "@tiphys/model/api";
import { containersOf } from "./node_facts.ts";
import * as words from "../text/en/shared.ts";

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

/** The executor's message about a command that is not in the image; its exit code is 64. */
const NOT_FOUND = /^failed to find name in PATH: exec: "([^"]{1,200})"/;

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
  const container = containers.find((candidate) => candidate.name === name) ??
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
  const [, command] = code === "64" ? NOT_FOUND.exec(rest) ?? [] : [];
  if (command !== undefined) return { text: words.commandMissing(command), kind: "command" };
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

/** `task 'load' failed: main: Error (exit code 3)`: the message of a DAG; and that of the last of several attempts. */
const WRAPPED = /^(?:task '([^']{1,300})' (?:failed|errored)|No more retries left): /;
const TASK = /^task '([^']{1,300})' (?:failed|errored)$/;

/**
 * Returns the message of a workflow with the name of the failed step instead of its ID, and with the cause. Of nested
 * steps and tasks, it names the innermost.
 */
export function runMessage(message = ""): string {
  const [isChild, child] = CHILD.exec(message) ?? [];
  if (isChild !== undefined && child === undefined) return words.stepFailed;
  let [name, own] = nestedStep(child ?? message);
  if (name === undefined && child !== undefined) [, name, own = child] = STEP.exec(child) ?? [];
  for (let wrapped = WRAPPED.exec(own); wrapped !== null; wrapped = WRAPPED.exec(own)) {
    const [step, rest] = nestedStep(own.slice(wrapped[0].length));
    name = step ?? wrapped[1] ?? name;
    own = rest;
  }
  const failed = TASK.exec(own)?.[1] ?? (own === child ? own : undefined);
  if (failed !== undefined) return words.failedStep(failed);
  const { text } = causeOf({ message: own });
  return name === undefined ? text : `${name}: ${text}`;
}

/** The maximum number of nested steps of a message that are read. */
const MAX_DEPTH = 100;

/**
 * Splits `outer: inner: main: Error (exit code 3)` into the innermost step and its own message. Without a known
 * message, there is no step: the text before a colon may be a part of the message.
 */
function nestedStep(message: string): [step: string | undefined, own: string] {
  for (let depth = 0, start = 0; depth < MAX_DEPTH && !isKnown(message.slice(start)); depth++) {
    const end = message.indexOf(": ", start);
    if (end === -1) break;
    const own = message.slice(end + 2);
    if (isKnown(own)) return [message.slice(start, end), own];
    start = end + 2;
  }
  return [undefined, message];
}

/** Reports whether a message is that of a task, a container or a pod. */
function isKnown(message: string): boolean {
  return [WRAPPED, ENDED, DEADLINE, NO_IMAGE].some((pattern) => pattern.test(firstLine(message)));
}

/** Reports whether a message has more than its cause shows. */
export function hasMore(message: string | undefined, { text }: Cause): boolean {
  if (!message || message === text) return false;
  const [, , reason, code = "", rest = ""] = ENDED.exec(message) ?? [];
  return reason !== "Error" || text !== words.exited(code, rest);
}

/** Returns the first line of a message, cut to fit a line of the page. */
export function firstLine(message: string | undefined): string {
  const [line = ""] = (message ?? "").split("\n", 1);
  return line.length > MAX_CAUSE_LENGTH ? `${line.slice(0, MAX_CAUSE_LENGTH - 1)}…` : line;
}
