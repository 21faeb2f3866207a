/**
 * Limits on what one workflow may take of the controller and of the cluster: every one that its author can meet, in one
 * table. What goes over says the limit, the place and the figure. `docs/limits.md` is for users; settings of the
 * controller may name other figures for some.
 */

const KIB = 1024;
const MIB = 1024 * KIB;

/** The limits; bytes count UTF-8 where text is stored, and UTF-16 units where it is only held. */
export const LIMITS = {
  /** Nodes of one workflow. More real ones than these cannot be stored, however well they compress. */
  nodes: 25_000,
  /** Bytes of the nodes of one workflow, as JSON: what is unpacked from a status, and what is packed into one. */
  nodesBytes: 32 * MIB,
  /** Values (texts, numbers, lists, objects) in that JSON: a list of empty lists is small as text and large in memory. */
  nodesValues: 2_000_000,
  /** Bytes of the status as it is stored. Kubernetes keeps a little more for a whole object. */
  storedStatusBytes: MIB,
  /** Bytes of one node: its inputs, its outputs, its message. */
  nodeBytes: 2 * MIB,
  /** Locks that one workflow, or one node, may ask for at once. */
  locksAtOnce: 100,
  /** Schedules of one cron workflow: each is looked up in the calendar, in the thread that serves all. */
  schedules: 100,
  /** Steps of one search for the next or the last slot among all schedules of a cron workflow: some tens of milliseconds. */
  scheduleSteps: 50_000,
  /** Instants of one backfill of a cron workflow. */
  backfillInstants: 100_000,
  /** Nodes made in one pass over a workflow; the others follow in the next passes. */
  nodesPerPass: 5_000,
  /** Milliseconds in which a pass makes nodes; the others follow in the next passes. */
  passMillis: 150,
  /**
   * Milliseconds that a pass may take among all others, and in which it makes nodes there; what takes longer is worked in
   * the slow lane.
   */
  fastPassMillis: 20,
  fastSliceMillis: 10,
  /** The same for a workflow beside which no other had a pass lately: nobody waits for it. */
  lonePassMillis: 100,
  loneSliceMillis: 50,
  /** Milliseconds that a pass may take in the slow lane, whatever it does; then it is ended. */
  slowPassMillis: 30_000,
  /** Milliseconds that all expressions of one pass may take, and that one of them may take. */
  passEvaluationMillis: 2_000,
  evaluationMillis: 1_000,
  /** Characters that are made when one loop is written out, all its calls together. */
  loopCharacters: 32 * MIB,
  /** Characters that are made when the tags of one object are filled in. */
  filledCharacters: 8 * MIB,
  /** Bytes of one pod as it is asked for; Kubernetes keeps no larger object. */
  podBytes: 1.5 * MIB,
  /** Containers of one pod: main ones, sidecars, init containers, and those that a podSpecPatch brings. */
  podContainers: 500,
  /** Characters of a podSpecPatch that is YAML; one that is JSON is read many times as fast, and may be as large as a pod. */
  patchYamlCharacters: 64 * KIB,
  /** Bytes of all pods that one pass asks for; the others follow in the next passes. */
  podsBytesPerPass: 4 * MIB,
  /** Bytes of what one task of artifact garbage collection lists; more is spread over several tasks. */
  garbageTaskBytes: 500_000,
  /** Bytes of one task of an agent, and of all tasks in a task set at a time; the others follow when those are done. */
  taskBytes: 256 * KIB,
  taskSetBytes: 512 * KIB,
  /** Bytes of the answer to an http request that are kept as the result of its node. */
  responseBytes: 256 * KIB,
  /** Bytes of the metrics that workflows record: those of one namespace, and of all together. Old ones are forgotten. */
  namespaceMetricsBytes: 8 * MIB,
  metricsBytes: 64 * MIB,
  /** Bytes of all that one ConfigMap holds; Kubernetes keeps no larger one. Caches of memoization are kept below. */
  configMapBytes: MIB,
  /** Characters of an artifact repository in a ConfigMap: the workflow's status holds it. */
  repositoryCharacters: 16 * KIB,
  /** Bytes of the body of a request to the server: more than an object of Kubernetes has, however it is written. */
  bodyBytes: 4 * MIB,
  /** The most characters of a client's text that is processed in the main thread; larger ones get a separate thread. */
  inlineCharacters: 16 * KIB,
  /** The deadline of a task on a large text, in milliseconds, and the memory of its thread, in MiB. */
  textTaskMillis: 30_000,
  textTaskMib: 512,
  /** Different keys, and lists and objects, of one large body of a request: each costs the main thread time. */
  bodyKeys: 30_000,
  bodyLists: 150_000,
  /** Values of a JSON text that somebody sends. */
  jsonValues: 500_000,
  /** Characters of YAML that are checked of all manifests of one workflow; further ones are read when they are applied. */
  checkedManifestCharacters: 128 * KIB,
  /**
   * Calls of templates that lie in each other, where the administrator has lifted the usual limit: those whose frames are
   * the largest, exit handlers of loops in DAGs with retries, take the stack at 311, in code that is not optimised.
   */
  calls: 250,
  /** Characters of the message of a node or a workflow. */
  message: 8 * KIB,
  /** The deepest nesting of lists and objects in one object. */
  depth: 200,
  /** Limits of one YAML text, all its documents together; they are checked before its values are made. */
  yaml: {
    characters: 16 * MIB,
    tokens: 4_000_000,
    keys: 500_000,
    /** Aliases and anchors. */
    aliases: 10_000,
    /** Characters of all directives (`%TAG`, `%YAML`). */
    directives: KIB,
    /** Errors that are reported of one text. */
    errors: 100,
    /** The characters that aliases and merge keys of one document may repeat beyond ten times the document's text. */
    repeated: MIB,
  },
} as const;

/** The part of a message that is kept: it may quote a long text of a user. */
export function shortened(message: string): string {
  return message.length <= LIMITS.message ? message : `${message.slice(0, LIMITS.message)}…`;
}
