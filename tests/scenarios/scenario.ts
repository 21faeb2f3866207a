/**
 * Scenarios: a workflow and a list of events, as text that can be read without running it.
 *
 * A file is a list of commands. `----` and the results follow each command, then an empty line:
 *
 *     workflow              the YAML of a workflow, after templates and ConfigMaps, indented or not, until `----`
 *     pass [+DURATION]      time passes, then the engine decides; shows the changes
 *     pod NODE PHASE [exit=N] [message=TEXT]   the pod of a node has this phase
 *     seen NODE [host=NAME] the pod of a node has the status in the body, YAML, until `----`
 *     delete NODE           a user deletes its pod, which the finalizer holds
 *     gone NODE             its pod disappears
 *     opened NODE           its executor opens the report: main has started
 *     report NODE           its executor reports that main succeeded, before the pod is seen to have ended
 *     result NODE [result=TEXT] [NAME=VALUE ...] [artifact:NAME[@STRATEGY]=KEY ...]   its executor completes the report
 *     collector POD PHASE   the pod that deletes artifacts has this phase
 *     collected POD [NODE/ARTIFACT[=ERROR] ...]   it ended and reported these: all others were deleted
 *     lost POD              it disappears
 *     refuse POD MESSAGE    the API server refuses to create it
 *     remove                a user deletes the workflow
 *     agent PHASE           the agent's pod has this phase and the status in the body, or it is `gone`
 *     answer NODE PHASE [message=TEXT] [result=TEXT] [NAME=VALUE ...]   the agent reports this of a node, or of `id:ID`
 *     config JSON           changes settings of the engine
 *     baseline SECONDS [NAME=SECONDS ...]   the duration of an earlier workflow, and of its nodes by the part of their
 *                           name after the workflow's name
 *     ask NAME TYPE KEY [priority=N]   another workflow requests a lock; shows the result
 *     give NAME             another workflow releases its locks
 *     limit KEY N           the limit of a semaphore that is in use changes
 *     patch JSON            a user changes the workflow (a merge patch)
 *
 * NODE is a display name (or a full name if that is ambiguous).
 */
import {
  type ArtifactGCStrategy,
  type ClusterWorkflowTemplate,
  type ConfigMap,
  type NodeStatus,
  parseWorkflow,
  type Pod,
  type Workflow,
  type WorkflowArtifactGCTask,
  type WorkflowTaskResult,
  type WorkflowTemplate,
} from "@tiphys/model/api";
import { ANNOTATION, ENV, LABEL } from "@tiphys/base/constants";
import { keyOf } from "@tiphys/model/artifact/location";
import { applyMergePatch } from "@tiphys/kube/patch";
import { type Action, decide, type Decision, type EngineConfig, Memory, type ObservedState } from "@tiphys/engine";
import { hasGarbageFinalizer } from "@tiphys/engine/garbage";
import type { LockType } from "@tiphys/engine/lock_table";
import { parseLockItem } from "../../lib/engine/lock_table/lock_item.ts";
import { parseDuration } from "@tiphys/base/go";
import { parseYaml } from "@tiphys/model/yaml";
import { withReportKey } from "../../controller/workflow/apply/report_key.ts";
import { sealReport } from "../../simulate/testing/seal_report.ts";
import { GarbageCollectors } from "./garbage_collectors.ts";
import { Cluster, type Machine } from "../../simulate/cluster.ts";
import { ENGINE_CONFIG } from "../../simulate/engine_config.ts";
import { timeText } from "@tiphys/model/status";
import { nodesLeftBehind } from "./left_behind.ts";

/** The settings of an unconfigured controller; pods have the finalizer here. */
const CONFIG: EngineConfig = {
  ...ENGINE_CONFIG,
  executor: { ...ENGINE_CONFIG.executor, image: "argoexec:test", statusFinalizer: true },
};

/** A machine on which nothing happens by itself: the scenario sets the status of pods. */
const UNTOUCHED: Machine = {
  startTask() {},
  startAgent: (made) => ({ ...made, status: { phase: "Pending" } }),
  startPod: (_nodeId, made) => ({ ...withReportKey(made), status: { phase: "Pending" } }),
  stop: () => false,
};

/** Begins the name of an artifact in a report. */
const ARTIFACT = "artifact:";

/** A running scenario: what the engine observes, and the results of its actions. */
export class Scenario {
  workflow: Workflow | undefined;
  config = CONFIG;
  readonly #objects = {
    workflowTemplates: new Map<string, WorkflowTemplate>(),
    clusterWorkflowTemplates: new Map<string, ClusterWorkflowTemplate>(),
    configMaps: new Map<string, ConfigMap>(),
  };
  readonly cluster = new Cluster(this.#objects, UNTOUCHED);
  readonly pods = this.cluster.pods;
  readonly results = this.cluster.taskResults;
  readonly garbage = new GarbageCollectors();
  memory = new Memory();
  /** The maximum number of pods that a pass may request; unlimited if absent. */
  maxPodRequests: number | undefined;
  /** The baseline by which the engine estimates durations; undefined without one. */
  baseline: ObservedState["baseline"];
  now = new Date("2026-01-01T00:00:00Z");
  /** Whether a release in the last pass granted a lock to a waiter: another pass is due. */
  isAnswered = false;
  /** The clock of a pass, in milliseconds. */
  elapsed = () => 0;

  /** Restarts the controller: only the objects of the cluster remain. */
  restart(): void {
    this.memory = new Memory();
    this.workflow = structuredClone(this.workflow);
  }

  run(command: string, body: string): string {
    const [name, ...rest] = command.split(" ");
    const [first = ""] = rest;
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
        return this.deletePod(first);
      case "opened":
        return this.openReport(first);
      case "gone":
        this.pods.delete(this.node(first).id);
        return "ok";
      case "result":
        return this.report(rest);
      case "report": {
        this.report(rest);
        const { id } = this.node(first);
        this.setReport(id, { ...this.results.get(id)!, phase: "Succeeded" });
        return "ok";
      }
      case "baseline":
        this.baseline = {
          seconds: Number(first),
          nodes: new Map(rest.slice(1).map((text) => text.split("=")).map(([name = "", took]) => [name, Number(took)])),
        };
        return "ok";
      case "collector":
      case "collected":
      case "lost":
      case "refuse":
        return this.garbage.see(name, rest, this.now);
      case "remove": {
        const metadata = { ...this.workflow!.metadata, deletionTimestamp: timeText(this.now) };
        this.workflow = { ...this.workflow!, metadata };
        return "ok";
      }
      case "ask": {
        const [type = "", key = "", ...more] = rest.slice(1);
        const nodeId = "";
        const priority = Number(more[0]?.replace("priority=", "") ?? 0);
        const locks = [parseLockItem(type as LockType, key)];
        this.cluster.locks.request(`default/${first}`, "2026-01-01T00:00:00Z", { nodeId, locks, priority });
        this.cluster.locks.grantAndAnswer();
        return this.cluster.locks.answersOf(`default/${first}`)!.get("")!.kind;
      }
      case "give":
        this.cluster.locks.release(`default/${first}`, "");
        this.cluster.locks.grantAndAnswer();
        return "ok";
      case "limit":
        this.cluster.locks.setLimit(parseLockItem("semaphore", first), Number(rest[1]));
        this.cluster.locks.grantAndAnswer();
        return "ok";
      case "agent": {
        const pod = this.cluster.agent;
        if (!pod) throw new Error("The scenario has no agent");
        const status = parseYaml(body)[0]?.value as Pod["status"];
        this.cluster.agent = first === "gone"
          ? undefined
          : { ...pod, status: { ...status, phase: first as "Running" } };
        return "ok";
      }
      case "answer":
        return this.answer(rest);
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
        this.addObject(object);
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

  /** Adds an object that the workflow refers to. */
  addObject(object: { readonly kind: string; readonly metadata: { readonly name: string } }): void {
    const { name } = object.metadata;
    switch (object.kind) {
      case "WorkflowTemplate":
        return void this.#objects.workflowTemplates.set(name, object as unknown as WorkflowTemplate);
      case "ClusterWorkflowTemplate":
        return void this.#objects.clusterWorkflowTemplates.set(name, object as unknown as ClusterWorkflowTemplate);
      case "ConfigMap":
        return void this.#objects.configMaps.set(name, object as unknown as ConfigMap);
      default:
        throw new Error(`A scenario cannot contain a ${object.kind}`);
    }
  }

  /** The engine's observation of the current state. */
  observe(): ObservedState {
    const { baseline } = this;
    const garbage = this.workflow && hasGarbageFinalizer(this.workflow) ? this.garbage.facts : undefined;
    const refusals = new Map([...this.cluster.observed.refusals, ...this.garbage.refusals]);
    return {
      ...this.cluster.observed,
      baseline,
      garbage,
      refusals,
      ...(this.maxPodRequests === undefined ? {} : { maxPodRequests: this.maxPodRequests }),
    };
  }

  /** The decision of the engine, which is not applied yet. */
  decide(memory = this.memory): Decision {
    return decide(this.workflow!, this.observe(), this.now, this.config, memory, this.elapsed);
  }

  pass(delay: string | undefined): string {
    if (delay) this.now = new Date(this.now.getTime() + Number(parseDuration(delay.slice(1))) / 1e6);
    const before = this.workflow!;
    const decision = this.makePass();
    const after = decision.workflow;
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

  /** Makes a pass: the engine decides, and all actions are applied. */
  makePass(): Decision {
    const decision = this.cluster.withLocks(this.workflow!, () => this.decide());
    this.workflow = decision.workflow;
    this.isAnswered = this.cluster.releaseLocks(decision);
    for (const action of decision.actions) this.apply(action);
    const left = this.leftBehind();
    if (left.length) throw new Error(`Something was left behind: ${left.join("; ")}`);
    return decision;
  }

  /** The nodes that no pass evaluates again. A suspended workflow evaluates them once it is resumed. */
  leftBehind(): string[] {
    const { spec, status } = this.workflow!;
    if (spec.suspend && !spec.shutdown) return [];
    return nodesLeftBehind(status?.nodes ?? {}, ({ id }) => this.pods.has(id));
  }

  apply(action: Action): void {
    if (!this.garbage.act(action)) this.cluster.act(action);
  }

  node(name: string): NodeStatus {
    const nodes = Object.values(this.workflow?.status?.nodes ?? {});
    const found = nodes.find((node) => node.name === name) ??
      nodes.findLast((node) => node.displayName === name && node.type === "Pod") ??
      nodes.find((node) => node.displayName === name);
    if (!found) throw new Error(`No node "${name}"; there are ${nodes.map((node) => node.name).join(", ")}`);
    return found;
  }

  answer([name = "", phase, ...options]: string[]): string {
    const pairs = options.map((text) => text.split(/=(.*)/s).slice(0, 2) as [string, string]);
    const { result, message, ...parameters } = Object.fromEntries(pairs);
    const values = Object.entries(parameters).map(([name, value]) => ({ name, value }));
    const outputs = { ...(result !== undefined && { result }), ...(values.length && { parameters: values }) };
    this.cluster.answer(name.startsWith("id:") ? name.slice(3) : this.node(name).id, {
      phase: phase as "Running",
      ...(message !== undefined && { message: message.replaceAll("_", " ") }),
      ...(Object.keys(outputs).length && { outputs }),
    });
    return "ok";
  }

  setPod([name = "", phase = "", ...options]: string[]): string {
    this.setPodOf(this.node(name), phase, options);
    return "ok";
  }

  /** Sets the phase of a node's pod, without the search for the node's name. */
  setPodOf(node: NodeStatus, phase: string, options: readonly string[] = []): void {
    const pod = this.pods.get(node.id);
    if (!pod) throw new Error(`Node "${node.name}" has no pod`);
    const option = (key: string) => options.find((text) => text.startsWith(`${key}=`))?.slice(key.length + 1);
    const exitCode = Number(option("exit") ?? (phase === "Failed" ? 1 : 0));
    const time = timeText(this.now);
    const over = phase === "Succeeded" || phase === "Failed";
    const main = over
      ? {
        terminated: {
          exitCode,
          reason: exitCode ? "Error" : "Completed",
          message: option("message")?.replaceAll("_", " "),
          startedAt: time,
          finishedAt: time,
        },
      }
      : phase === "Running"
      ? { running: { startedAt: time } }
      : { waiting: { reason: option("message")?.replaceAll("_", " ") ?? "ContainerCreating" } };
    const aux = over ? { terminated: { exitCode: 0, reason: "Completed", startedAt: time, finishedAt: time } } : main;
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
    if (over && !this.results.has(node.id)) this.#report(node, []);
  }

  see([name = "", host]: string[], status: string): string {
    const { id } = this.node(name);
    const pod = this.pods.get(id)!;
    const spec = host ? { ...pod.spec, nodeName: host.replace("host=", "") } : pod.spec;
    this.pods.set(id, { ...pod, spec, status: parseYaml(status)[0]?.value as Pod["status"] });
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
    this.setReport(id, { ...result, metadata: { ...metadata, labels } });
    return "ok";
  }

  /** Stores a report, sealed by the node's current pod, or unsealed without a pod. */
  setReport(id: string, report: WorkflowTaskResult): void {
    const pod = this.pods.get(id);
    this.results.set(id, pod ? sealReport(pod, report) : report);
  }

  report([name = "", ...values]: string[]): string {
    this.#report(this.node(name), values);
    return "ok";
  }

  #report(node: NodeStatus, values: readonly string[]): void {
    const pairs = values.map((text) => text.split(/=(.*)/s).slice(0, 2) as [string, string]);
    const result = pairs.find(([key]) => key === "result")?.[1];
    const named = (prefix: string) => pairs.filter(([key]) => key.startsWith(prefix));
    const artifacts = named(ARTIFACT).map(([key, value]) => {
      const [name = "", strategy] = key.slice(ARTIFACT.length).split("@");
      return {
        name,
        s3: { key: value },
        ...(strategy ? { artifactGC: { strategy: strategy as ArtifactGCStrategy } } : {}),
      };
    });
    const parameters = pairs.filter(([key]) => key !== "result" && !key.startsWith(ARTIFACT))
      .map(([key, value]) => ({ name: key, value }));
    this.setReport(node.id, {
      apiVersion: "argoproj.io/v1alpha1",
      kind: "WorkflowTaskResult",
      metadata: {
        name: node.id,
        labels: { [LABEL.workflow]: this.workflow!.metadata.name!, [LABEL.reportOutputsCompleted]: "true" },
      },
      ...(values.length
        ? {
          outputs: {
            ...(result === undefined ? {} : { result }),
            ...(parameters.length ? { parameters } : {}),
            ...(artifacts.length ? { artifacts } : {}),
          },
        }
        : {}),
    });
  }
}

function workflowLines(before: Workflow, after: Workflow): string[] {
  const was = before.status ?? {};
  const is = after.status ?? {};
  const locks = JSON.stringify(is.synchronization) ?? "none";
  const lines = [
    ...(locks === (JSON.stringify(was.synchronization) ?? "none") ? [] : [`locks ${locks}`]),
    ...ownEntries("label", before, after),
    ...ownEntries("annotation", before, after),
  ];
  if (was.estimatedDuration !== is.estimatedDuration) lines.push(`estimated ${is.estimatedDuration}s`);
  if (hasGarbageFinalizer(before) !== hasGarbageFinalizer(after)) {
    lines.push(hasGarbageFinalizer(after) ? "kept for its garbage" : "released");
  }
  const problem = problemOf(is);
  if (problem !== problemOf(was)) lines.push(`condition ArtifactGCError ${problem}`);
  const collected = JSON.stringify(is.artifactGCStatus);
  if (hasGarbageFinalizer(before) && JSON.stringify(was.artifactGCStatus) !== collected) {
    lines.push(`garbage ${collected}`);
  }
  if (was.artifactRepositoryRef !== is.artifactRepositoryRef) {
    lines.push(`repository ${JSON.stringify(is.artifactRepositoryRef)}`);
  }
  if (was.phase === is.phase && was.message === is.message && was.outputs === is.outputs) return lines;
  const outputs = is.outputs === was.outputs ? "" : ` outputs ${JSON.stringify(is.outputs)}`;
  return [`workflow ${is.phase}${is.message ? `: ${is.message}` : ""}${outputs}`, ...lines];
}

function problemOf({ conditions }: NonNullable<Workflow["status"]>): string | undefined {
  const found = conditions?.find(({ type }) => type === "ArtifactGCError");
  return found && `${found.status}: ${found.message}`;
}

/** New labels or annotations of the workflow's author, which do not belong to Argo. */
function ownEntries(what: "label" | "annotation", before: Workflow, after: Workflow): string[] {
  const was = before.metadata[`${what}s`] ?? {};
  return Object.entries(after.metadata[`${what}s`] ?? {})
    .filter(([name, value]) => !name.includes("argoproj.io/") && was[name] !== value)
    .map(([name, value]) => `${what} ${name}: ${value}`);
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
  const { memoizationStatus: memo } = node;
  const memoized = memo ? ` memo ${memo.cacheName}/${memo.key} ${memo.hit ? "hit" : "miss"}` : "";
  // The progress of a single pod is not printed: its phase shows it.
  const isCounted = node.type === "Pod" && node.progress !== undefined && !node.progress.endsWith("/1");
  const estimate = node.estimatedDuration === undefined ? "" : ` estimated ${node.estimatedDuration}s`;
  const progress = isCounted ? ` progress ${node.progress}` : "";
  return `node ${node.name} ${node.type} ${node.phase}${
    node.message ? `: ${node.message}` : ""
  }${progress}${estimate}${outputs}${memoized}`;
}

function describe(action: Action): string {
  switch (action.kind) {
    case "createPod": {
      const main = action.pod.spec.containers.find(({ name }) => name === "main");
      const command = [...main?.command ?? [], ...main?.args ?? []];
      const own = command.slice(command.indexOf("--") + 1);
      const retry = action.pod.metadata.annotations?.[ANNOTATION.nodeName];
      const { affinity } = action.pod.spec;
      const where = affinity ? ` affinity ${JSON.stringify(affinity)}` : "";
      const archive = archiveOf(action);
      const artifacts = archive ? ` archive ${JSON.stringify(archive)}` : "";
      return `create pod ${action.pod.metadata.name} for ${retry}: ${JSON.stringify(own)}${where}${artifacts}`;
    }
    case "deletePod":
      return `delete pod ${action.podName}`;
    case "terminateContainers":
      return `terminate ${action.podName}`;
    case "reportEnds":
      return `tell ${action.podName} how containers ended: ${JSON.stringify(action.exitCodes)}`;
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
    case "createBudget":
      return `create budget ${action.budget.metadata?.name} ${JSON.stringify(action.budget.spec)}`;
    case "deleteBudget":
      return `delete budget ${action.name}`;
    case "count":
      return `count ${action.metric} ${JSON.stringify(action.labels)}`;
    case "lookUpImage":
      return `look up image ${action.unknown.image} as ${action.unknown.serviceAccount}`;
    case "logPod":
      return `log pod ${action.pod.metadata.name}`;
    case "readConfigMap":
      return `read ConfigMap ${action.namespace}/${action.name}`;
    case "addTasks": {
      const tasks = Object.entries(action.tasks).map(([id, { http, plugin }]) =>
        `${id} ${JSON.stringify(http ?? plugin)}`
      );
      return `add tasks ${tasks.join(", ")}`;
    }
    case "removeTasks":
      return `remove tasks ${action.nodeIds.join(", ")}`;
    case "completeTaskSet":
      return "complete the task set";
    case "createAgent": {
      const others = action.pod.spec.containers.map(({ name }) => name).filter((name) => name !== "main");
      return `create agent ${action.pod.metadata.name}${others.length ? ` with ${others.join(", ")}` : ""}`;
    }
    case "lookUpMemo":
      return `look up ${action.key} in ${action.cache}`;
    case "dropMemo":
      return "take what was looked up";
    case "refreshMemo":
      return `hit ${action.key} in ${action.cache}`;
    case "saveMemo":
      return `remember ${action.key} in ${action.cache}: ${JSON.stringify(action.outputs ?? null)}`;
    case "deleteTaskResults":
      return "delete task results";
    case "createCollector": {
      const { serviceAccountName, containers } = action.pod.spec;
      const command = containers[0]?.command?.slice(0, 3).join(" ");
      const lines = action.tasks.map(({ metadata, spec }) => `task ${metadata.name} ${garbageOf(spec)}`);
      const account = serviceAccountName ? ` as ${serviceAccountName}` : "";
      return [`collect by pod ${action.pod.metadata.name}${account}: ${command}`, ...lines].join("\n");
    }
    case "readCollector":
      return `read what ${action.podName} told`;
    case "deleteGarbageTasks":
      return `delete tasks ${action.tasks.map(({ name }) => name).join(", ")}`;
    case "metric": {
      const { type, name, labels, value, operation } = action.metric;
      const told = Object.entries(labels).map(([label, text]) => `${label}=${JSON.stringify(text)}`).join(",");
      return `metric ${type} ${name}{${told}} ${operation ? `${operation} ` : ""}${value}`;
    }
    case "deleteWorkflow":
      return `delete the workflow${action.propagation === "Background" ? "" : `, ${action.propagation}`}`;
    case "event":
      return `event ${action.type} ${action.reason}: ${action.message}${
        action.pod ? ` of pod ${action.pod.name}` : ""
      }`;
  }
}

/** The artifacts that a task deletes, by node, with their keys. */
function garbageOf({ artifactsByNode = {} }: WorkflowArtifactGCTask["spec"]): string {
  return Object.entries(artifactsByNode).flatMap(([node, { artifacts = {} }]) =>
    Object.values(artifacts).map((artifact) => `${node}/${artifact.name}=${keyOf(artifact)}`)
  ).join(" ");
}

/** The location where a pod's executor stores artifacts without a location. */
function archiveOf({ pod }: Extract<Action, { kind: "createPod" }>): unknown {
  const templates = pod.spec.containers.flatMap(({ env = [] }) => env.filter(({ name }) => name === ENV.template));
  return templates[0]?.value && JSON.parse(templates[0].value).archiveLocation;
}

/** Runs a scenario and returns its text with the actual results of its commands. */
export function runScenario(text: string, world = new Scenario()): string {
  const blocks: string[] = [];
  for (const block of text.replace(/\n+$/, "").split(/\n\n(?=[a-z]+(?: |\n|$))/)) {
    const commentEnd = block.search(/^[a-z]/m);
    const comment = block.slice(0, Math.max(0, commentEnd));
    const [question = ""] = block.slice(commentEnd).split(/\n?----/);
    const [command = "", ...body] = question.split("\n");
    blocks.push(`${comment}${question}\n----\n${world.run(command, body.join("\n"))}`);
  }
  return `${blocks.join("\n\n")}\n`;
}
