/** `argoexec agent init`: the words by which plugins know the agent, each in a folder that its sidecar sees. */
import { readBounded } from "../../lib/confined/mod.ts";
import { ENV, PATH } from "../../lib/constants.ts";
import { ExecutorError } from "../failure.ts";
import { at, type World } from "../world.ts";

const CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const LENGTH = 32;

/** Writes a token for each plugin; one that is there already stays: its sidecar may have read it. */
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

/** The token of a plugin. @throws {Error} for a file that holds more: whoever wrote that, it is no token. */
export function tokenOf(world: World, name: string): string {
  using file = Deno.openSync(at(world, `${PATH.varRunArgo}/${name}/token`));
  const bytes = readBounded(file, LENGTH, `the token of the plugin ${name}`);
  return new TextDecoder().decode(bytes).trim();
}

/** The names of the plugins' sidecars, as the controller says them. */
export function pluginNames(world: World): readonly string[] {
  const names = textList(world, ENV.pluginNames);
  const bad = names.find((name) => !/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(name));
  if (bad !== undefined) {
    throw new ExecutorError(`${ENV.pluginNames}: ${JSON.stringify(bad)} is no name of a container`);
  }
  return names;
}

/** A variable that is a JSON list of texts; `null` or nothing is an empty one. */
export function textList(world: World, name: string): readonly string[] {
  const value: unknown = JSON.parse(world.env(name) || "null");
  if (value === null) return [];
  if (Array.isArray(value) && value.every((item) => typeof item === "string")) return value;
  throw new ExecutorError(`${name}: expected a list of texts, got ${JSON.stringify(value)}`);
}

/** A new token. Its 62 possible characters come from bytes below 248: each is as likely as the others. */
function newToken(): string {
  let token = "";
  while (token.length < LENGTH) {
    for (const byte of crypto.getRandomValues(new Uint8Array(LENGTH))) {
      if (byte < 248 && token.length < LENGTH) token += CHARACTERS[byte % CHARACTERS.length];
    }
  }
  return token;
}
