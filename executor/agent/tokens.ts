/**
 * `argoexec agent init`: creates the bearer tokens of plugins, each in a folder that is mounted in the plugin's
 * sidecar.
 */
import { readBounded } from "@tiphys/base/confined";
import { ENV, PATH } from "@tiphys/base/constants";
import { ExecutorError } from "../failure.ts";
import { at, type World } from "../world.ts";

const CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const LENGTH = 32;

/** Writes a token for each plugin. An existing token is kept because the sidecar may have read it already. */
export function makeTokens(world: World): number {
  Deno.umask(0);
  for (const name of pluginNames(world)) {
    const folder = at(world, `${PATH.varRunArgo}/${name}`);
    Deno.mkdirSync(folder, { recursive: true, mode: 0o770 });
    try {
      Deno.writeTextFileSync(`${folder}/token`, newToken(), { createNew: true, mode: 0o440 });
    } catch (error) {
      if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
    }
  }
  return 0;
}

/** Reads the token of a plugin. @throws {Error} when the file is longer than a token. */
export function tokenOf(world: World, name: string): string {
  using file = Deno.openSync(at(world, `${PATH.varRunArgo}/${name}/token`));
  const bytes = readBounded(file, LENGTH, `the token of the plugin ${name}`);
  return new TextDecoder().decode(bytes).trim();
}

/** The names of the plugins' sidecars, from the controller. */
export function pluginNames(world: World): readonly string[] {
  const names = parseStringList(world, ENV.pluginNames);
  const bad = names.find((name) => !/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(name));
  if (bad !== undefined) {
    throw new ExecutorError(`${ENV.pluginNames}: ${JSON.stringify(bad)} is not a valid container name`);
  }
  return names;
}

/** Parses an environment variable that is a JSON list of strings. `null` and an empty variable are an empty list. */
export function parseStringList(world: World, name: string): readonly string[] {
  const value: unknown = JSON.parse(world.env(name) || "null");
  if (value === null) return [];
  if (Array.isArray(value) && value.every((item) => typeof item === "string")) return value;
  throw new ExecutorError(`${name}: expected a list of strings, got ${JSON.stringify(value)}`);
}

/** Creates a random token. Bytes from 248 on are skipped so that all 62 characters are equally likely. */
function newToken(): string {
  let token = "";
  while (token.length < LENGTH) {
    for (const byte of crypto.getRandomValues(new Uint8Array(LENGTH))) {
      if (byte < 248 && token.length < LENGTH) token += CHARACTERS[byte % CHARACTERS.length];
    }
  }
  return token;
}
