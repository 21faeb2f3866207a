/**
 * Scenarios of cron workflows: a cron workflow and a list of events, as text that can be read without running it. A
 * file is a list of commands. `----` and the results follow each command, then an empty line:
 *
 *     cron                  the YAML of a cron workflow, until `----`
 *     at TIME               the clock is set, and a pass is made
 *     until TIME            makes each pass that the previous one requested, until then
 *     end NAME PHASE        a workflow of the cron workflow ends
 *     gone NAME             a user deletes a workflow
 *     byhand NAME           a user submits a workflow from the cron workflow
 *     refuse MESSAGE        workflows are refused from now on; `trouble MESSAGE`: with a transient error; `accept`: no
 * longer
 *     patch JSON            a user changes the cron workflow (a merge patch)
 *     restart               another controller continues: nothing is remembered
 *
 * Times are in UTC. Only changed fields of the status are printed.
 */
import { type CronWorkflow, parseCronWorkflow } from "@tiphys/model/api";
import { ANNOTATION, LABEL } from "@tiphys/base/constants";
import { GoZone } from "@tiphys/base/go";
import { applyMergePatch } from "@tiphys/kube/patch";
import { timeText } from "@tiphys/model/status";
import { parseYaml } from "@tiphys/model/yaml";
import { decide } from "../../../controller/cron/decide.ts";
import { childReference } from "../../../controller/cron/children.ts";
import type { Child, CronAction, CronDecision, Outcome, WatchState } from "../../../controller/cron/types.ts";

/** Runs a scenario and returns its text with the actual results of its commands. */
export function runScenario(text: string): string {
  const world = new World();
  const blocks = text.trimEnd().split(/\n\n(?=\S)/);
  return blocks.map((block) => {
    const [command = ""] = block.split("\n----");
    const lines = command.split("\n");
    const first = lines.findIndex((line) => !line.startsWith("#"));
    const output = world.run(lines[first]!, lines.slice(first + 1).join("\n"));
    return `${command}\n----\n${output.join("\n") || "nothing"}`;
  }).join("\n\n") + "\n";
}

class World {
  #now = 0;
  #cron: CronWorkflow | undefined;
  #children: readonly Child[] = [];
  #watch: WatchState | undefined;
  #refusal: { readonly message: string; readonly isRetryable: boolean } | undefined;
  #requeueAt: number | undefined;
  #uids = 0;

  run(command: string, body: string): string[] {
    const [verb, subject = "", ...rest] = command.split(" ");
    const words = [subject, ...rest].join(" ");
    switch (verb) {
      case "cron":
        return this.#read(parseYaml(body)[0]?.value as object);
      case "at":
        this.#now = Date.parse(words);
        return [
          ...this.#pass(),
          `next ${this.#requeueAt === undefined ? "never" : timeText(new Date(this.#requeueAt))}`,
        ];
      case "until":
        return this.#until(Date.parse(words));
      case "end":
        return this.#change(subject, { phase: rest[0]!, finishedAt: this.#now });
      case "gone":
        return this.#change(subject, { isGone: true });
      case "byhand":
        this.#add(subject, undefined);
        return ["ok"];
      case "refuse":
        this.#refusal = { message: words, isRetryable: false };
        return ["ok"];
      case "trouble":
        this.#refusal = { message: words, isRetryable: true };
        return ["ok"];
      case "accept":
        this.#refusal = undefined;
        return ["ok"];
      case "patch":
        return this.#read(applyMergePatch(this.#cron, JSON.parse(words)) as object);
      case "restart":
        this.#watch = undefined;
        this.#children = this.#children.filter(({ isGone }) => !isGone).map((child) => ({ ...child, isNew: false }));
        return ["ok"];
      default:
        throw new Error(`Unknown command: ${command}`);
    }
  }

  #read(object: object): string[] {
    const { metadata, ...others } = object as CronWorkflow;
    const parsed = parseCronWorkflow({ ...others, metadata: { namespace: "ns", uid: "u", ...metadata } });
    if (!parsed.ok) throw new Error(parsed.errors.map(({ path, message }) => `${path}: ${message}`).join("\n"));
    this.#cron = parsed.value;
    return ["ok"];
  }

  #until(end: number): string[] {
    const output: string[] = [];
    while (this.#requeueAt !== undefined && this.#requeueAt <= end) {
      this.#now = this.#requeueAt;
      output.push(...this.#pass().map((line) => `${timeText(new Date(this.#now))} ${line}`));
    }
    this.#now = end;
    return output;
  }

  /** Makes a pass, as `CronPasses` does. */
  #pass(): string[] {
    const before = this.#cron!;
    const output: string[] = [];
    let decision = this.#decide(this.#watch);
    for (const action of decision.actions) {
      if (action.kind !== "createChild") continue;
      const outcome = this.#make(action, output);
      this.#cron = decision.cron;
      decision = this.#decide({ ...decision.watch, attempt: { slot: action.slot, outcome } });
    }
    this.#watch = decision.watch;
    this.#cron = decision.cron;
    this.#children = this.#children.filter(({ isGone }) => !isGone);
    output.push(...decision.notes.map((note) => `nothing is made: ${note}`), ...changes(before, decision.cron));
    for (const action of decision.actions) {
      if (action.kind !== "deleteChild") continue;
      output.push(`delete ${action.child.name}`);
      this.#children = this.#children.filter(({ uid }) => uid !== action.child.uid);
    }
    this.#requeueAt = decision.requeueAt;
    return output;
  }

  #decide(watch: WatchState | undefined): CronDecision {
    const none = () => undefined;
    return decide(
      {
        cron: this.#cron!,
        children: this.#children,
        hasSeen: () => true,
        templates: { workflowTemplate: none, clusterWorkflowTemplate: none },
        local: GoZone.UTC,
      },
      watch,
      this.#now,
    );
  }

  #make({ child, slot, replaces }: Extract<CronAction, { kind: "createChild" }>, output: string[]): Outcome {
    for (const { name } of replaces) output.push(`terminate ${name}`);
    const { name = "" } = child.metadata;
    if (this.#refusal) {
      output.push(`create ${name}: refused`);
      const { message, isRetryable } = this.#refusal;
      return {
        kind: "failed",
        message: `Failed to submit Workflow: ${message}`,
        isRetryable,
        againAt: this.#now + 20_000,
      };
    }
    output.push(`create ${name} for ${child.metadata.annotations?.[ANNOTATION.scheduledTime]}`);
    return { kind: "made", child: childReference(this.#add(name, slot)) };
  }

  #add(name: string, scheduledTime: number | undefined): Child {
    const uid = `uid-${++this.#uids}`;
    const child: Child = {
      uid,
      ownerUid: "u",
      name,
      namespace: "ns",
      resourceVersion: "1",
      phase: "Running",
      finishedAt: undefined,
      scheduledTime,
      isShutDown: false,
      isDeleting: false,
      isGone: false,
      isNew: true,
    };
    this.#children = [...this.#children, child];
    return child;
  }

  #change(name: string, change: Partial<Child>): string[] {
    if (!this.#children.some((child) => child.name === name)) throw new Error(`There is no workflow ${name}`);
    this.#children = this.#children.map((child) => child.name === name ? { ...child, ...change } : child);
    return ["ok"];
  }
}

/** The changed fields with their new values, one per line. */
function changes(before: CronWorkflow, after: CronWorkflow): string[] {
  const [old, now] = [factsOf(before), factsOf(after)];
  return Object.keys(now).filter((fact) => now[fact] !== old[fact]).map((fact) => `${fact}: ${now[fact]}`);
}

function factsOf({ metadata, status = {} }: CronWorkflow): Record<string, string> {
  return {
    "last used": metadata.annotations?.[ANNOTATION.lastUsedSchedule] ?? "none",
    completed: metadata.labels?.[LABEL.cronCompleted] ?? "none",
    phase: status.phase || "none",
    active: status.active?.map(({ name }) => name).join(" ") ?? "none",
    "last scheduled": status.lastScheduledTime ?? "none",
    succeeded: String(status.succeeded ?? 0),
    failed: String(status.failed ?? 0),
    conditions: status.conditions?.map(({ type, message }) => `${type} ${message}`).join("; ") || "none",
  };
}
