/** One run of one case with one seed: the real controller, client and API server, and all faults. */
import type { Pod, Workflow } from "@tiphys/model/api";
import { lineLog } from "../../controller/mod.ts";
import {
  type KubeClient,
  type KubeObject,
  PERSISTENT_VOLUME_CLAIMS,
  PODS,
  WORKFLOW_TASK_RESULTS,
  WORKFLOWS,
} from "@tiphys/kube";
import { createApiServer } from "../../local/api/mod.ts";
import { type Case, playOf, type UserAction } from "./case.ts";
import { Chance, hash } from "./chance.ts";
import type { Evidence, Start, WorkflowVersion } from "./evidence.ts";
import {
  ALTERING,
  createGivenFaults,
  createRandomFaults,
  type Fault,
  type FaultPlan,
  type Likelihood,
  NO_FAULTS,
  PEOPLE,
} from "./faults.ts";
import { VirtualHost, WORLD } from "./host.ts";
import { Kubelet } from "./kubelet.ts";
import { type ApiCall, Network, type NetworkPeer } from "./network.ts";
import { performUserAction } from "./people.ts";
import type { Fence } from "./fences.ts";
import { Process } from "./process.ts";
import { createObjects } from "./create_objects.ts";

/** The case and the seed of a run, and overrides. */
export interface RunOptions {
  readonly case: Case;
  readonly seed: string;
  /** The exact faults, instead of those of the seed; an empty list for a run without faults. */
  readonly faults?: readonly Fault[];
  readonly faultless?: Evidence;
  /** The number of controllers; decided by the seed if absent. */
  readonly controllers?: 1 | 2 | undefined;
  /** The likelihood of each fault; the default one if absent. */
  readonly likelihood?: Likelihood | undefined;
  /** Disabled fences, to show that they are needed. */
  readonly without?: ReadonlySet<Fence>;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
/** The time that a workflow may take without faults; a case that takes longer is a mistake. */
const MAX_CASE_MILLIS = 180 * MINUTE;
/** The maximum number of times that a workflow finishes and is retried in one run. */
const MAX_LIVES = 5;
const LOG_LINES = 400;

/** Runs the case. The same options give the same evidence. */
export async function runCase(options: RunOptions): Promise<Evidence> {
  using host = new VirtualHost(options.seed);
  const run = new Run(host, options);
  try {
    return await run.play();
  } finally {
    run.close();
  }
}

class Run {
  readonly #host: VirtualHost;
  readonly #options: RunOptions;
  readonly #chance: Chance;
  readonly #plan: FaultPlan;
  readonly #isCalm: boolean;
  readonly #network: Network;
  readonly #kubelet: Kubelet;
  readonly #client: KubeClient;
  readonly #processes = new Map<string, Process>();
  readonly #lives = new Map<string, number>();
  readonly #calls: ApiCall[] = [];
  readonly #versions: WorkflowVersion[] = [];
  readonly #starts: Start[] = [];
  readonly #ends = new Map<string, number>();
  readonly #deletions: { readonly at: number; readonly key: string }[] = [];
  readonly #retriedAt: number[] = [];
  readonly #exits: string[] = [];
  readonly #log: string[] = [];
  readonly #watching = new AbortController();
  readonly #api = createApiServer({ storePath: ":memory:" });
  #isGone = false;
  #isClosing = false;

  constructor(host: VirtualHost, options: RunOptions) {
    this.#host = host;
    this.#options = options;
    this.#chance = new Chance(options.seed);
    this.#isCalm = options.faults?.length === 0;
    this.#plan = options.faults
      ? createGivenFaults(options.faults)
      : createRandomFaults(options.seed, options.likelihood);
    this.#client = this.#api.client();
    this.#network = new Network({
      host,
      api: this.#api,
      chance: this.#chance,
      onCall: (call) => this.#calls.push(call),
      onCrash: (process) => this.#crash(process),
      onPause: (peer, millis) => {
        this.#processes.get(peer.name.slice(0, 1))!.pausedUntil = host.now + millis;
        this.#addLogLine(peer.name, `is stopped for ${millis} ms`);
      },
      onRestart: (millis) => this.#network.restart(millis),
      onClockSet: (peer, millis) => {
        const process = this.#processes.get(peer.name.slice(0, 1))!;
        if (!this.#dependsOnTime) process.clockOffset += millis;
      },
    });
    this.#kubelet = new Kubelet({
      host,
      areKeysKnown: options.without?.has("ownKey") === true,
      api: this.#api,
      chance: this.#chance,
      play: (nodeName) => playOf(options.case, nodeName),
      onDeleted: (key) => this.#deletions.push({ at: host.now, key }),
      onEnd: (uid) => void (this.#ends.has(uid) || this.#ends.set(uid, host.now)),
      onStart: (pod) => this.#starts.push({ at: host.now, pod, retries: this.#retriedAt.length }),
      faultOf: (pod) => this.#recordFault(this.#network.faults.at("pod", `pod ${pod.slice(options.case.name.length)}`)),
    });
  }

  /** Records a fault that does not concern the network. */
  #recordFault(fault: Fault | undefined): Fault | undefined {
    if (fault) this.#network.trace.push(fault);
    return fault;
  }

  /** Whether the case has deadlines or pauses: with wrong clocks it has another result, and should. */
  get #dependsOnTime(): boolean {
    return /deadline|duration|"suspend":|ttl|after/i.test(JSON.stringify(this.#options.case));
  }

  close(): void {
    this.#isClosing = true;
    for (const process of this.#processes.values()) process.kill();
    this.#watching.abort();
    this.#kubelet.close();
    this.#api.close();
  }

  async play(): Promise<Evidence> {
    const { case: { workflow, objects = [] } } = this.#options;
    const host = this.#host;
    const before = this.#do(async () => {
      await this.#kubelet.start();
      await createObjects(this.#client, objects);
    });
    await before;
    void this.#watchWorkflow();
    const { controllers = this.#isCalm || this.#chance.numberFor("controllers") < 0.6 ? 1 : 2 } = this.#options;
    const names = ["A", "B"].slice(0, controllers);
    this.#network.faults = this.#plan;
    for (const name of names) {
      host.after(this.#chance.integerBetween(0, 3000, "start", name), WORLD, () => this.#start(name));
    }
    host.after(this.#chance.integerBetween(0, 4000, "submit"), WORLD, () => {
      void this.#client.create(WORKFLOWS, "default", workflow);
      for (const [index, deed] of (this.#options.case.people ?? []).entries()) this.#performWhenPossible(deed, index);
    });
    const chaos = this.#isCalm ? 0 : this.#chance.integerBetween(MINUTE, 20 * MINUTE, "chaos");
    const isOver = () => this.#endedAt() !== undefined;
    this.#scheduleUsers(chaos);
    if (await host.run(isOver, chaos)) await host.run(() => false, Math.min(chaos, host.now + 2 * MINUTE));
    // A paused process resumes later: until then, another one may not work.
    const stopped = [...this.#processes.values()].filter(({ isDead: dead }) => !dead).map(({ pausedUntil }) =>
      pausedUntil
    );
    const calmFrom = Math.max(host.now, ...stopped);
    this.#network.faults = NO_FAULTS;
    this.#endSuspension();
    for (const process of this.#processes.values()) process.forbiddenUntil = 0;
    const meddled = this.#network.trace.some(({ kind }) => ALTERING.has(kind));
    // A workflow that users changed may have more to do than usual: for example, one that was to be stopped is retried.
    const usual = meddled ? MAX_CASE_MILLIS : this.#options.faultless?.endedAt ?? MAX_CASE_MILLIS;
    let waitedUntil = calmFrom + usual + 10 * MINUTE;
    let endedAt: number | undefined;
    // A user scheduled before the calm may still act and retry a finished workflow: the run waits for that, too.
    for (let life = 0; life === 0 || (endedAt !== undefined && !isOver() && life < MAX_LIVES); life++) {
      if (life > 0) waitedUntil = Math.max(waitedUntil, host.now + usual);
      await host.run(isOver, waitedUntil);
      endedAt = this.#endedAt();
      await host.run(() => false, Math.max(host.now, calmFrom) + 10 * MINUTE);
    }
    const settled = this.#calls.length;
    await host.run(() => false, host.now + 2 * MINUTE);
    const left = await this.#do(() => this.#readRemaining());
    return {
      case: this.#options.case,
      faultless: this.#options.faultless,
      hasUserActions: meddled,
      versions: this.#versions,
      starts: this.#starts,
      ends: this.#ends,
      deletions: this.#deletions,
      retriedAt: this.#retriedAt,
      endedAt,
      calmFrom,
      waitedUntil,
      left: left!,
      changes: this.#calls.filter(({ method }) => method !== "GET"),
      lateWrites: this.#calls.slice(settled).filter(({ method, path }) =>
        method !== "GET" && !path.includes("/leases")
      ),
      queued: [...this.#processes.values()].reduce((sum, { controller }) => sum + (controller?.queueDepth ?? 0), 0),
      exits: this.#exits,
      uncaught: host.uncaught.filter(({ owner }) => !owner.isDead).map(({ owner, error }) =>
        `${owner.name}: ${errorText(error)}`
      ),
      trace: this.#network.trace,
      calls: this.#calls.length,
      places: this.#calls.filter(({ path, at }) => at < SECOND * 5 || !path.includes("/leases")).map(({ place }) =>
        place
      ),
      hash: hash(this.#calls.map((call) => JSON.stringify(call)).join("\n")).toString(16).padStart(8, "0"),
      log: this.#log,
    };
  }

  /** Runs an action in the world, without passing time. */
  async #do<T>(act: () => Promise<T>): Promise<T> {
    let result: { readonly value: T } | { readonly error: unknown } | undefined;
    this.#host.after(0, WORLD, () => act().then((value) => result = { value }, (error) => result = { error }));
    await this.#host.run(() => result !== undefined, this.#host.now + MINUTE);
    if (!result) throw new Error("An immediate action took a minute");
    if ("error" in result) throw result.error;
    return result.value;
  }

  #start(name: string): void {
    if (this.#isClosing) return;
    const life = (this.#lives.get(name) ?? 0) + 1;
    this.#lives.set(name, life);
    // In half of the runs all passes run on the main thread; in the other half workflows move between the lanes.
    const slowShare = this.#chance.numberFor("slow lane") < 0.5 ? 0 : this.#chance.numberFor("slow lane", "share");
    let passes = 0;
    const process = new Process({
      host: this.#host,
      network: this.#network,
      name: `${name}${life}`,
      clockOffset: this.#skewOf(name),
      without: this.#options.without,
      log: lineLog({ level: "debug", format: "text", write: (line) => this.#addLogLine(`${name}${life}`, line) }),
      isSlow: () => this.#chance.numberFor("slow", name, life, ++passes) < slowShare,
      onExit: (error) => {
        this.#exits.push(error instanceof Error ? error.message : String(error));
        this.#addLogLine(process.name, `ended: ${errorText(error)}`);
        this.#crash(process);
      },
    });
    this.#processes.set(name, process);
    process.start();
  }

  /** Handles the crash of a process, which is restarted. */
  #crash(peer: NetworkPeer): void {
    const name = peer.name.slice(0, 1);
    const process = this.#processes.get(name);
    if (!process || process !== peer || process.isDead) return;
    this.#addLogLine(process.name, "is dead");
    process.kill();
    this.#host.after(this.#chance.integerBetween(500, 10_000, "again", process.name), WORLD, () => this.#start(name));
  }

  #addLogLine(process: string, subject: string): void {
    this.#log.push(`${String(Math.round(this.#host.now)).padStart(8)} ms ${process} ${subject}`);
    if (this.#log.length > LOG_LINES) this.#log.shift();
  }

  async #watchWorkflow(): Promise<void> {
    const { name } = this.#options.case;
    const watch = this.#client.watch<Workflow>(
      WORKFLOWS,
      "default",
      { inactivityMs: MAX_CASE_MILLIS },
      this.#watching.signal,
    );
    for await (const { type, object } of watch) {
      if (type === "BOOKMARK" || object.metadata.name !== name) continue;
      if (type === "DELETED") this.#isGone = true;
      else this.#versions.push({ at: this.#host.now, workflow: object });
    }
  }

  #endedAt(): number | undefined {
    const last = this.#versions.at(-1);
    if (this.#isGone) return last?.at;
    if (this.#options.case.vanishes || !last?.workflow.status?.finishedAt) return undefined;
    return last.at;
  }

  /** The offset by which a process's clock is ahead of the world's, in milliseconds. */
  #skewOf(name: string): number {
    const place = `clock ${name}`;
    if (this.#dependsOnTime) return 0;
    const fault = this.#plan.at("clock", place);
    if (fault && !this.#network.trace.includes(fault) && !this.#lives.has(`${place} errorText`)) {
      this.#lives.set(`${place} errorText`, 1);
      this.#recordFault(fault);
    }
    return fault?.value ?? 0;
  }

  /** Schedules random users while there are faults. */
  #scheduleUsers(until: number): void {
    for (let person = 1; person <= PEOPLE; person++) {
      const fault = this.#network.faults.at("person", `person ${person}`);
      if (!fault || fault.value! >= until) continue;
      this.#recordFault(fault);
      const deed = { do: fault.kind as UserAction["do"], after: 0 };
      this.#host.after(fault.value!, WORLD, () => {
        this.#performAction(deed);
        if (deed.do !== "suspend") return;
        this.#isSuspended = true;
        const wait = this.#chance.integerBetween(1000, 120_000, fault.at, "resume");
        this.#host.after(wait, WORLD, () => this.#endSuspension());
      });
    }
  }

  /** Ends a random suspension. */
  #endSuspension(): void {
    if (!this.#isSuspended) return;
    this.#isSuspended = false;
    this.#performAction({ do: "resume", after: 0 });
  }

  #isSuspended = false;

  /** Performs a user action now, if it is possible. */
  #performAction(deed: UserAction): void {
    performUserAction(this.#client, this.#options.case.name, deed).then((isDone) => {
      if (isDone && deed.do === "retry") this.#retriedAt.push(this.#host.now);
    });
  }

  /** Performs a user action when it is due, or as soon afterwards as it is possible. */
  #performWhenPossible(deed: UserAction, index: number): void {
    const attempt = () => {
      performUserAction(this.#client, this.#options.case.name, deed).then((isDone) => {
        if (isDone && deed.do === "retry") this.#retriedAt.push(this.#host.now);
        if (!isDone) this.#host.after(SECOND, WORLD, attempt);
      });
    };
    this.#host.after(deed.after * SECOND + index, WORLD, attempt);
  }

  async #readRemaining(): Promise<Evidence["left"]> {
    const { name } = this.#options.case;
    const [pods, reports, claims, workflows] = await Promise.all([
      this.#client.list<Pod>(PODS, "default"),
      this.#client.list<KubeObject>(WORKFLOW_TASK_RESULTS, "default"),
      this.#client.list<KubeObject>(PERSISTENT_VOLUME_CLAIMS, "default"),
      this.#client.list<Workflow>(WORKFLOWS, "default"),
    ]);
    return {
      pods: pods.items,
      reports: reports.items,
      claims: claims.items,
      workflows: workflows.items.filter(({ metadata }) => metadata.name === name),
    };
  }
}

function errorText(error: unknown): string {
  return error instanceof Error ? error.stack ?? error.message : String(error);
}
