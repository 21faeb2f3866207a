/** The addresses of container engines on this machine. */
import { fieldsOf, textIn } from "@tiphys/base/fields_of";
import { fieldsOfJson } from "@tiphys/base/fields_of_json";
import { createHash } from "node:crypto";
import { RuntimeUnavailable } from "../runtime.ts";
import type { EngineAddress } from "./engine_client.ts";

/** The supported engines. */
export type EngineName = "docker" | "podman";

/** The environment and files that determine an engine's address. */
export interface EngineEnvironment {
  readonly env: (name: string) => string | undefined;
  /** Undefined if the file does not exist. */
  readonly read: (path: string) => Promise<string | undefined>;
}

/**
 * The addresses to try, the most likely first; a single one if the user has set it.
 * @throws {RuntimeUnavailable}
 */
export async function engineAddresses(name: EngineName, around: EngineEnvironment): Promise<EngineAddress[]> {
  const { env } = around;
  const variable = name === "docker" ? "DOCKER_HOST" : "CONTAINER_HOST";
  const named = env(variable);
  if (named) return [parseHost(named, variable)];
  return name === "docker" ? await dockerAddresses(around) : podmanAddresses(around);
}

async function dockerAddresses(around: EngineEnvironment): Promise<EngineAddress[]> {
  const host = await contextHost(around);
  if (host !== undefined) return [parseHost(host, "The context of docker")];
  const { env } = around;
  return socketAddresses("/var/run/docker.sock", joinIfSet(env("XDG_RUNTIME_DIR"), "docker.sock"));
}

function podmanAddresses({ env }: EngineEnvironment): EngineAddress[] {
  return socketAddresses(joinIfSet(env("XDG_RUNTIME_DIR"), "podman/podman.sock"), "/run/podman/podman.sock");
}

/** The address chosen with `docker context use`; undefined if none is chosen, or the default. */
async function contextHost({ env, read }: EngineEnvironment): Promise<string | undefined> {
  const folder = env("DOCKER_CONFIG") || joinIfSet(env("HOME"), ".docker");
  const config = await read(`${folder}/config.json`);
  const name = env("DOCKER_CONTEXT") || textIn(fieldsOfJson(config ?? ""), "currentContext");
  if (!name || name === "default") return undefined;
  const key = createHash("sha256").update(name).digest("hex");
  const text = await read(`${folder}/contexts/meta/${key}/meta.json`);
  return textIn(fieldsOf(fieldsOf(fieldsOfJson(text ?? "").Endpoints).docker), "Host");
}

/**
 * Parses an address in the format of the engines.
 * @throws {RuntimeUnavailable} if its kind is not supported.
 */
export function parseHost(host: string, from: string): EngineAddress {
  const [, scheme, rest] = /^(\w+):\/\/(.+)$/.exec(host) ?? [];
  if (scheme === "unix") return { kind: "socket", path: rest! };
  if (scheme === "tcp" || scheme === "http") return { kind: "http", url: `http://${rest!.replace(/\/$/, "")}` };
  throw new RuntimeUnavailable(
    `${from} names ${JSON.stringify(host)}: expected unix:///PATH or tcp://HOST:PORT of an engine on this machine, ` +
      "as containers are given folders of this machine",
  );
}

/** The address as text. */
export function addressText(address: EngineAddress): string {
  return address.kind === "socket" ? address.path : address.url;
}

function socketAddresses(...paths: readonly (string | undefined)[]): EngineAddress[] {
  return paths.flatMap((path) => path ? [{ kind: "socket", path }] : []);
}

function joinIfSet(folder: string | undefined, path: string): string | undefined {
  return folder && `${folder}/${path}`;
}
