/**
 * The real controller over the embedded API, in this process. The test acts as the kubelet: it sets the status of pods.
 * It is also the network between controller and API server, and may delay, refuse or change requests.
 */
import type { Outputs, Pod, Workflow, WorkflowTaskResult } from "@tiphys/model/api";
import { API_VERSION, CONTAINER, LABEL } from "@tiphys/base/constants";
import {
  classifyError,
  EVENTS,
  KubeClient,
  type KubeObject,
  NAMESPACES,
  PODS,
  type Transport,
  WORKFLOW_TASK_RESULTS,
  WORKFLOWS,
} from "@tiphys/kube";
import type { TransportResponse } from "@tiphys/kube/connections";
import { parseYaml } from "@tiphys/model/yaml";
import { type ApiServer, createApiServer } from "../../local/api/mod.ts";
import {
  type Controller,
  type ControllerOptions,
  defaultConfig,
  lineLog,
  startController,
} from "../../controller/mod.ts";
import { machineClock } from "../../controller/loop/clock.ts";
import { sealReport } from "../../simulate/testing/seal_report.ts";
import { awaitFact } from "../await_fact.ts";
import { createCrds, foreignCrds, parseCrdSet } from "../foreign/crds.ts";
import { timeText } from "@tiphys/model/status";

/** A request that the controller sent. */
export interface SentRequest {
  readonly method: string;
  /** Includes the query. */
  readonly path: string;
  readonly body: unknown;
}

/**
 * Intercepts a request to the API server. Returns its own response, or the result of `next`, which sends the given
 * body, or the original body when called without one.
 */
export type Interceptor = (
  sent: SentRequest,
  next: (body?: unknown) => Promise<TransportResponse>,
) => Promise<TransportResponse>;

/** Forwards every request unchanged. */
const passThrough: Interceptor = (_sent, next) => next();

/** The end of a container. */
export interface End {
  readonly exitCode: number;
  readonly reason?: string;
  readonly message?: string;
}

/** A command that was run in a container. */
export interface Exec {
  readonly pod: string;
  readonly container: string;
  readonly command: readonly string[];
}

type EngineConfig = ReturnType<ControllerOptions["config"]>;

const NAMESPACE = "default";
const SECONDS = 60;

/** The part of an API server that a world needs. */
export type WorldApi = Pick<ApiServer, "client" | "useKubelet" | "close">;

/** A test world. Disposal stops the controller and the server. */
export class ControllerWorld<Api extends WorldApi = ApiServer> implements AsyncDisposable {
  readonly api: Api;
  /** The client of users and kubelets; its requests are not intercepted. */
  readonly client: KubeClient;
  readonly execs: Exec[] = [];
  readonly logLines: string[] = [];
  /** Called for every command that is run in a container. */
  onExec: (exec: Exec) => void | Promise<void> = () => {};
  between: Interceptor = passThrough;
  config: EngineConfig = defaultConfig({ executorImage: "argoexec:test" }).engine;
  now = () => new Date();
  #controller: Controller | undefined;

  /** Without `api`, the server runs in this process. */
  constructor(api: Api = createApiServer({ storePath: ":memory:" }) as WorldApi as Api) {
    this.api = api;
    this.client = api.client();
    this.api.useKubelet({
      logs: () => ReadableStream.from([]),
      exec: async (_namespace, pod, container, command) => {
        const exec = { pod, container, command };
        this.execs.push(exec);
        await this.onExec(exec);
        return { stdout: "", stderr: "", exitCode: 0 };
      },
    });
  }

  /** Starts a controller over the existing objects. */
  async startController(options: Partial<ControllerOptions> = {}): Promise<Controller> {
    const crds = Deno.env.get("FOREIGN_CRDS");
    if (crds) await createCrds(this.client, await foreignCrds(parseCrdSet(crds)));
    this.#controller = await startController({
      client: new KubeClient(this.#transport()),
      config: () => this.config,
      clock: { ...machineClock(), now: () => this.now().getTime() },
      log: lineLog({ level: "debug", format: "text", write: (line) => this.logLines.push(line) }),
      ...options,
    });
    return this.#controller;
  }

  async stopController(): Promise<void> {
    await this.#controller?.close();
    this.#controller = undefined;
  }

  /** Changes settings of the engine. The next pass uses them. */
  configure(change: Partial<EngineConfig>, executor: Partial<EngineConfig["executor"]> = {}): void {
    this.config = { ...this.config, ...change, executor: { ...this.config.executor, ...change.executor, ...executor } };
  }

  /** Creates the workflow in the YAML. */
  async submit(yaml: string, namespace = NAMESPACE): Promise<Workflow> {
    const [document] = parseYaml(yaml);
    return await this.client.create<Workflow>(WORKFLOWS, namespace, {
      apiVersion: API_VERSION,
      kind: "Workflow",
      ...document?.value as object,
    });
  }

  async workflow(name: string, namespace = NAMESPACE): Promise<Workflow> {
    return await this.client.get<Workflow>(WORKFLOWS, namespace, name);
  }

  async pod(name: string, namespace = NAMESPACE): Promise<Pod | undefined> {
    try {
      return await this.client.get<Pod>(PODS, namespace, name);
    } catch (error) {
      if (classifyError(error) === "notFound") return undefined;
      throw error;
    }
  }

  /** Resolves to the pod as soon as it exists and is not `not`. */
  async awaitPod(name: string, options: { namespace?: string; not?: Pod } = {}): Promise<Pod> {
    let found: Pod | undefined;
    await this.waitUntil(`the pod ${name} is made`, async () => {
      found = await this.pod(name, options.namespace);
      return found !== undefined && found.metadata.uid !== options.not?.metadata.uid;
    });
    return found!;
  }

  /** Lets the kubelet start the pod's containers; all are ready except those in `unready`. */
  async startPod(name: string, namespace = NAMESPACE, unready: readonly string[] = []): Promise<Pod> {
    const pod = await this.awaitPod(name, { namespace });
    await this.client.patch(PODS, namespace, name, { spec: { nodeName: "machine" } });
    const startedAt = timeText(new Date());
    return await this.setStatus(name, {
      phase: "Running",
      startTime: startedAt,
      containerStatuses: pod.spec.containers.map((container) => ({
        name: container.name,
        containerID: `fake://${container.name}`,
        ready: !unready.includes(container.name),
        state: { running: { startedAt } },
      })),
    }, namespace);
  }

  /** Ends the containers, successfully unless `ends` has another end. The executor has reported before. */
  async endPod(name: string, ends: Record<string, End> = {}, namespace = NAMESPACE): Promise<Pod> {
    const pod = await this.awaitPod(name, { namespace });
    const finishedAt = timeText(new Date());
    const states = pod.spec.containers.map((container) => {
      const { exitCode, message, reason } = ends[container.name] ?? { exitCode: 0 };
      const end = { exitCode, message, reason: reason ?? (exitCode ? "Error" : "Completed"), finishedAt };
      return {
        name: container.name,
        containerID: `fake://${container.name}`,
        ready: false,
        state: { terminated: { ...end, startedAt: pod.status?.startTime ?? finishedAt } },
      };
    });
    const failed = states.some(({ state }) => state.terminated.exitCode !== 0);
    return await this.setStatus(name, { phase: failed ? "Failed" : "Succeeded", containerStatuses: states }, namespace);
  }

  /** Lets the executor write a complete report that main succeeded: its node ends before its pod does. */
  async reportSuccess(pod: Pod): Promise<void> {
    const labels = {
      [LABEL.workflow]: pod.metadata.labels?.[LABEL.workflow] ?? "",
      [LABEL.reportOutputsCompleted]: "true",
    };
    const report = sealReport(pod, {
      apiVersion: API_VERSION,
      kind: "WorkflowTaskResult",
      metadata: { name: nodeIdOf(pod), labels },
      phase: "Succeeded",
    });
    await this.client.create<WorkflowTaskResult>(WORKFLOW_TASK_RESULTS, pod.metadata.namespace, report);
  }

  /** Writes a sealed report of the executor: main has started, or, if `whole`, the report is complete. */
  async report(pod: Pod, whole: boolean, outputs?: Outputs): Promise<void> {
    const name = nodeIdOf(pod);
    const labels = {
      [LABEL.workflow]: pod.metadata.labels?.[LABEL.workflow] ?? "",
      [LABEL.reportOutputsCompleted]: String(whole),
    };
    const reportFields = { kind: "WorkflowTaskResult", metadata: { name, labels }, ...(outputs ? { outputs } : {}) };
    const report = sealReport(pod, { apiVersion: API_VERSION, ...reportFields });
    try {
      await this.client.create<WorkflowTaskResult>(WORKFLOW_TASK_RESULTS, pod.metadata.namespace, report);
    } catch (error) {
      if (classifyError(error) !== "alreadyExists") throw error;
      const { metadata: { annotations } } = report;
      const change = { metadata: { labels, annotations }, ...(outputs ? { outputs } : {}) };
      await this.client.patch(WORKFLOW_TASK_RESULTS, pod.metadata.namespace, name, change);
    }
  }

  async setStatus(name: string, status: object, namespace = NAMESPACE): Promise<Pod> {
    return await this.client.patch<Pod>(PODS, namespace, name, { status }, "merge", { subresource: "status" });
  }

  /** Deletes the pod as a user. A kubelet that had it reports at once that nothing is running. */
  async deletePod(name: string, namespace = NAMESPACE): Promise<void> {
    await this.client.delete(PODS, namespace, name, { gracePeriodSeconds: 0 });
  }

  /** The messages of the events with a reason. */
  async events(reason: string, namespace = NAMESPACE): Promise<string[]> {
    const { items } = await this.client.list<KubeObject>(EVENTS, namespace);
    return items.filter((event) => event.reason === reason).map((event) => String(event.message));
  }

  async makeNamespace(name: string): Promise<void> {
    await this.client.create(NAMESPACES, undefined, { apiVersion: "v1", kind: "Namespace", metadata: { name } });
  }

  async waitUntil(fact: string, holds: () => Promise<boolean> | boolean): Promise<void> {
    try {
      await awaitFact(fact, holds, { seconds: SECONDS });
    } catch (error) {
      throw new Error(`${(error as Error).message}\n${this.logLines.slice(-20).join("\n")}`, { cause: error });
    }
  }

  /** Resolves to the workflow when it has ended. */
  async awaitEnd(name: string, namespace = NAMESPACE): Promise<Workflow> {
    let workflow = await this.workflow(name, namespace);
    await this.waitUntil(`the workflow ${name} has ended`, async () => {
      workflow = await this.workflow(name, namespace);
      return workflow.status?.finishedAt !== undefined;
    });
    return workflow;
  }

  async awaitPodDeletion(name: string, namespace = NAMESPACE): Promise<void> {
    await this.waitUntil(`the pod ${name} is gone`, async () => await this.pod(name, namespace) === undefined);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.between = passThrough;
    await this.stopController();
    this.api.close();
  }

  /** A client's transport, intercepted by the test. */
  #transport(): Transport {
    const direct = this.api.client().transport;
    return {
      ...direct,
      webSocket: (path, protocols) => direct.webSocket(path, protocols),
      close: () => direct.close(),
      fetch: (path, init = {}) => {
        const text = typeof init.body === "string" ? init.body : undefined;
        const next = (body?: unknown) =>
          direct.fetch(path, { ...init, body: body === undefined ? text : JSON.stringify(body) });
        const sent = {
          method: init.method ?? "GET",
          path,
          // Read lazily: most tests do not need it, and a large body takes time.
          get body() {
            return text === undefined ? undefined : JSON.parse(text);
          },
        };
        return this.between(sent, next);
      },
    };
  }
}

/** Holds requests for which `which` is true until `open` is called. */
export class Gate {
  #open: () => void = () => {};
  readonly #opened = new Promise<void>((resolve) => this.#open = resolve);
  /** The number of requests that were held. */
  held = 0;
  readonly #which: (sent: SentRequest) => boolean;

  constructor(which: (sent: SentRequest) => boolean) {
    this.#which = which;
  }

  readonly between: Interceptor = async (sent, next) => {
    if (this.#which(sent)) {
      this.held++;
      await this.#opened;
    }
    return await next(sent.body);
  };

  open(): void {
    this.#open();
  }
}

/** The node that a pod belongs to. */
export function nodeIdOf(pod: Pod): string {
  return pod.metadata.annotations?.["workflows.argoproj.io/node-id"] ?? "";
}

/** The name of the pod's executor container: supervisor or `wait`. */
export function auxAnnotationOf(pod: Pod): string | undefined {
  return pod.spec.containers.find(({ name }) => name === CONTAINER.supervisor || name === CONTAINER.wait)?.name;
}

/** A workflow of one container that sleeps. */
export function sleepingWorkflow(name: string, more = ""): string {
  return `
metadata: {name: ${name}}
spec:
  entrypoint: main
  templates:
  - name: main
    container: {image: busybox, command: [sleep, "600"]}
${more}`;
}
