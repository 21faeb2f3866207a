/** Looks up the default command of an image in its registry. */
import { type CredentialHelper, type Credentials, credentialsFor, type DockerConfig } from "./credentials.ts";
import { digestOf } from "./digest.ts";
import type { AddressPolicy } from "@tiphys/base/net";
import { ImageError } from "./image_error.ts";
import { MAX_CONFIG_BYTES, MAX_INDEX_DEPTH } from "./limits.ts";
import {
  type ImageConfigFile,
  type ImageManifest,
  imageOfThisMachine,
  isIndex,
  nestedTooDeeplyError,
  readDocument,
  readImageConfig,
} from "./manifest.ts";
import { canonicalName, type ImageReference } from "./reference.ts";
import { endpointsOf } from "./registries.ts";
import { RegistryClient } from "./registry_client.ts";

/** The command of an image. */
export interface RegistryImageCommand {
  readonly entrypoint: readonly string[];
  readonly cmd: readonly string[];
}

/** Ignores credential helpers of a pull secret: its author must not run programs here. */
const noHelper: CredentialHelper = () => Promise.resolve(undefined);

/**
 * Requests the command of an image from its registry, at addresses within `reach`: the author of a workflow chooses the
 * registry.
 * @throws {ImageError} when the image does not exist or is not accessible; {RegistryUnreachableError} when no server
 * responds.
 */
export async function fetchImageCommand(
  reference: ImageReference,
  secrets: readonly DockerConfig[],
  reach: AddressPolicy,
): Promise<RegistryImageCommand> {
  const [endpoint] = endpointsOf(reference.registry, {});
  if (!endpoint) throw new ImageError("ErrImagePull", `there is no server for ${canonicalName(reference)}`);
  const credentials = await firstCredentials(endpoint.registry, secrets);
  using client = new RegistryClient(endpoint, reference.repository, credentials, reach);
  const manifest = await fetchManifest(client, reference);
  const { config } = await fetchConfig(client, manifest);
  return { entrypoint: textsOf(config?.Entrypoint), cmd: textsOf(config?.Cmd) };
}

async function firstCredentials(
  registry: string,
  secrets: readonly DockerConfig[],
): Promise<Credentials | undefined> {
  for (const secret of secrets) {
    const found = await credentialsFor(registry, secret, noHelper);
    if (found) return found;
  }
  return undefined;
}

async function fetchManifest(client: RegistryClient, reference: ImageReference): Promise<ImageManifest> {
  const name = canonicalName(reference);
  let document = readDocument((await client.manifest(reference.digest ?? reference.tag!)).bytes, name);
  for (let depth = 0; isIndex(document); depth++) {
    if (depth === MAX_INDEX_DEPTH) throw nestedTooDeeplyError(name);
    document = readDocument((await client.manifest(imageOfThisMachine(document, name).digest)).bytes, name);
  }
  return document;
}

async function fetchConfig(client: RegistryClient, manifest: ImageManifest): Promise<ImageConfigFile> {
  const { digest, size } = manifest.config;
  if (size > MAX_CONFIG_BYTES) {
    throw new ImageError(
      "ErrImagePull",
      `the image's configuration has ${size} bytes; the maximum is ${MAX_CONFIG_BYTES}`,
    );
  }
  const bytes = await new Response(boundStream(client.config(digest, size), size)).bytes();
  const found = await digestOf(bytes);
  if (found !== digest) {
    throw new ImageError(
      "ErrImagePull",
      `the image's configuration does not match its digest ${digest}: it is ${found}`,
    );
  }
  return readImageConfig(bytes, manifest);
}

/** Fails a stream that exceeds its announced size. */
function boundStream(stream: ReadableStream<Uint8Array>, max: number): ReadableStream<Uint8Array> {
  let length = 0;
  return stream.pipeThrough(
    new TransformStream({
      transform(chunk, controller) {
        length += chunk.length;
        if (length <= max) return controller.enqueue(chunk);
        controller.error(new ImageError("ErrImagePull", "the image's configuration is larger than in its manifest"));
      },
    }),
  );
}

function textsOf(value: readonly unknown[] | null | undefined): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}
