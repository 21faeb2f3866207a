/** Finds an engine of this machine that answers. */
import { RuntimeUnavailable } from "../runtime.ts";
import { addressText, engineAddresses, type EngineName } from "./engine_address.ts";
import { EngineClient } from "./engine_client.ts";

/** Until an engine that says nothing counts as none: a socket may be there although nobody reads from it. */
const ANSWER_WITHIN_MS = 5_000;

const ADVICE: Readonly<Record<EngineName, string>> = {
  docker: "Start docker in its rootless mode, or run tiphys as root; a socket at another place is named in DOCKER_HOST",
  podman: "Start its service for this user (systemctl --user start podman.socket, or podman system service), " +
    "or name its socket in CONTAINER_HOST",
};

/** The first one that answers. Throws RuntimeUnavailable with what each place said, and what to do. */
export async function findEngine(name: EngineName): Promise<EngineClient> {
  const complaints: string[] = [];
  for (const address of await engineAddresses(name, { env: (variable) => Deno.env.get(variable), read })) {
    const engine = new EngineClient(address);
    try {
      await expectOurRights(engine);
      return engine;
    } catch (error) {
      engine[Symbol.dispose]();
      complaints.push(`${addressText(address)}: ${reasonOf(error)}`);
    }
  }
  throw new RuntimeUnavailable(`${name} cannot be used (${complaints.join("; ")}). ${ADVICE[name]}`);
}

/**
 * Files that a container writes into its volumes belong to whoever runs the engine; we must be able to remove them. Throws
 * Error when the engine is root's and we are somebody else.
 */
async function expectOurRights(engine: EngineClient): Promise<void> {
  const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
  const { SecurityOptions } = await engine.json<{ SecurityOptions?: readonly string[] | null }>("GET", "/info", {
    signal,
  });
  const isRootless = SecurityOptions?.some((option) => option.startsWith("name=rootless"));
  if (Deno.uid() === 0 || isRootless) return;
  throw new Error("its containers write files as root, which this user could not remove");
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
