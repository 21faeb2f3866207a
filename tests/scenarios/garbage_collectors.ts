/** The pods of a scenario that delete artifacts: those that the engine requested, and their status. */
import type { Pod } from "@tiphys/model/api";
import { timeText } from "@tiphys/model/status";
import type { Action, Refusal } from "@tiphys/engine";
import type { GarbageFacts, GarbageReport } from "@tiphys/engine/garbage";

type CollectorCreation = Extract<Action, { kind: "createCollector" }>;

/** All garbage collector pods, by name. */
export class GarbageCollectors {
  readonly #made = new Map<string, CollectorCreation>();
  readonly #pods = new Map<string, Pod>();
  readonly #vanished = new Map<string, Pod>();
  readonly #written = new Map<string, GarbageReport>();
  readonly #reports = new Map<string, GarbageReport>();
  readonly refusals = new Map<string, Refusal>();

  get facts(): GarbageFacts {
    return { pods: this.#pods, vanished: this.#vanished, reports: this.#reports };
  }

  /** Applies an action of the engine if it concerns garbage. */
  act(action: Action): boolean {
    switch (action.kind) {
      case "createCollector": {
        const name = action.pod.metadata.name!;
        if (this.refusals.has(`garbage/${name}`)) return true;
        const uid = `uid of ${name}`;
        this.#made.set(name, action);
        this.#vanished.delete(name);
        this.#reports.delete(name);
        this.#pods.set(name, {
          ...action.pod,
          metadata: { ...action.pod.metadata, uid },
          status: { phase: "Pending" },
        });
        return true;
      }
      case "readCollector":
        this.#reports.set(action.podName, this.#written.get(action.podName) ?? { podUid: action.podUid, tasks: [] });
        return true;
      case "deleteGarbageTasks":
        this.#pods.delete(action.podName);
        return true;
      default:
        return false;
    }
  }

  see(subject: string, [name = "", ...rest]: readonly string[], now: Date): string {
    const key = `garbage/${name}`;
    if (subject === "refuse") {
      if (rest.length) this.refusals.set(key, { message: rest.join(" "), transient: true });
      else this.refusals.delete(key);
      return "ok";
    }
    const pod = this.#pods.get(name);
    if (!pod) throw new Error(`There is no pod ${name}; there are ${[...this.#pods.keys()].join(", ")}`);
    switch (subject) {
      case "collector":
        this.#end(pod, rest[0] as "Running", now);
        return "ok";
      case "lost":
        this.#pods.delete(name);
        this.#vanished.set(name, pod);
        return "ok";
      default:
        this.#reportTask(name, pod.metadata.uid, rest);
        this.#end(pod, "Succeeded", now);
        return "ok";
    }
  }

  #end(pod: Pod, phase: NonNullable<NonNullable<Pod["status"]>["phase"]>, now: Date): void {
    const finishedAt = timeText(now);
    const terminated = { exitCode: phase === "Failed" ? 1 : 0, startedAt: finishedAt, finishedAt };
    const state = phase === "Succeeded" || phase === "Failed" ? { terminated } : {};
    this.#pods.set(pod.metadata.name!, { ...pod, status: { phase, containerStatuses: [{ name: "main", state }] } });
  }

  #reportTask(podName: string, podUid: string | undefined, failures: readonly string[]): void {
    const errors = new Map(failures.map((text) => text.split(/=(.*)/s).slice(0, 2) as [string, string | undefined]));
    const tasks = this.#made.get(podName)!.tasks.map(({ metadata, spec }) => {
      const wanted = Object.entries(spec.artifactsByNode ?? {}).flatMap(([nodeId, { artifacts = {} }]) =>
        Object.keys(artifacts).map((artifact) => ({ nodeId, artifact, name: `${nodeId}/${artifact}` }))
      );
      // A name without an error is an artifact that the pod does not report.
      const reported = wanted.filter(({ name }) => !errors.has(name) || errors.get(name) !== undefined);
      const results = reported.map(({ nodeId, artifact, name }) => ({
        nodeId,
        artifact,
        error: errors.get(name)?.replaceAll("_", " "),
      }));
      return { name: metadata.name!, uid: "uid", artifacts: wanted.length, results };
    });
    this.#written.set(podName, { podUid, tasks });
  }
}
