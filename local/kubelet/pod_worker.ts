/** A worker runs one pod on this machine, from its creation to its removal. */

import type { Pod, PodContainer } from "@tiphys/model/api";
import { systemClock } from "@tiphys/base/clock";
import { ENV, IMAGE_STAND_IN } from "@tiphys/base/constants";
import { Quantity } from "@tiphys/base/go";
import { type KubeClient, PODS } from "@tiphys/kube";
import { formatTerminationMessage } from "@tiphys/model/termination_message";
import { parseTerminationMessage } from "@tiphys/model/parse_termination_message";
import type { ExecStreams } from "../api/mod.ts";
import { attemptFolder } from "./attempt_folders.ts";
import { containerCommand } from "./containers/container_command.ts";
import { containerMounts, mountPoint } from "./containers/container_mounts.ts";
import { ContainerRunner } from "./containers/container_runner.ts";
import type { PodAddress } from "./volumes/downward_api.ts";
import { resolveEnvironment } from "./containers/environment.ts";
import type { Lookup } from "./volumes/lookup.ts";
import { retryForever } from "./retry_forever.ts";
import { confirmDeletion, KUBELET_STOPPED } from "./lost_pods.ts";
import { ImageError } from "@tiphys/registry/image_error";
import { type AttemptLimits, isLastAttempt } from "./attempt_limits.ts";
import { logStream } from "./logs/log_reader.ts";
import type { PodAddresses } from "./pod_addresses.ts";
import { type PodEvents, SCHEDULER } from "./pod_events.ts";
import { preparePodFiles } from "./volumes/pod_files.ts";
import { type PodFacts, podStatus } from "./pod_status.ts";
import { pullSecrets } from "./pull_secrets.ts";
import { watchReadiness } from "./containers/readiness.ts";
import { removeTree } from "../image/remove_tree.ts";
import type { ContainerRuntime, ContainerSpec, Ending, ImagePull, Mount, StopSignal } from "./runtime/runtime.ts";
import { SetupError } from "./setup_error.ts";
import { checkStartable } from "./containers/startable.ts";
import { StatusReporter } from "./status_reporter.ts";
import { terminationMessage } from "./containers/termination_message.ts";
import { type PreparedVolume, prepareVolumes, type VolumeWorld } from "./volumes/volumes.ts";
import { undefinedIfAborted, waitFor } from "./wait_for.ts";

/** The parts of the kubelet that all pods of the machine share. */
export interface PodWorld {
  readonly client: KubeClient;
  readonly runtime: ContainerRuntime;
  readonly node: Pick<PodAddress, "nodeName" | "hostIP">;
  readonly addresses: PodAddresses;
  readonly lookup: Lookup;
  readonly events: PodEvents;
  readonly volumes: Omit<VolumeWorld, "address">;
  /** The variables with the address of the API server. */
  readonly apiEnv: ReadonlyMap<string, string>;
  readonly caCert: string | undefined;
  /** The folder used instead of the executor's image; see KubeletOptions. */
  readonly executor: { readonly image: string; readonly folder: string };
  /** The failures after which a pod that cannot start fails; undefined to retry without end. */
  readonly attempts?: AttemptLimits | undefined;
  now(): string;
  onError(subject: string, error: unknown): void;
}

const RETRY_VOLUMES_MS = 1000;

export class PodWorker {
  /** Resolves when nothing of the pod is running and its last status is written. */
  readonly done: Promise<void>;
  readonly #pod: Pod;
  readonly #folder: string;
  readonly #world: PodWorld;
  readonly #address: PodAddress;
  readonly #runners: ContainerRunner[];
  readonly #reporter: StatusReporter;
  readonly #stopping = new AbortController();
  /** Aborted when the kubelet closes. */
  readonly #leaving = new AbortController();
  /** Functions that cancel pending timers. */
  readonly #timers = new Set<() => void>();
  /** The runs of started containers. Each ends after its last attempt. */
  readonly #runs: Promise<unknown>[] = [];
  #facts: PodFacts;
  #volumes: ReadonlyMap<string, PreparedVolume> = new Map();
  #files: readonly Mount[] = [];
  #deleting = false;
  #confirming: Promise<void> | undefined;
  #over = false;

  constructor(pod: Pod, folder: string, world: PodWorld) {
    this.#pod = pod;
    this.#folder = folder;
    this.#world = world;
    const podIP = pod.spec.hostNetwork === true ? world.node.hostIP : world.addresses.take();
    this.#address = { ...world.node, podIP };
    this.#facts = { startTime: world.now(), address: this.#address };
    const { containers, initContainers = [] } = pod.spec;
    this.#runners = [
      ...initContainers.map((container) => this.#runnerOf(container, "init")),
      ...containers.map((container) => this.#runnerOf(container, "main")),
    ];
    this.#reporter = new StatusReporter(
      world.client,
      pod,
      () => podStatus(pod, this.#runners.map(({ record }) => record), this.#facts, world.now()),
      (error) => world.onError(`write the status of pod ${this.#pod.metadata.name}`, error),
    );
    this.done = this.#run().catch((error) => world.onError(`clean up after pod ${pod.metadata.name}`, error));
  }

  /** Applies a change of the pod. A deletion ends the pod within its grace period. */
  update(pod: Pod): void {
    if (pod.metadata.deletionTimestamp === undefined) return;
    this.#deleting = true;
    this.stop(pod.metadata.deletionGracePeriodSeconds ?? pod.spec.terminationGracePeriodSeconds ?? 30);
    if (this.#over) void this.#confirmDeletion();
  }

  /** Ends all containers: SIGTERM, then SIGKILL after the grace period. Another call can only shorten it. */
  stop(graceSeconds: number): void {
    this.#stopping.abort();
    if (graceSeconds <= 0) return this.#signal("SIGKILL");
    this.#signal("SIGTERM");
    this.#callAfter(graceSeconds, () => this.#signal("SIGKILL"));
  }

  /** Whether a main container has ended and only containers of the executor are running, which end soon. */
  get isEnding(): boolean {
    const records = this.#runners.map(({ record }) => record);
    const running = records.filter(({ state }) => state.running);
    return running.length > 0 && running.every(({ spec }) => spec.image === this.#world.executor.image) &&
      records.some(({ kind, state }) => kind === "main" && state.terminated);
  }

  /** Kills all containers because the kubelet closes. A pod that has not ended by then fails with that reason. */
  shutDown(): void {
    if (!this.#over) this.#facts = { failure: KUBELET_STOPPED, ...this.#facts };
    this.#reporter.end();
    this.#leaving.abort();
    this.stop(0);
  }

  /**
   * Returns the log of a container.
   * @throws if the pod has no such container.
   */
  logs(
    container: string,
    options: Parameters<typeof logStream>[1] & { previous?: boolean },
  ): ReadableStream<Uint8Array> {
    const runner = this.#runner(container);
    return logStream(runner.logPath(options.previous), options, options.previous ? undefined : runner.log);
  }

  /** Runs a command in a container. Rejects if the container is not running. */
  async exec(container: string, command: readonly string[], streams?: ExecStreams) {
    const running = this.#runner(container).container;
    if (!running) throw new Error(`container "${container}" of pod "${this.#pod.metadata.name}" is not running`);
    return await running.exec(command, { streams });
  }

  async #run(): Promise<void> {
    const { spec } = this.#pod;
    try {
      if (!spec.nodeName) await this.#bind();
      this.#reporter.report();
      this.#startDeadline();
      await this.#prepareVolumes();
      if (await this.#runInit()) {
        const mains = this.#runners.filter(({ record }) => record.kind === "main");
        await Promise.all(mains.map((runner) => this.#runContainer(runner)));
      }
    } catch (error) {
      this.#failPod(error);
    }
    await this.#endPod();
  }

  /**
   * Fails the pod because of an error that the pod did not cause, or something missing that is no longer waited for.
   */
  #failPod(error: unknown): void {
    if (error instanceof ImageError || error instanceof SetupError) return this.#failStart(error);
    const { namespace, name } = this.#pod.metadata;
    this.#world.onError(`run pod ${namespace}/${name}`, error);
    this.#facts = { ...this.#facts, failure: { reason: "KubeletError", message: messageOf(error) } };
    this.stop(0);
  }

  /** The states of the containers have the reason. If others have started, their ends would hide it. */
  #failStart({ reason, message }: ImageError | SetupError): void {
    const records = this.#runners.map(({ record }) => record);
    const hasStarted = records.some(({ state, spec, kind }) =>
      !state.waiting && kind === "main" && spec.image !== this.#world.executor.image
    );
    const failure = { reason, ...(hasStarted && { message: `${reason}: ${message}` }) };
    this.#facts = { failure, ...this.#facts };
    this.stop(this.#pod.spec.terminationGracePeriodSeconds ?? 30);
  }

  async #bind(): Promise<void> {
    const { namespace, name = "", uid } = this.#pod.metadata;
    const patch = { metadata: { uid }, spec: { nodeName: this.#address.nodeName } };
    const { client, onError } = this.#world;
    await retryForever(
      () => client.patch(PODS, namespace, name, patch, "merge"),
      this.#stopping.signal,
      (error) => onError(`bind pod ${namespace}/${name}`, error),
    );
    if (this.#stopping.signal.aborted) return;
    this.#world.events.record(this.#pod, {
      type: "Normal",
      reason: "Scheduled",
      message: `Successfully assigned ${namespace}/${name} to ${this.#address.nodeName}`,
      component: SCHEDULER,
    });
  }

  async #prepareVolumes(): Promise<void> {
    const folder = `${this.#folder}/volumes`;
    let failures = 0;
    while (!this.#stopping.signal.aborted) {
      try {
        const world = { ...this.#world.volumes, address: this.#address };
        const volumes = await undefinedIfAborted(prepareVolumes(this.#pod, folder, world), this.#stopping.signal);
        if (!volumes) return;
        this.#volumes = volumes;
        const { lookup, caCert, runtime } = this.#world;
        const { podIP } = this.#address;
        this.#files = await preparePodFiles(this.#pod, `${this.#folder}/files`, {
          lookup,
          caCert,
          podIP,
          rootId: runtime.rootId,
        });
        return;
      } catch (error) {
        if (!(error instanceof SetupError)) throw error;
        for (const runner of this.#runners) {
          if (runner.record.kind === "main") runner.wait("ContainerCreating", error.message);
        }
        const failure = error.cause instanceof ImageError ? error.cause : error;
        if (isLastAttempt(failure, ++failures, this.#world.attempts)) throw failure;
      }
      await waitFor(RETRY_VOLUMES_MS, this.#stopping.signal);
    }
  }

  /** Runs the init containers in order. Returns false if the main containers must not start. */
  async #runInit(): Promise<boolean> {
    for (const runner of this.#runners.filter(({ record }) => record.kind === "init")) {
      if (runner.record.spec.restartPolicy === "Always") {
        const running = this.#runContainer(runner);
        await Promise.race([runner.started, running]);
        running.catch((error) => this.#failPod(error));
      } else if (await this.#runContainer(runner) !== 0) {
        return false;
      }
    }
    return !this.#stopping.signal.aborted;
  }

  #runContainer(runner: ContainerRunner): ReturnType<ContainerRunner["run"]> {
    const run = runner.run();
    this.#runs.push(run);
    return run;
  }

  async #endPod(): Promise<void> {
    this.stop(this.#pod.spec.terminationGracePeriodSeconds ?? 30);
    // Includes containers that are being created: they would outlive their pod.
    await Promise.allSettled(this.#runs);
    for (const cancelTimer of this.#timers) cancelTimer();
    this.#over = true;
    this.#world.addresses.release(this.#address.podIP);
    this.#reporter.report();
    await this.#reporter.flushed();
    for (const part of ["volumes", "files"]) {
      // A folder that cannot be removed does not block the pod; the next start removes it.
      await removeTree(`${this.#folder}/${part}`)
        .catch((error) => this.#world.onError(`remove the ${part} of pod ${this.#pod.metadata.name}`, error));
    }
    if (this.#deleting) await this.#confirmDeletion();
  }

  /** Confirms the deletion of the pod, unless a confirmation is in flight. */
  #confirmDeletion(): Promise<void> {
    const { client, onError } = this.#world;
    return this.#confirming ??= confirmDeletion(client, this.#pod, this.#leaving.signal, onError)
      .finally(() => this.#confirming = undefined);
  }

  #startDeadline(): void {
    const { activeDeadlineSeconds } = this.#pod.spec;
    if (activeDeadlineSeconds === undefined) return;
    this.#callAfter(activeDeadlineSeconds, () => {
      const message = "Pod was active on the node longer than the specified deadline";
      this.#facts = { ...this.#facts, failure: { reason: "DeadlineExceeded", message } };
      this.stop(this.#pod.spec.terminationGracePeriodSeconds ?? 30);
    });
  }

  #callAfter(seconds: number, act: () => void): void {
    if (this.#over) return;
    this.#timers.add(systemClock.after(seconds * 1000, act));
  }

  #signal(signal: StopSignal): void {
    for (const runner of this.#runners) runner.signal(signal);
  }

  #runner(name: string): ContainerRunner {
    const runner = this.#runners.find(({ record }) => record.spec.name === name);
    if (!runner) throw new Error(`container "${name}" is not one of pod "${this.#pod.metadata.name}"`);
    return runner;
  }

  #runnerOf(container: PodContainer, kind: "init" | "main"): ContainerRunner {
    const runner: ContainerRunner = new ContainerRunner(container, kind, {
      runtime: this.#world.runtime,
      restartPolicy: this.#pod.spec.restartPolicy ?? "Always",
      attempts: this.#world.attempts,
      folder: attemptFolder(this.#folder, this.#pod, container.name),
      specOf: (attempt, terminationLog) => this.#specOf(container, attempt, terminationLog),
      terminationMessage: (file, log, ending) => this.#messageOf(container, file, log, ending),
      now: () => this.#world.now(),
      onError: (what, error) => this.#world.onError(what, error),
      onChange: () => this.#reporter.report(),
      recordEvent: (event) =>
        this.#world.events.record(this.#pod, { ...event, part: containerField(this.#pod, container) }),
      stopping: this.#stopping.signal,
    });
    runner.started.then(() => this.#watchReadiness(runner, container))
      .catch((error) => this.#world.onError(`probe the readiness of container ${container.name}`, error));
    return runner;
  }

  /** A startup probe only delays readiness; its failure does not kill the container. */
  async #watchReadiness(
    runner: ContainerRunner,
    { startupProbe, readinessProbe, ports = [] }: PodContainer,
  ): Promise<void> {
    const running = () => runner.container;
    const target = { podIP: this.#address.podIP, ports };
    if (startupProbe) {
      for await (const started of watchReadiness(startupProbe, running, target)) if (started) break;
      if (!readinessProbe) return runner.setReady(true);
    }
    if (!readinessProbe) return;
    for await (const ready of watchReadiness(readinessProbe, running, target)) runner.setReady(ready);
  }

  /** Pulls an image, with an event if it is fetched from its registry. */
  async #pull(container: PodContainer): ReturnType<ContainerRuntime["pull"]> {
    const { runtime, lookup, events } = this.#world;
    const { image = "" } = container;
    const part = containerField(this.#pod, container);
    let began: number | undefined;
    const content = await runtime.pull(image, {
      policy: container.imagePullPolicy as ImagePull["policy"],
      secrets: await pullSecrets(this.#pod, lookup),
      onFetch: () => {
        if (began !== undefined) return;
        began = performance.now();
        events.record(this.#pod, { type: "Normal", reason: "Pulling", message: `Pulling image "${image}"`, part });
      },
    });
    if (content.isStandIn) await this.#reportStandIn(image, part);
    if (began !== undefined) {
      const seconds = ((performance.now() - began) / 1000).toFixed(1);
      const message = `Successfully pulled image "${image}" in ${seconds}s`;
      events.record(this.#pod, { type: "Normal", reason: "Pulled", message, part });
    }
    return content;
  }

  /**
   * Reports a stand-in for an image that could not be pulled, in the pod's status and as an event. Returns when the
   * status is written: the report of a short container can finish its node before any later status.
   */
  async #reportStandIn(image: string, part: string): Promise<void> {
    const { standIns = [] } = this.#facts;
    if (!standIns.includes(image)) {
      this.#facts = { ...this.#facts, standIns: [...standIns, image] };
      this.#reporter.report();
      await this.#reporter.flushed();
    }
    const message = `Image "${image}" cannot be pulled: a stand-in with common tools of this machine runs in its place`;
    this.#world.events.record(this.#pod, { type: "Warning", reason: IMAGE_STAND_IN, message, part });
  }

  async #specOf(container: PodContainer, folder: string, terminationLog: string): Promise<ContainerSpec> {
    const { executor, apiEnv, lookup } = this.#world;
    const image = await this.#pull(container);
    const isExecutor = container.image === executor.image;
    const hostname = this.#pod.spec.hostname ?? this.#pod.metadata.name ?? "";
    const base = new Map([...image.env, ["HOSTNAME", hostname] as const, ...apiEnv]);
    if (isExecutor) base.set("PATH", `/argo-bin/bin:${base.get("PATH") ?? ""}`);
    if (container.tty) base.set(ENV.lendTerminal, "true");
    const env = await resolveEnvironment(container, { pod: this.#pod, address: this.#address, lookup, base });
    const own = containerMounts(container, this.#volumes, env);
    const given: Mount[] = [
      ...this.#files,
      {
        source: terminationLog,
        target: mountPoint("The termination message", container.terminationMessagePath ?? "/dev/termination-log"),
        readOnly: false,
      },
      ...(isExecutor ? [{ source: executor.folder, target: "/argo-bin", readOnly: true }] : []),
    ];
    const taken = new Set(own.map(({ target }) => target));
    const rights = { ...this.#pod.spec.securityContext, ...container.securityContext };
    const spec: ContainerSpec = {
      id: `${this.#pod.metadata.uid}-${container.name}-${folder.split("/").at(-1)}`,
      folder,
      image: container.image ?? "",
      hostname: hostname.slice(0, 63),
      command: containerCommand(container, image, env),
      env,
      workingDir: container.workingDir || image.workingDir,
      user: rights.runAsUser,
      group: rights.runAsGroup,
      imageUser: image.user,
      readOnlyRoot: container.securityContext?.readOnlyRootFilesystem === true,
      noNewPrivileges: container.securityContext?.allowPrivilegeEscalation === false,
      memoryLimit: memoryLimit(container),
      mounts: [...given.filter(({ target }) => !taken.has(target)), ...own],
    };
    checkStartable(spec);
    return spec;
  }

  async #messageOf(container: PodContainer, file: string, log: string, ending: Ending): Promise<string> {
    const own = await terminationMessage({
      file,
      policy: container.terminationMessagePolicy,
      exitCode: ending.exitCode,
      logTail: () => logStream(log, { tailLines: 80 }, undefined),
    });
    return addCause(own.trimEnd(), ending.message);
  }
}

/** The field of a container in its pod, as in events. */
function containerField({ spec: { initContainers = [] } }: Pod, container: PodContainer): string {
  return `spec.${initContainers.includes(container) ? "initContainers" : "containers"}{${container.name}}`;
}

/** Adds a cause to the message of a container. A message of the executor keeps its format. */
function addCause(own: string, besides: string | undefined): string {
  if (!besides) return own;
  const line = parseTerminationMessage(own);
  if (line) return formatTerminationMessage({ ...line, cause: `${line.cause}: ${besides}` });
  return own === "" ? besides : `${own}: ${besides}`;
}

function memoryLimit({ resources }: PodContainer): number | undefined {
  const limit = resources?.limits?.memory;
  return limit === undefined ? undefined : Quantity.parse(String(limit)).toNumber();
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
