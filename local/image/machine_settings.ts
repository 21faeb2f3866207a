/** The image settings of this machine: registries and credentials. */
import { ALLOWED_ADDRESSES } from "@tiphys/base/net";
import { type DockerConfig, dockerConfig } from "@tiphys/registry/credentials";
import type { ImageStoreOptions } from "./image_store.ts";
import { createPrivateFolder } from "../own_folder.ts";
import { parseRegistries, type RegistrySettings } from "@tiphys/registry/registries";

/**
 * Reads the settings of an image store below a cache folder: registries from `$TIPHYS_REGISTRIES` or
 * `~/.config/tiphys/registries.yaml`, and credentials from docker's `config.json`. Restricts the cache folder to its
 * owner.
 * @throws {Error} that names the invalid file and the problem.
 */
export async function imageStoreOptions(cacheDir: string): Promise<ImageStoreOptions> {
  await createPrivateFolder(cacheDir);
  const [registries, config] = await Promise.all([readRegistries(), readDockerConfig()]);
  const allowedAddresses = Deno.env.get(ALLOWED_ADDRESSES);
  return { folder: `${cacheDir}/image-store`, registries, dockerConfig: config, allowedAddresses };
}

async function readRegistries(): Promise<RegistrySettings> {
  const named = Deno.env.get("TIPHYS_REGISTRIES");
  const configHome = Deno.env.get("XDG_CONFIG_HOME") || `${home()}/.config`;
  const file = named || `${configHome}/tiphys/registries.yaml`;
  const text = await textOf(file);
  if (text === undefined && named) throw new Error(`${named}: not found (named by TIPHYS_REGISTRIES)`);
  return text === undefined ? {} : parseRegistries(text, file);
}

async function readDockerConfig(): Promise<DockerConfig> {
  const file = `${Deno.env.get("DOCKER_CONFIG") || `${home()}/.docker`}/config.json`;
  const text = await textOf(file);
  if (text === undefined) return {};
  try {
    return dockerConfig.parse(JSON.parse(text));
  } catch {
    // The error does not quote the file, which contains passwords.
    throw new Error(`${file}: not a valid docker configuration`);
  }
}

function home(): string {
  return Deno.env.get("HOME") ?? ".";
}

async function textOf(file: string): Promise<string | undefined> {
  try {
    return await Deno.readTextFile(file);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) return undefined;
    throw error;
  }
}
