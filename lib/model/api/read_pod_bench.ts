/** Benchmark of reading a pod, compared with parsing the JSON of a watch event: a pod of 12 kB with two containers. */
import { readPod } from "./read_pod.ts";

const TIME = "2026-01-01T00:00:00Z";

function container(name: string) {
  const env = Array.from({ length: 14 }, (_, index) => ({
    name: `ARGO_VARIABLE_${index}`,
    value: "x".repeat(index === 3 ? 1500 : 30),
  }));
  const volumeMounts = Array.from(
    { length: 5 },
    (_, index) => ({ name: `volume-${index}`, mountPath: `/mnt/${index}` }),
  );
  const command = ["argoexec", "emissary", "--loglevel", "info", "--", "echo"];
  return { name, image: "argoexec:1", command, args: ["hello"], env, volumeMounts, imagePullPolicy: "IfNotPresent" };
}

function statusOf(name: string) {
  const containerID = `containerd://${"a".repeat(64)}`;
  const terminated = { exitCode: 0, reason: "Completed", startedAt: TIME, finishedAt: TIME, containerID };
  return {
    name,
    state: { terminated },
    lastState: {},
    ready: false,
    restartCount: 0,
    image: "argoexec:1",
    containerID,
  };
}

/** As large as those of the API server with two writers. */
const managedFields = Array.from({ length: 2 }, (_, writer) => ({
  manager: `writer-${writer}`,
  operation: "Update",
  fieldsV1: Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`f:field${index}`, { "f:name": {} }])),
}));

const EVENT = JSON.stringify({
  type: "MODIFIED",
  object: {
    kind: "Pod",
    apiVersion: "v1",
    metadata: {
      name: "w-say-1",
      namespace: "argo",
      uid: "11111111-2222-3333-4444-555555555555",
      resourceVersion: "1000",
      creationTimestamp: TIME,
      labels: { "workflows.argoproj.io/workflow": "w", "workflows.argoproj.io/completed": "false" },
      annotations: { "workflows.argoproj.io/node-id": "w-1", "workflows.argoproj.io/node-name": "w[0].a" },
      ownerReferences: [{
        apiVersion: "argoproj.io/v1alpha1",
        kind: "Workflow",
        name: "w",
        uid: "u",
        controller: true,
      }],
      managedFields,
    },
    spec: {
      volumes: [{ name: "var-run-argo", emptyDir: {} }, { name: "argoexec-bin", image: { reference: "argoexec:1" } }],
      containers: [container("supervisor"), container("main")],
      restartPolicy: "Never",
      nodeName: "machine",
    },
    status: {
      phase: "Succeeded",
      conditions: ["Initialized", "Ready", "ContainersReady", "PodScheduled"].map((type) => ({
        type,
        status: "True",
        lastProbeTime: null,
        lastTransitionTime: TIME,
      })),
      podIP: "10.0.0.2",
      startTime: TIME,
      containerStatuses: [statusOf("supervisor"), statusOf("main")],
    },
  },
});

Deno.bench("parsing", { group: "an event of a pod" }, () => {
  JSON.parse(EVENT);
});

Deno.bench("parsing and reading", { group: "an event of a pod" }, () => {
  readPod(JSON.parse(EVENT).object);
});

const pod = JSON.parse(EVENT).object;
Deno.bench("reading", { group: "an event of a pod" }, () => {
  readPod(pod);
});
