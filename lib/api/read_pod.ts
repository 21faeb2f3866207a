/**
 * Pods read where they enter. A check of the fields that this project reads and no more, made by hand: a watch shows each
 * change of each pod, and a whole schema costs as much as parsing the JSON. What else a pod has stays as it is.
 */
import type { ObjectMeta } from "./metadata.ts";
import type { Pod } from "./core/pod.ts";

/** The reason in the status of a pod that could not be read; its message says what is wrong, and where. */
const UNREADABLE = "Unreadable";

/** Says what is wrong with a value, after the place inside it; undefined when nothing is. */
type Check = (value: unknown) => string | undefined;

type Fields = Record<string, unknown>;

/**
 * Reads an object that the API server gives out as a pod. What is `null` is absent afterwards. One of another shape
 * becomes a pod that says so, in the phase that ends its node: it has what can be read of its metadata, and no
 * containers. The object is the caller's to give away: it is changed.
 */
export function readPod(found: object): Pod {
  const problem = POD(found);
  return problem === undefined ? found as Pod : unreadable(found as Fields, problem);
}

/** The reason why a pod could not be read; undefined of one that could. */
export function podProblem({ status }: Pick<Pod, "status">): string | undefined {
  return status?.reason === UNREADABLE && status.phase === "Unknown" ? status.message : undefined;
}

function unreadable(found: Fields, problem: string): Pod {
  const metadata: ObjectMeta = {};
  if (isObject(found.metadata)) {
    for (const [name, check] of METADATA_FIELDS) {
      const value = found.metadata[name];
      if (value !== undefined && check(value) === undefined) Object.assign(metadata, { [name]: value });
    }
  }
  const message = `the pod ${metadata.name ?? ""} cannot be read: ${problem.replace(/^\./, "")}`;
  return { metadata, spec: { containers: [] }, status: { phase: "Unknown", reason: UNREADABLE, message } };
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? undefined : expected("string", value);
}

function number(value: unknown): string | undefined {
  return typeof value === "number" ? undefined : expected("number", value);
}

function yesOrNo(value: unknown): string | undefined {
  return typeof value === "boolean" ? undefined : expected("boolean", value);
}

function texts(value: unknown): string | undefined {
  if (!isObject(value)) return expected("object", value);
  for (const name in value) {
    if (value[name] === null) delete value[name];
    else if (typeof value[name] !== "string") return `.${name}${expected("string", value[name])}`;
  }
  return undefined;
}

function listOf(check: Check): Check {
  return (value) => {
    if (!Array.isArray(value)) return expected("list", value);
    for (let index = 0; index < value.length; index++) {
      const problem = check(value[index]);
      if (problem !== undefined) return `[${index}]${problem}`;
    }
    return undefined;
  };
}

function objectOf(shape: Readonly<Record<string, Check>>, required?: string): Check {
  const names = Object.keys(shape);
  const checks = Object.values(shape);
  return (value) => {
    if (!isObject(value)) return expected("object", value);
    for (let index = 0; index < names.length; index++) {
      const name = names[index]!;
      const field = value[name];
      if (field === undefined) continue;
      if (field === null) {
        delete value[name];
        continue;
      }
      const problem = checks[index]!(field);
      if (problem !== undefined) return `.${name}${problem}`;
    }
    return required !== undefined && value[required] === undefined ? `.${required} is required` : undefined;
  };
}

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value itself is not told: it may be a secret of the pod's environment. */
function expected(what: string, value: unknown): string {
  if (value === null) return `: expected ${what}, got null`;
  const kind = Array.isArray(value) ? "list" : typeof value;
  return `: expected ${what}, got ${kind === "object" ? "an" : "a"} ${kind}`;
}

const METADATA = {
  name: text,
  namespace: text,
  uid: text,
  resourceVersion: text,
  creationTimestamp: text,
  deletionTimestamp: text,
  deletionGracePeriodSeconds: number,
  labels: texts,
  annotations: texts,
  finalizers: listOf(text),
  ownerReferences: listOf(objectOf({ apiVersion: text, kind: text, name: text, uid: text, controller: yesOrNo })),
};
const METADATA_FIELDS: readonly [string, Check][] = Object.entries(METADATA);

const CONTAINER = objectOf({
  name: text,
  image: text,
  command: listOf(text),
  args: listOf(text),
  env: listOf(objectOf({ name: text, value: text }, "name")),
  volumeMounts: listOf(objectOf({ name: text })),
}, "name");

const STATE = objectOf({
  waiting: objectOf({ reason: text, message: text }),
  running: objectOf({ startedAt: text }),
  terminated: objectOf(
    { exitCode: number, reason: text, message: text, startedAt: text, finishedAt: text },
    "exitCode",
  ),
});

const CONTAINER_STATUS = objectOf({
  name: text,
  state: STATE,
  lastState: STATE,
  ready: yesOrNo,
  restartCount: number,
  containerID: text,
  imageID: text,
}, "name");

const POD = objectOf({
  metadata: objectOf(METADATA),
  spec: objectOf({
    containers: listOf(CONTAINER),
    initContainers: listOf(CONTAINER),
    volumes: listOf(objectOf({ name: text, image: objectOf({ reference: text }) }, "name")),
    nodeName: text,
    activeDeadlineSeconds: number,
    terminationGracePeriodSeconds: number,
    schedulingGates: listOf(objectOf({ name: text })),
  }, "containers"),
  status: objectOf({
    phase: text,
    reason: text,
    message: text,
    podIP: text,
    hostIP: text,
    startTime: text,
    conditions: listOf(objectOf({ type: text, status: text, reason: text, message: text })),
    initContainerStatuses: listOf(CONTAINER_STATUS),
    containerStatuses: listOf(CONTAINER_STATUS),
  }),
}, "spec");
