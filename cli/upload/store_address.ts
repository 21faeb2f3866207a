/** Addresses of stores, as people write them: `s3://BUCKET/KEY`, and `repository://KEY` for the usual repository. */
import { type Place, placeOf } from "@tiphys/stores";
import { locationOfRepository, withKey } from "@tiphys/model/artifact/location";
import { badInput, CommandError } from "../command_error.ts";
import type { Connection } from "../world.ts";

const S3 = "s3://";
const REPOSITORY = "repository://";

/** The place that an address names in words, before any store is asked. */
export interface StoreAddress {
  /** The bucket; undefined for that of the repository. */
  readonly bucket?: string;
  /** Empty for the whole bucket; one that ends in a slash is a folder that things are put into. */
  readonly key: string;
}

/**
 * Reads an address; undefined for what is none, as the path of a folder.
 * @throws {CommandError} for one that names no bucket, or a key that could not be read back.
 */
export function storeAddress(text: string): StoreAddress | undefined {
  const isS3 = text.startsWith(S3);
  if (!isS3 && !text.startsWith(REPOSITORY)) return undefined;
  const rest = text.slice((isS3 ? S3 : REPOSITORY).length);
  const slash = rest.indexOf("/");
  const bucket = slash < 0 ? rest : rest.slice(0, slash);
  const key = !isS3 ? rest : slash < 0 ? "" : rest.slice(slash + 1);
  if (isS3 && bucket === "") throw badInput(`${JSON.stringify(text)} names no bucket: expected s3://BUCKET/KEY`);
  const parts = key.split("/");
  if (parts.at(-1) === "") parts.pop();
  if (parts.some((part) => part === "" || part === "." || part === ".." || part.includes("\0"))) {
    throw badInput(
      `The key ${JSON.stringify(key)} has a part that is empty, . or ..: no file can be read back from it`,
    );
  }
  return { ...(isS3 ? { bucket } : {}), key };
}

/** The name of a ConfigMap and the key in it that holds a repository, as `CONFIGMAP#KEY` or `KEY`. */
export function repositoryNamed(text: string): { readonly configMap?: string; readonly key: string } {
  const at = text.indexOf("#");
  const key = text.slice(at + 1);
  if (key === "" || at === 0) throw badInput(`--repository ${JSON.stringify(text)}: expected KEY or CONFIGMAP#KEY`);
  return { ...(at < 0 ? {} : { configMap: text.slice(0, at) }), key };
}

/** The place of a key, and how such places are called. */
export interface KnownStore {
  /** The place of the address; its key is not final. */
  readonly place: Place;
  /** A key of it as an address: it holds no credential. */
  addressOf(key: string): string;
}

/**
 * The store that an address means: the repository of the namespace, which says its endpoint and its credentials, with
 * the bucket of the address.
 * @throws {CommandError} where the namespace has no such repository.
 */
export async function knownStore(
  { bucket, key }: StoreAddress,
  connection: Pick<Connection, "service" | "namespace">,
  { repository, usual }: { readonly repository?: string | undefined; readonly usual: object | undefined },
): Promise<KnownStore> {
  const { service, namespace } = connection;
  const named = repository === undefined ? undefined : repositoryNamed(repository);
  const found = await service.artifactRepository(namespace, named) ?? (named ? undefined : usual);
  if (!found) throw new CommandError(noRepository(namespace, repository));
  const location = locationOfRepository(found);
  const place = location && placeOf(withKey(location, key));
  if (!place) throw new CommandError(`The artifact repository of namespace ${namespace} names no store`);
  if (bucket === undefined) {
    const holder = place.settings.bucket ?? place.settings.container;
    const before = `${place.store}://${typeof holder === "string" ? `${holder}/` : ""}`;
    return { place, addressOf: (key) => `${before}${key}` };
  }
  if (place.store !== "s3") {
    throw new CommandError(
      `The artifact repository of namespace ${namespace} is of kind ${place.store}: it knows no s3://, ` +
        `name a key of it as ${REPOSITORY}KEY`,
    );
  }
  return {
    place: { ...place, settings: { ...place.settings, bucket } },
    addressOf: (key) => `${S3}${bucket}/${key}`,
  };
}

function noRepository(namespace: string, named: string | undefined): string {
  if (named !== undefined) return `Namespace ${namespace} has no artifact repository ${JSON.stringify(named)}`;
  return `Namespace ${namespace} has no artifact repository that clients may read: one that is a key of the ConfigMap ` +
    "artifact-repositories and not its usual one is named by --repository KEY";
}
