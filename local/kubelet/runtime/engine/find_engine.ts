/** Finds an engine of this machine that answers. */
import { z } from "zod";
import { RuntimeUnavailable } from "../runtime.ts";
import { addressText, engineAddresses, type EngineName } from "./engine_address.ts";
import { EngineClient } from "./engine_client.ts";

/** The time after which a silent engine counts as none: a socket may be there although nobody reads from it. */
const ANSWER_WITHIN_MS = 5_000;

const ADVICE: Readonly<Record<EngineName, string>> = {
  docker: "Start docker and run tiphys as root, or use podman, which needs no root; " +
    "a socket at another place is named in DOCKER_HOST",
  podman: "Start its service for this user (systemctl --user start podman.socket, or podman system service), " +
    "or name its socket in CONTAINER_HOST",
};

/**
 * The first one that answers.
 * @throws {RuntimeUnavailable} with what each place said, and what to do.
 */
export async function findEngine(name: EngineName): Promise<EngineClient> {
  const complaints: string[] = [];
  for (const address of await engineAddresses(name, { env: (variable) => Deno.env.get(variable), read })) {
    const engine = new EngineClient(address);
    try {
      await expectSuitable(engine);
      return engine;
    } catch (error) {
      engine[Symbol.dispose]();
      complaints.push(`${addressText(address)}: ${reasonOf(error)}`);
    }
  }
  throw new RuntimeUnavailable(`${name} cannot be used (${complaints.join("; ")}). ${ADVICE[name]}`);
}

const EngineInfo = z.object({
  OperatingSystem: z.string().optional(),
  SecurityOptions: z.array(z.string()).nullish(),
});

const EngineVersion = z.object({ Components: z.array(z.object({ Name: z.string() })).nullish() });

/**
 * Asks an engine whether it suits us.
 * @throws {Error} when it does not, or says nothing.
 */
async function expectSuitable(engine: EngineClient): Promise<void> {
  const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
  const info = await engine.json("GET", "/info", EngineInfo, { signal });
  const { Components } = await engine.json("GET", "/version", EngineVersion, { signal });
  const isPodman = Components?.some(({ Name }) => Name.startsWith("Podman")) === true;
  const isRootless = info.SecurityOptions?.some((option) => option.startsWith("name=rootless")) === true;
  const complaint = unsuitable({ isPodman, isRootless, isVirtual: info.OperatingSystem === "Docker Desktop" });
  if (complaint !== undefined) throw new Error(complaint);
}

/** The kind of an engine, which decides whether it will do. */
export interface EngineKind {
  readonly isPodman: boolean;
  readonly isRootless: boolean;
  /** Whether its containers run in a virtual machine. */
  readonly isVirtual: boolean;
}

/** The reason why an engine will not do for a user of this number; undefined when it will. */
export function unsuitable({ isPodman, isRootless, isVirtual }: EngineKind, uid = Deno.uid()): string | undefined {
  // Pods find the API at an address of this machine. Podman's have its network also without root, docker's do not.
  if (isVirtual || (isRootless && !isPodman)) return "its containers do not reach this machine's own addresses";
  // Files that a container writes into its volumes belong to whoever runs the engine; we must be able to remove them.
  if (uid !== 0 && !isRootless) return "its containers write files as root, which this user could not remove";
  return undefined;
}

/** The innermost reason: the outer ones tell of requests. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error) return reasonOf(error.cause);
  return error.message.split(": ").at(-1)!.replace(/ \(os error \d+\)$/, "");
}

async function read(path: string): Promise<string | undefined> {
  return await Deno.readTextFile(path).catch(() => undefined);
}
