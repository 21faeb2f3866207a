/** The simulation loop: the engine decides, the cluster acts, and the clock jumps to the next event. */
import type { NodeStatus, Pod, Template, Workflow } from "@tiphys/model/api";
import { LIMITS } from "@tiphys/base/limits";
import { EvaluationMeter, withMeter } from "@tiphys/language/template";
import { decide, type Decision, Memory } from "@tiphys/engine";
import { attemptIndex, isCompletedPhase } from "@tiphys/model/status";
import { contentsOf, podEndOf, taskResultOf } from "./answer.ts";
import { Cluster } from "./cluster.ts";
import { SimulatedMachine } from "./machine.ts";
import { readScene, type Scene } from "./documents.ts";
import { ENGINE_CONFIG } from "./engine_config.ts";
import type { Answer, SimulateOptions, TemplateCall } from "./options.ts";
import { resumption, suspendedNodes, suspendTemplateOf } from "./suspended_nodes.ts";
import { Run, type TemplateCallRecord, valuesOf } from "./run.ts";
import { standstillError, tooManyPassesError } from "./standstill.ts";
import { answeredTemplate, TemplateFunctions, type TemplateHome } from "./template_functions.ts";
import { Timeline } from "./timeline.ts";

const START = new Date("2026-01-01T00:00:00Z");
const MAX_PASSES = 10_000;

/**
 * Runs a workflow to its end. `source` is YAML or an object: a Workflow, or a WorkflowTemplate, ClusterWorkflowTemplate
 * or CronWorkflow from which a workflow is created. Functions stand for templates. Suspending, backing off and
 * deadlines take no real time.
 * @throws {SimulationError} when the input is invalid, or the workflow cannot continue. Errors of the functions are
 * rethrown.
 */
export async function simulate(source: string | object, options: SimulateOptions = {}): Promise<Run> {
  const startAt = options.startAt ?? START;
  const scene = readScene(source, options, startAt);
  const base = scene.workflow.spec.workflowTemplateRef?.name;
  const functions = new TemplateFunctions(options.templates ?? {}, templateHomes(scene), base);
  return await new Simulation(scene, functions, options, startAt).run();
}

function templateHomes({ workflow, workflowTemplates, clusterWorkflowTemplates }: Scene): TemplateHome[] {
  return [workflow, ...workflowTemplates.values(), ...clusterWorkflowTemplates.values()].map((object) => ({
    home: object === workflow ? undefined : object.metadata.name,
    templates: object.spec.templates ?? [],
  }));
}

/** A simulation in progress. */
class Simulation {
  readonly #functions: TemplateFunctions;
  readonly #timeline: Timeline;
  readonly #cluster: Cluster;
  readonly #machine: SimulatedMachine;
  readonly #config: typeof ENGINE_CONFIG;
  readonly #maxPasses: number;
  readonly #memory = new Memory();
  readonly #calls: TemplateCallRecord[] = [];
  /** Suspended nodes whose function has been called. */
  readonly #answered = new Set<string>();
  #workflow: Workflow;
  #passes = 0;

  constructor(scene: Scene, functions: TemplateFunctions, options: SimulateOptions, startAt: Date) {
    this.#workflow = scene.workflow;
    this.#functions = functions;
    this.#timeline = new Timeline(startAt);
    this.#machine = new SimulatedMachine(
      this.#timeline,
      (...pod) => this.#play(...pod),
      (...task) => this.#playTask(...task),
    );
    this.#cluster = new Cluster(scene, this.#machine);
    this.#config = { ...ENGINE_CONFIG, workflowDefaults: options.workflowDefaults };
    this.#maxPasses = options.maxPasses ?? MAX_PASSES;
    const { shutdown } = options;
    if (shutdown) {
      this.#timeline.plan(startAt.getTime() + shutdown.afterSeconds * 1000, () => {
        this.#workflow = { ...this.#workflow, spec: { ...this.#workflow.spec, shutdown: shutdown.strategy } };
      });
    }
  }

  async run(): Promise<Run> {
    for (;;) {
      if (this.#passes >= this.#maxPasses) throw tooManyPassesError(this.#workflow, this.#passes);
      const before = this.#workflow;
      const decision = this.#pass();
      // A change of the workflow by an action is visible only in the next pass, as in a cluster.
      let isNew = this.#workflow !== before;
      isNew = this.#cluster.releaseLocks(decision) || isNew;
      for (const action of decision.actions) {
        isNew = this.#cluster.act(action) || isNew;
        await this.#machine.planEnds(this.#cluster);
      }
      if (isCompletedPhase(this.#workflow.status?.phase)) break;
      await this.#answerSuspended();
      if (!isNew) this.#jump(decision);
    }
    return new Run({
      workflow: this.#workflow,
      events: this.#cluster.events,
      metrics: this.#cluster.metrics,
      passes: this.#passes,
      calls: this.#calls,
      functions: this.#functions,
    });
  }

  #pass(): Decision {
    this.#passes++;
    const meter = new EvaluationMeter({
      now: () => performance.now(),
      all: LIMITS.passEvaluationMillis,
      single: LIMITS.evaluationMillis,
    });
    const decision = this.#cluster.withLocks(
      this.#workflow,
      () =>
        withMeter(
          meter,
          () => decide(this.#workflow, this.#cluster.observed, this.#timeline.now, this.#config, this.#memory),
        ),
    );
    this.#workflow = decision.workflow;
    return decision;
  }

  /** Jumps to the next planned event of the cluster or the next requeue time of the engine. */
  #jump({ requeueAt }: Decision): void {
    const wake = requeueAt === undefined ? Infinity : Math.max(requeueAt, this.#timeline.now.getTime() + 1);
    const next = Math.min(this.#timeline.next ?? Infinity, wake);
    if (next === Infinity) {
      throw standstillError(this.#workflow, this.#cluster.observed, this.#timeline.now, this.#config);
    }
    this.#timeline.jumpTo(next);
  }

  async #play(nodeId: string, pod: Pod, template: Template) {
    const node = this.#workflow.status?.nodes?.[nodeId];
    if (node === undefined) throw new Error(`pod created for ${nodeId}, which is not a node of the workflow`);
    const { call, answer = {} } = await this.#call(node, template, pod);
    const isDaemon = template.daemon && answer.durationSeconds === undefined;
    return { end: podEndOf(call, pod, answer), seconds: isDaemon ? Infinity : answer.durationSeconds ?? 0 };
  }

  async #playTask(nodeId: string, template: Template) {
    const node = this.#workflow.status?.nodes?.[nodeId];
    if (node === undefined) throw new Error(`task created for ${nodeId}, which is not a node of the workflow`);
    const { answer = {} } = await this.#call(node, template, undefined);
    return { result: taskResultOf(answer), seconds: answer.durationSeconds ?? 0 };
  }

  async #answerSuspended(): Promise<void> {
    for (const node of suspendedNodes(this.#workflow)) {
      if (this.#answered.has(node.id)) continue;
      this.#answered.add(node.id);
      const { call, answer } = await this.#call(node, suspendTemplateOf(node), undefined);
      if (!answer) continue;
      const act = resumption(node.id, call, answer);
      this.#timeline.plan(this.#timeline.now.getTime() + (answer.durationSeconds ?? 0) * 1000, () => {
        this.#workflow = act(this.#workflow, this.#timeline.now);
      });
    }
  }

  /** Calls the function for a node's template. The answer is undefined if there is no function. */
  async #call(
    node: NodeStatus,
    spec: Template,
    pod: Pod | undefined,
  ): Promise<{ readonly call: TemplateCall; readonly answer: Answer | undefined }> {
    const names = this.#functions.namesOf(node);
    const inputs = { ...spec.inputs, ...node.inputs };
    const call: TemplateCall = {
      template: answeredTemplate(node),
      node: node.displayName ?? node.name,
      attempt: attemptOf(node),
      inputs: { parameters: valuesOf(inputs.parameters), artifacts: contentsOf({ inputs }) },
      at: this.#timeline.now,
      spec: { ...spec, inputs },
      pod,
    };
    this.#calls.push({ names, call });
    const answers = this.#functions.functionOf(node);
    return { call, answer: answers && (await answers(call) ?? {}) };
  }
}

/** Returns the number of an attempt from the node's name; 0 for other nodes. */
function attemptOf({ name, nodeFlag }: NodeStatus): number {
  return nodeFlag?.retried ? attemptIndex(name) ?? 0 : 0;
}
