/**
 * Scenarios: a workflow, then a dialogue between the engine and the world, as text that is read without being run.
 *
 * A file is a list of commands, each followed by `----` and what came of it, then an empty line:
 *
 *     workflow              the YAML of a workflow (and of WorkflowTemplates before it), indented or not, until `----`
 *     pass [+DURATION]      time passes, then the engine decides; shows what changed
 *     pod NODE PHASE [exit=N] [message=TEXT]   the pod of a node is seen in this phase
 *     seen NODE [host=NAME] the pod of a node is seen with the status of the body, YAML, until `----`
 *     delete NODE           somebody deletes its pod, which our finalizer holds
 *     gone NODE             its pod vanishes
 *     opened NODE           its executor opens the report: main was let go
 *     report NODE           its executor says that main ended well, before the pod is seen to have ended
 *     result NODE [result=TEXT] [NAME=VALUE ...]   its executor reports, the report is whole
 *     config JSON           other settings of the engine
 *     patch JSON            somebody changes the workflow (a merge patch)
 *
 * NODE is a display name (or a full name where that is ambiguous).
 */
import type { NodeStatus, Pod, Workflow, WorkflowTaskResult, WorkflowTemplate } from "../../lib/api/mod.ts";
import { ANNOTATION, LABEL } from "../../lib/constants.ts";
import { applyMergePatch } from "../../lib/kube/mod.ts";
import {
  type Action,
  ChangeLog,
  decide,
  type Decision,
  type EngineConfig,
  LoggedMap,
  Memory,
} from "../../controller/engine/mod.ts";
import { parseWorkflow } from "../../lib/api/mod.ts";
import { parseDuration } from "../../lib/go/mod.ts";
import { parseYaml } from "../../lib/yaml/mod.ts";
import { ENGINE_CONFIG } from "../../simulate/engine_config.ts";

/** Settings of a controller that nobody configured; pods have the finalizer here. */
const CONFIG: EngineConfig = {
  ...ENGINE_CONFIG,
  executor: { ...ENGINE_CONFIG.executor, image: "argoexec:test", statusFinalizer: true },
};

/** The world of one scenario: what the engine sees, and what became of its actions. */
export class World {
  workflow: Workflow | undefined;
  config = CONFIG;
  readonly templates = new Map<string, WorkflowTemplate>();
  readonly changes = new ChangeLog();
  readonly pods = new LoggedMap<Pod>(this.changes);
  readonly results = new LoggedMap<WorkflowTaskResult>(this.changes);
  readonly claims = new Map<string, "present" | "gone">();
  memory = new Memory();
  podsMade = 0;
  /** How many pods may be asked for in one pass; without it, all. */
  podRoom: number | undefined;
  now = new Date("2026-01-01T00:00:00Z");

  /** The controller starts anew: only what is in the cluster remains. */
  restart(): void {
    this.memory = new Memory();
    this.workflow = structuredClone(this.workflow);
  }

  run(command: string, body: string): string {
    const [name, ...rest] = command.split(" ");
    switch (name) {
      case "workflow":
        return this.load(body);
      case "pass":
        return this.workflow ? this.pass(rest[0]) : "there is no workflow";
      case "config":
        this.config = { ...this.config, ...JSON.parse(rest.join(" ")) };
        return "ok";
      case "pod":
        return this.setPod(rest);
      case "seen":
        return this.see(rest, body);
      case "delete":
        return this.deletePod(rest[0]);
      case "opened":
        return this.openReport(rest[0]);
      case "gone":
        this.pods.delete(this.node(rest[0]).id);
        return "ok";
      case "result":
        return this.report(rest);
      case "report": {
        this.report(rest);
        const { id } = this.node(rest[0]);
        this.results.set(id, { ...this.results.get(id)!, phase: "Succeeded" });
        return "ok";
      }
      case "patch":
        this.workflow = applyMergePatch(this.workflow!, JSON.parse(rest.join(" ")));
        return "ok";
      default:
        throw new Error(`Unknown command "${name}"`);
    }
  }

  load(yaml: string): string {
    for (const document of parseYaml(yaml)) {
      const object = document.value as { kind: string; metadata: { name: string; namespace?: string } };
      object.metadata.namespace ??= "default";
      if (object.kind !== "Workflow") {
        this.templates.set(object.metadata.name, object as unknown as WorkflowTemplate);
        continue;
      }
      const parsed = parseWorkflow({
        ...object,
        metadata: { ...object.metadata, uid: "uid-1", creationTimestamp: "2026-01-01T00:00:00Z" },
      }, "strict");
      if (!parsed.ok) return parsed.errors.map(({ path, message }) => `${path}: ${message}`).join("\n");
      this.workflow = parsed.value;
    }
    return "ok";
  }

  /** What the engine makes of the world as it is; nothing happens yet. */
  decide(memory = this.memory): Decision {
    return decide(
      this.workflow!,
      {
        pods: this.pods,
        taskResults: this.results,
        changes: this.changes,
        podRoom: this.podRoom,
        claims: this.claims,
        refusals: new Map(),
        workflowTemplate: (name) => this.templates.get(name),
        clusterWorkflowTemplate: () => undefined,
        serviceAccount: () => undefined,
        configMap: () => undefined,
      },
      this.now,
      this.config,
      memory,
    );
  }

  pass(delay: string | undefined): string {
    if (delay) this.now = new Date(this.now.getTime() + Number(parseDuration(delay.slice(1))) / 1e6);
    const before = this.workflow!;
    const decision = this.decide();
    this.workflow = decision.workflow;
    const after = decision.workflow;
    for (const action of decision.actions) this.apply(action);
    const lines = [
      ...workflowLines(before, after),
      ...nodeLines(before.status?.nodes ?? {}, after.status?.nodes ?? {}),
      ...decision.actions.map(describe),
      ...(decision.requeueAt === undefined
        ? []
        : [`come back in ${Math.round((decision.requeueAt - this.now.getTime()) / 1000)}s`]),
    ];
    return lines.length ? lines.join("\n") : "nothing";
  }

  apply(action: Action): void {
    if (action.kind === "createPod") {
      const metadata = { ...action.pod.metadata, uid: `pod-${++this.podsMade}` };
      this.pods.set(action.nodeId, { ...action.pod, metadata, status: { phase: "Pending" } });
    }
    if (action.kind === "createClaim") this.claims.set(action.claim.metadata!.name!, "present");
    if (action.kind === "deleteClaim") this.claims.set(action.name, "gone");
    if (action.kind === "deletePod" || (action.kind === "finishPod" && action.remove)) {
      for (const [id, pod] of this.pods) if (pod.metadata.name === action.podName) this.pods.delete(id);
    }
    if (action.kind === "releasePod" || (action.kind === "finishPod" && !action.remove)) this.release(action);
  }

  /** A pod that is being deleted goes with its finalizer. */
  release({ kind, podName }: Extract<Action, { kind: "releasePod" | "finishPod" }>): void {
    for (const [id, pod] of this.pods) {
      if (pod.metadata.name !== podName) continue;
      const { finalizers: _, ...metadata } = pod.metadata;
      const labels = { ...metadata.labels, ...(kind === "finishPod" ? { [LABEL.completed]: "true" } : {}) };
      if (metadata.deletionTimestamp) this.pods.delete(id);
      else this.pods.set(id, { ...pod, metadata: { ...metadata, labels } });
    }
  }

  node(name: string): NodeStatus {
    const nodes = Object.values(this.workflow?.status?.nodes ?? {});
    const found = nodes.find((node) => node.name === name) ??
      nodes.findLast((node) => node.displayName === name && node.type === "Pod") ??
      nodes.find((node) => node.displayName === name);
    if (!found) throw new Error(`No node "${name}"; there are ${nodes.map((node) => node.name).join(", ")}`);
    return found;
  }

  setPod([name, phase, ...options]: string[]): string {
    const node = this.node(name);
    const pod = this.pods.get(node.id);
    if (!pod) throw new Error(`Node "${name}" has no pod`);
    const option = (key: string) => options.find((text) => text.startsWith(`${key}=`))?.slice(key.length + 1);
    const exitCode = Number(option("exit") ?? (phase === "Failed" ? 1 : 0));
    const at = `${this.now.toISOString().slice(0, 19)}Z`;
    const over = phase === "Succeeded" || phase === "Failed";
    const main = over
      ? {
        terminated: {
          exitCode,
          reason: exitCode ? "Error" : "Completed",
          message: option("message")?.replaceAll("_", " "),
          startedAt: at,
          finishedAt: at,
        },
      }
      : phase === "Running"
      ? { running: { startedAt: at } }
      : { waiting: { reason: option("message")?.replaceAll("_", " ") ?? "ContainerCreating" } };
    const aux = over ? { terminated: { exitCode: 0, reason: "Completed", startedAt: at, finishedAt: at } } : main;
    this.pods.set(node.id, {
      ...pod,
      status: {
        phase: phase as "Running",
        containerStatuses: pod.spec.containers.map((container) => ({
          name: container.name,
          ready: phase === "Running",
          state: container.name === "main" ? main : aux,
        })),
      },
    });
    if (over && !this.results.has(node.id)) this.report([name]);
    return "ok";
  }

  see([name, host]: string[], status: string): string {
    const { id } = this.node(name);
    const pod = this.pods.get(id)!;
    const spec = host ? { ...pod.spec, nodeName: host.replace("host=", "") } : pod.spec;
    this.pods.set(id, { ...pod, spec, status: parseYaml(status)[0].value as Pod["status"] });
    return "ok";
  }

  deletePod(name: string): string {
    const { id } = this.node(name);
    const pod = this.pods.get(id)!;
    const deletionTimestamp = this.now.toISOString();
    this.pods.set(id, { ...pod, metadata: { ...pod.metadata, deletionTimestamp } });
    return "ok";
  }

  openReport(name: string): string {
    this.report([name]);
    const { id } = this.node(name);
    const { metadata, ...result } = this.results.get(id)!;
    const labels = { ...metadata.labels, [LABEL.reportOutputsCompleted]: "false" };
    this.results.set(id, { ...result, metadata: { ...metadata, labels } });
    return "ok";
  }

  report([name, ...values]: string[]): string {
    const node = this.node(name);
    const pairs = values.map((text) => text.split(/=(.*)/s).slice(0, 2) as [string, string]);
    const result = pairs.find(([key]) => key === "result")?.[1];
    const parameters = pairs.filter(([key]) => key !== "result").map(([key, value]) => ({ name: key, value }));
    this.results.set(node.id, {
      apiVersion: "argoproj.io/v1alpha1",
      kind: "WorkflowTaskResult",
      metadata: {
        name: node.id,
        labels: { [LABEL.workflow]: this.workflow!.metadata.name!, [LABEL.reportOutputsCompleted]: "true" },
      },
      ...(values.length
        ? { outputs: { ...(result === undefined ? {} : { result }), ...(parameters.length ? { parameters } : {}) } }
        : {}),
    });
    return "ok";
  }
}

function workflowLines(before: Workflow, after: Workflow): string[] {
  const was = before.status ?? {};
  const is = after.status ?? {};
  if (was.phase === is.phase && was.message === is.message && was.outputs === is.outputs) return [];
  const outputs = is.outputs === was.outputs ? "" : ` outputs ${JSON.stringify(is.outputs)}`;
  return [`workflow ${is.phase}${is.message ? `: ${is.message}` : ""}${outputs}`];
}

function nodeLines(before: Record<string, NodeStatus>, after: Record<string, NodeStatus>): string[] {
  return Object.values(after).flatMap((node) => {
    const was = before[node.id];
    const line = nodeLine(node);
    return was && nodeLine(was) === line ? [] : [line];
  });
}

function nodeLine(node: NodeStatus): string {
  const outputs = node.outputs ? ` outputs ${JSON.stringify(node.outputs)}` : "";
  // Of a pod that counts as one, the phase says it all.
  const isCounted = node.type === "Pod" && node.progress !== undefined && !node.progress.endsWith("/1");
  const progress = isCounted ? ` progress ${node.progress}` : "";
  return `node ${node.name} ${node.type} ${node.phase}${node.message ? `: ${node.message}` : ""}${progress}${outputs}`;
}

function describe(action: Action): string {
  switch (action.kind) {
    case "createPod": {
      const main = action.pod.spec.containers.find(({ name }) => name === "main");
      const command = [...main?.command ?? [], ...main?.args ?? []];
      const own = command.slice(command.indexOf("--") + 1);
      const retry = action.pod.metadata.annotations?.[ANNOTATION.nodeName];
      return `create pod ${action.pod.metadata.name} for ${retry}: ${JSON.stringify(own)}`;
    }
    case "deletePod":
      return `delete pod ${action.podName}`;
    case "terminateContainers":
      return `terminate ${action.podName}`;
    case "finishPod":
      return action.remove
        ? `delete pod ${action.podName} after ${action.delaySeconds}s`
        : `label pod ${action.podName}`;
    case "releasePod":
      return `release pod ${action.podName}`;
    case "createClaim":
      return `create claim ${action.claim.metadata?.name}`;
    case "deleteClaim":
      return `delete claim ${action.name}`;
    case "deleteTaskResults":
      return "delete task results";
    case "deleteWorkflow":
      return "delete the workflow";
    case "event":
      return `event ${action.type} ${action.reason}: ${action.message}`;
  }
}

/** Runs a scenario's text and returns it with what really came of each command. */
export function runScenario(text: string): string {
  const world = new World();
  const blocks: string[] = [];
  for (const block of text.replace(/\n+$/, "").split(/\n\n(?=[a-z]+(?: |\n|$))/)) {
    const commentEnd = block.search(/^[a-z]/m);
    const comment = block.slice(0, Math.max(0, commentEnd));
    const [question] = block.slice(commentEnd).split(/\n?----/);
    const [command, ...body] = question.split("\n");
    blocks.push(`${comment}${question}\n----\n${world.run(command, body.join("\n"))}`);
  }
  return `${blocks.join("\n\n")}\n`;
}
