/**
 * The inputs that the controller may take from its surroundings instead of receiving them as arguments. The simulation
 * (`tests/dst`) replaces the globals by its own clock, timers and random numbers. Other access to the outside, or work
 * on a thread pool, would escape the seed: the same seed would not give the same run. The engine may not even use the
 * replaced globals.
 */

import { isTest } from "./import_rules.ts";

/** The simulated programs: the rules apply to every file that one of them loads. */
export const SIMULATED_ENTRIES = ["controller/program.ts"] as const;

/** Folders to which the rules apply whether or not a simulated program loads the file. */
const SIMULATED_FOLDERS = ["controller/", "lib/engine/", "lib/kube/"] as const;

interface Escape {
  readonly name: string;
  readonly pattern: RegExp;
}

/** The ways in which code escapes the seed. */
const ESCAPES: readonly Escape[] = [
  { name: "Deno", pattern: /(?<![.\w"])Deno\.(?!errors\b|[A-Z])\w+/ },
  { name: "fetch", pattern: /(?<![.\w#])(?<!function )(?<!async )(?:globalThis\.)?fetch\((?![^)\n]*\??: )/ },
  { name: "WebSocket", pattern: /\bnew (?:WebSocket|WebSocketStream|EventSource)\(/ },
  { name: "CompressionStream", pattern: /\bnew (?:C|Dec)ompressionStream\(/ },
  { name: "crypto.subtle", pattern: /\bcrypto\s*\.\s*subtle\b/ },
  { name: "a worker", pattern: /\bnew (?:Shared)?Worker\(/ },
  { name: "a channel", pattern: /\bnew (?:MessageChannel|BroadcastChannel)\(/ },
  { name: "WebAssembly", pattern: /(?<![.\w])WebAssembly\./ },
  { name: "a timer of Node", pattern: /(?<![.\w])(?:setImmediate|process\.(?:nextTick|hrtime))\b/ },
  { name: "another clock", pattern: /(?<![.\w])(?:Temporal\.|performance\.(?!now\()\w)/ },
  { name: "a module of Node", pattern: /\bfrom\s*"node:(?!util")|\bimport\(\s*"node:/ },
  { name: "a module that is loaded later", pattern: /(?<![.\w])import\(/ },
];

/**
 * Globals that the engine may not use even if they are simulated: it receives the time as an argument, and uses no
 * random numbers.
 */
const ENGINE_ESCAPES: readonly Escape[] = [
  { name: "the clock", pattern: /(?<![.\w])(?:Date\.now\b|new Date\(\)|performance\.now\b)/ },
  { name: "chance", pattern: /(?<![.\w])(?:Math\.random\b|crypto\.)/ },
  { name: "a timer", pattern: /(?<![.\w])(?:set(?:Timeout|Interval)|queueMicrotask)\(|\bAbortSignal\.timeout\(/ },
];

/** Files at the edge: the escapes that each may use, and why they do not affect the simulation. */
const EDGES: Readonly<Record<string, { readonly may: readonly string[]; readonly why: string }>> = {
  "controller/main.ts": {
    may: ["Deno", "a module that is loaded later"],
    why: "wires the program to the machine; the simulation does so in its own way",
  },
  "controller/health_server.ts": { may: ["Deno"], why: "serves the health, for main.ts" },
  "controller/telemetry/exporter.ts": { may: ["a module that is loaded later"], why: "sends telemetry, for main.ts" },
  "controller/telemetry/send.ts": {
    may: ["Deno", "fetch", "a module of Node", "a module that is loaded later", "CompressionStream"],
    why: "sends telemetry, for main.ts",
  },
  "controller/metrics/process_metrics.ts": {
    may: ["Deno", "a module of Node"],
    why: "reads how the process stands, for who scrapes",
  },
  "controller/metrics/metrics_server.ts": { may: ["Deno"], why: "serves the metrics, for main.ts" },
  "controller/metrics/own_metrics.ts": { may: ["Deno"], why: "reads the versions of the runtime, which do not change" },
  "controller/config/config.ts": { may: ["Deno"], why: "reads the environment where its caller gives none" },
  "controller/workflow/lane/lane_thread.ts": {
    may: ["Deno", "a worker", "a module that is loaded later"],
    why: "starts a thread; the simulation hands in a lane without one",
  },
  "lib/base/thread_program.ts": { may: ["Deno"], why: "finds the program of that thread" },
  "controller/workflow/lane/thread.ts": { may: ["Deno"], why: "the program of that thread" },
  "lib/base/bounded_call.ts": {
    may: ["a module of Node"],
    why: "stops a call that does not end, in a thread; the simulation calls without it",
  },
  "controller/workflow/lane/work_clock.ts": {
    may: ["Deno", "a module of Node"],
    why: "asks how long the thread was at work once a pass takes milliseconds; in the simulation it takes none",
  },
  "lib/base/net/abortable_fetch.ts": { may: ["fetch"], why: "asks over the real network" },
  "lib/kube/transport.ts": { may: ["Deno", "fetch", "WebSocket"], why: "the network, which is handed to the client" },
  "lib/kube/http/connection.ts": { may: ["Deno"], why: "a connection of the real network" },
  "lib/kube/http/answer.ts": { may: ["CompressionStream"], why: "an answer of the real network" },
  "lib/kube/connect.ts": { may: ["Deno"], why: "finds the cluster, for the real network" },
  "lib/kube/in_cluster.ts": { may: ["Deno"], why: "finds the cluster, for the real network" },
  "lib/kube/kubeconfig.ts": {
    may: ["Deno", "a module that is loaded later"],
    why: "finds the cluster, for the real network",
  },
  "lib/kube/exec_login.ts": { may: ["Deno"], why: "runs what a kubeconfig names, for the real network" },
  "lib/kube/read_small_file.ts": { may: ["Deno"], why: "reads what a kubeconfig names, for the real network" },
  "lib/model/nodes/formats.ts": { may: ["CompressionStream"], why: "Deno compresses in the thread that asks, at once" },
  "lib/language/template/expr/compile.ts": { may: ["fetch"], why: "a function of the language has this name" },
};

/** Whether the rules apply to a file by its path alone; tests next to their source are exempt. */
export function isSimulatedFile(path: string): boolean {
  return SIMULATED_FOLDERS.some((folder) => path.startsWith(folder)) && !isTest(path);
}

/** The places in a file that escape the seed, with a message for its author, one line for each. */
export function judgeSeed(path: string, text: string): string[] {
  const may = EDGES[path]?.may ?? [];
  const rules = path.startsWith("lib/engine/") ? [...ESCAPES, ...ENGINE_ESCAPES] : ESCAPES;
  return withoutComments(text).split("\n").flatMap((line, index) =>
    rules.filter(({ name, pattern }) => !may.includes(name) && pattern.test(line)).map(({ name }) =>
      `${path}:${
        index + 1
      }: reaches for ${name}, which the simulation does not give: let it be handed in, or name the ` +
      "edge in scripts/seed_rules.ts"
    )
  );
}

/** The lines of a text with its comments blank. */
function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\//g, (comment) => comment.replaceAll(/[^\n]/g, " "))
    .replaceAll(/(^|[\s;{}(,])\/\/.*$/gm, "$1");
}
