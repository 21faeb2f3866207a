/** Finds a responding engine on this machine. */
import { z } from "zod";
import { RuntimeUnavailable } from "../runtime.ts";
import { addressText, engineAddresses, type EngineName } from "./engine_address.ts";
import { EngineClient } from "./engine_client.ts";

/** The timeout of an engine: its socket may exist although no engine is running. */
const ANSWER_WITHIN_MS = 5_000;

const ADVICE: Readonly<Record<EngineName, string>> = {
  docker: "Start docker and run tiphys as root, or use podman, which needs no root; " +
    "a socket at another place is named in DOCKER_HOST",
  podman: "Start its service for this user (systemctl --user start podman.socket, or podman system service), " +
    "or name its socket in CONTAINER_HOST",
};

/**
 * Returns the first engine that responds and is suitable.
 * @throws {RuntimeUnavailable} with the error of each address, and a remedy.
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
      complaints.push(`${addressText(address)}: ${innermostMessage(error)}`);
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
 * Checks whether an engine is suitable.
 * @throws {Error} if it is not, or does not respond.
 */
async function expectSuitable(engine: EngineClient): Promise<void> {
  const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
  const info = await engine.json("GET", "/info", EngineInfo, { signal });
  const { Components } = await engine.json("GET", "/version", EngineVersion, { signal });
  const isPodman = Components?.some(({ Name }) => Name.startsWith("Podman")) === true;
  const isRootless = info.SecurityOptions?.some((option) => option.startsWith("name=rootless")) === true;
  const complaint = whyUnsuitable({ isPodman, isRootless, isVirtual: info.OperatingSystem === "Docker Desktop" });
  if (complaint !== undefined) throw new Error(complaint);
}

/** The properties of an engine that determine whether it is suitable. */
export interface EngineKind {
  readonly isPodman: boolean;
  readonly isRootless: boolean;
  /** Whether its containers run in a virtual machine. */
  readonly isVirtual: boolean;
}

/** The reason why an engine is unsuitable for a user with this UID; undefined if it is suitable. */
export function whyUnsuitable({ isPodman, isRootless, isVirtual }: EngineKind, uid = Deno.uid()): string | undefined {
  // Pods reach the API at an address of this machine. Rootless podman supports that, rootless docker does not.
  if (isVirtual || (isRootless && !isPodman)) return "its containers do not reach this machine's own addresses";
  // Files in volumes belong to the user of the engine, and this process must be able to remove them.
  if (uid !== 0 && !isRootless) return "its containers write files as root, which this user could not remove";
  return undefined;
}

/** The innermost cause; the outer ones describe the request. */
function innermostMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error) return innermostMessage(error.cause);
  return error.message.split(": ").at(-1)!.replace(/ \(os error \d+\)$/, "");
}

async function read(path: string): Promise<string | undefined> {
  return await Deno.readTextFile(path).catch(() => undefined);
}
