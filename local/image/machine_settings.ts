/** The machine's settings of images: where registries are, and who we are there. */
import { ALLOWED_ADDRESSES } from "@tiphys/base/net";
import { type DockerConfig, dockerConfig } from "@tiphys/registry/credentials";
import type { ImageStoreOptions } from "./image_store.ts";
import { ownFolder } from "../own_folder.ts";
import { parseRegistries, type RegistrySettings } from "@tiphys/registry/registries";

/**
 * Settings for the images below a cache folder: registries from `$TIPHYS_REGISTRIES` or
 * `~/.config/tiphys/registries.yaml`, credentials from docker's `config.json`; the cache folder is made its owner's
 * alone.
 * @throws {Error} with the file and what is wrong in it.
 */
export async function imageStoreOptions(cacheDir: string): Promise<ImageStoreOptions> {
  await ownFolder(cacheDir);
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
    // The error quotes nothing of the file: it may be a password.
    throw new Error(`${file}: not a configuration of docker`);
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
