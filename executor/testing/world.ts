/** A test world in its own folder: real files and real processes, isolated from the machine. */
import { openStores, type Stores } from "../surroundings.ts";
import { type Clock, systemClock } from "@tiphys/base/clock";
import { ENV, PATH } from "@tiphys/base/constants";
import type { TerminationMessage } from "@tiphys/model/termination_message";
import { parseTerminationMessage } from "@tiphys/model/parse_termination_message";
import type { PodTemplate } from "../pod/template.ts";
import { PLAIN_FILES } from "../pod/shared_files.ts";
import { at, type Terminal, type World } from "../world.ts";

/** The world of a test, and the files and log lines in it. */
export interface TestWorld extends World, AsyncDisposable {
  readonly logged: readonly string[];
  /** Returns the text of a file of this world; undefined if it does not exist. */
  read(path: string): Promise<string | undefined>;
  /** Returns the termination message that the container left for the kubelet. */
  termination(): Promise<TerminationMessage | undefined>;
  /** Writes a file of this world and creates its folders. */
  write(path: string, text: string): Promise<void>;
  /** Returns the world of another container of the pod, with the same folder. */
  as(container: string, env?: Record<string, string>): TestWorld;
}

/** The differences from the world of an empty main container. */
export interface WorldOptions {
  readonly container?: string;
  /** The template, staged as a supervisor does. */
  readonly template?: PodTemplate;
  readonly env?: Record<string, string>;
  readonly clock?: Clock;
  readonly driverFor?: World["driverFor"];
  readonly terminal?: Terminal;
}

/** Creates the world of a container. */
export async function testWorld(options: WorldOptions = {}): Promise<TestWorld> {
  const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "pod-" }));
  PLAIN_FILES.makeFolder(`${root}${PATH.containers}`);
  await Deno.mkdir(`${root}/dev`);
  if (options.template) await Deno.writeTextFile(`${root}${PATH.template}`, JSON.stringify(options.template));
  return worldOf(root, options.container ?? "main", options.env ?? {}, options);
}

/** Discards the output of a test's command. Tests read the captured files. */
const NOWHERE = { write: (bytes: Uint8Array) => Promise.resolve(bytes.length) };

function worldOf(
  root: string,
  container: string,
  extra: Record<string, string>,
  { clock = systemClock, driverFor, terminal }: Pick<WorldOptions, "clock" | "driverFor" | "terminal">,
): TestWorld {
  const env: Record<string, string> = {
    PATH: Deno.env.get("PATH") ?? "/bin",
    [ENV.containerName]: container,
    ...extra,
  };
  const logged: string[] = [];
  let stores: Stores | undefined;
  const world: TestWorld = {
    root,
    files: PLAIN_FILES,
    logged,
    env: (name) => env[name],
    log: (message) => logged.push(message),
    detail: (message) => logged.push(message),
    stdout: NOWHERE,
    stderr: NOWHERE,
    terminal,
    clock,
    driverFor: driverFor ?? ((location) => (stores ??= openStores(world)).driverFor(location)),
    redact: (text) => stores?.redact(text) ?? text,
    read: (path) => Deno.readTextFile(at(world, path)).catch(() => undefined),
    termination: async () => parseTerminationMessage(await world.read(PATH.terminationLog)),
    async write(path, text) {
      const file = at(world, path);
      await Deno.mkdir(file.slice(0, file.lastIndexOf("/")), { recursive: true });
      await Deno.writeTextFile(file, text);
    },
    as: (name, more = {}) => worldOf(root, name, { ...extra, ...more }, { clock, driverFor, terminal }),
    [Symbol.asyncDispose]: () => Deno.remove(root, { recursive: true }),
  };
  return world;
}
