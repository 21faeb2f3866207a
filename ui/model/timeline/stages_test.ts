import { assertEquals } from "@std/assert";
import type { NodeStatus } from "@tiphys/model/api";
import type { KubeEvent, PodTimes } from "../../api/source.ts";
import { podMoments, stagesOf, stagesText } from "./stages.ts";

const START = Date.parse("2026-01-01T00:00:00Z");
const at = (seconds: number) => new Date(START + seconds * 1000).toISOString().replace(".000", "");
const NOW = START + 1_000_000;

function event(seconds: number, reason: string, message: string, part = ""): KubeEvent {
  return {
    type: "Normal",
    reason,
    message,
    count: 1,
    lastTimestamp: at(seconds),
    involvedObject: { kind: "Pod", name: "p", part },
  };
}

function node(more: Partial<NodeStatus>): NodeStatus {
  return {
    id: "n",
    name: "w.n",
    type: "Pod",
    phase: "Succeeded",
    startedAt: at(0),
    finishedAt: at(60),
    ...more,
  } as NodeStatus;
}

/** Formats stages: `wait 0-3 stage 3-4`. */
function split(
  nodeStatus: NodeStatus,
  events: readonly KubeEvent[],
  attempts: readonly NodeStatus[] = [],
  times: PodTimes = {},
) {
  const spans = stagesOf(nodeStatus, { attempts, moments: podMoments(events, { p: times }).get("p"), now: NOW });
  return spans?.map(({ stage, from, to }) => `${stage} ${(from - START) / 1000}-${(to - START) / 1000}`).join(" ");
}

const SCHEDULED = event(3, "Scheduled", "Successfully assigned data/p to node-1");
const STARTED = event(20, "Started", "Started container main");

Deno.test("stagesOf: splits the time of a pod by its events: scheduling, image pull, preparation, main", () => {
  const events = [
    SCHEDULED,
    event(4, "Pulling", 'Pulling image "alpine:3"'),
    event(
      14,
      "Pulled",
      'Successfully pulled image "alpine:3" in 10.1s (10.1s including waiting). Image size: 3 bytes.',
    ),
    event(15, "Started", "Started container init"),
    STARTED,
  ];
  assertEquals(split(node({}), events), "wait 0-3 stage 3-4 pull 4-14 stage 14-20 run 20-60");
  const spans = stagesOf(node({}), { attempts: [], moments: podMoments(events).get("p"), now: NOW });
  assertEquals(stagesText(spans ?? []), "waited for a machine 3s, pulled images 10s, prepared 7s, ran 40s");
});

Deno.test("stagesOf: a present image takes no time, and parallel pulls do not count twice", () => {
  const there = event(4, "Pulled", 'Container image "alpine:3" already present on machine');
  assertEquals(split(node({}), [SCHEDULED, there, STARTED]), "wait 0-3 stage 3-20 run 20-60");
  const both = [
    event(3, "Pulling", 'Pulling image "a"'),
    event(5, "Pulling", 'Pulling image "b"'),
    event(10, "Pulled", 'Successfully pulled image "a" in 7s'),
    event(12, "Pulled", 'Successfully pulled image "b" in 7s'),
  ];
  assertEquals(split(node({}), [SCHEDULED, ...both, STARTED]), "wait 0-3 pull 3-10 pull 10-12 stage 12-20 run 20-60");
});

Deno.test("stagesOf: finds main by its field path if the message does not name it", () => {
  const events = [
    event(10, "Started", "Container started", "spec.initContainers{init}"),
    event(20, "Started", "Container started", "spec.containers{main}"),
  ];
  assertEquals(split(node({}), [SCHEDULED, ...events]), "wait 0-3 stage 3-20 run 20-60");
});

Deno.test("stagesOf: undefined without events, or if some have been deleted", () => {
  assertEquals(split(node({}), []), undefined);
  assertEquals(split(node({}), [SCHEDULED]), undefined);
  assertEquals(split(node({}), [STARTED]), undefined);
  assertEquals(split(node({ phase: "Skipped", type: "Skipped" }), [SCHEDULED, STARTED]), undefined);
});

Deno.test("stagesOf: a pod that is being prepared is in that stage until now", () => {
  const waits = node({ phase: "Pending", finishedAt: undefined });
  const pulling = event(5, "Pulling", 'Pulling image "a"');
  assertEquals(split(waits, [SCHEDULED, pulling]), "wait 0-3 stage 3-5 pull 5-1000");
});

Deno.test("stagesOf: clamps events of another clock to the node's time", () => {
  const early = event(-5, "Scheduled", "Successfully assigned data/p to node-1");
  assertEquals(split(node({}), [early, event(90, "Started", "Started container main")]), "stage 0-60");
});

Deno.test("stagesOf: attempts are in the row of their node, with the pauses between them", () => {
  const attempts = [
    node({ phase: "Failed", finishedAt: at(10) }),
    node({ startedAt: at(30), finishedAt: at(60) }),
  ];
  assertEquals(split(node({ type: "Retry" }), [], attempts), "run 0-10 pause 10-30 run 30-60");
  const spans = stagesOf(node({ type: "Retry" }), { attempts, moments: undefined, now: NOW });
  assertEquals(spans?.map(({ family }) => family), ["failed", "idle", "done"]);
  assertEquals(split(node({ type: "Retry" }), [], attempts.slice(0, 1)), undefined);
});

Deno.test("stagesOf: derives the end of main and the duration of saving from the containers of a pod", () => {
  const times = { started: at(21), ended: at(50), saved: at(59) };
  assertEquals(split(node({}), [SCHEDULED], [], times), "wait 0-3 stage 3-21 run 21-50 save 50-59");
  assertEquals(split(node({}), [], [], times), "run 21-50 save 50-59");
  const spans = stagesOf(node({}), { attempts: [], moments: podMoments([], { p: times }).get("p"), now: NOW });
  assertEquals(stagesText(spans ?? []), "ran 29s, saved outputs 9s");
});

Deno.test("stagesOf: a pod whose main has ended is saving until now, and a finished one shows known stages only", () => {
  const runs = node({ phase: "Running", finishedAt: undefined });
  assertEquals(split(runs, [], [], { started: at(2), ended: at(50) }), "run 2-50 save 50-1000");
  assertEquals(split(runs, [], [], { started: at(2) }), undefined);
  assertEquals(split(node({}), [], [], { started: at(2), ended: at(50) }), "run 2-50");
  assertEquals(split(node({}), [], [], { started: at(2) }), undefined);
  assertEquals(split(node({}), [], [], { started: "soon", ended: at(60), saved: at(60) }), "run 0-60");
});
