/** Addresses of artifact stores: `s3://BUCKET/KEY`, and `repository://KEY` for the default repository. */
import type { Place } from "@tiphys/model/artifact";
import { locationOfRepository, placeOf, withKey } from "@tiphys/model/artifact/location";
import { badInput, CommandError } from "../command_error.ts";
import type { Connection } from "../world.ts";

const S3 = "s3://";
const REPOSITORY = "repository://";

/** A parsed address. */
export interface StoreAddress {
  /** The bucket; undefined for the bucket of the repository. */
  readonly bucket?: string;
  /** Empty for the bucket itself. A key that ends in a slash is a folder. */
  readonly key: string;
}

/**
 * Parses an address; undefined for other texts, such as the path of a folder.
 * @throws {CommandError} for an address without a bucket, or a key that could not be copied back to files.
 */
export function storeAddress(text: string): StoreAddress | undefined {
  const isS3 = text.startsWith(S3);
  if (!isS3 && !text.startsWith(REPOSITORY)) return undefined;
  const rest = text.slice((isS3 ? S3 : REPOSITORY).length);
  const slash = rest.indexOf("/");
  const bucket = slash < 0 ? rest : rest.slice(0, slash);
  const key = !isS3 ? rest : slash < 0 ? "" : rest.slice(slash + 1);
  if (isS3 && bucket === "") throw badInput(`${JSON.stringify(text)} has no bucket: expected s3://BUCKET/KEY`);
  const parts = key.split("/");
  if (parts.at(-1) === "") parts.pop();
  if (parts.some((part) => part === "" || part === "." || part === ".." || part.includes("\0"))) {
    throw badInput(
      `The key ${JSON.stringify(key)} has a part that is empty, . or ..: it could not be copied back to a file`,
    );
  }
  return { ...(isS3 ? { bucket } : {}), key };
}

/**
 * Parses the reference to a repository in a ConfigMap: `CONFIGMAP#KEY` or `KEY`.
 * @throws {CommandError} for other texts.
 */
export function parseRepository(text: string): { readonly configMap?: string; readonly key: string } {
  const index = text.indexOf("#");
  const key = text.slice(index + 1);
  if (key === "" || index === 0) throw badInput(`--repository ${JSON.stringify(text)}: expected KEY or CONFIGMAP#KEY`);
  return { ...(index < 0 ? {} : { configMap: text.slice(0, index) }), key };
}

/** A store with its credentials. */
export interface KnownStore {
  /** A location in the store; callers replace its key. */
  readonly place: Place;
  /** Returns the address of a key, without credentials. */
  addressOf(key: string): string;
}

/**
 * Returns the store of an address. The repository of the namespace has the endpoint and the credentials; the address
 * may have another bucket.
 * @throws {CommandError} if the namespace has no such repository.
 */
export async function knownStore(
  { bucket, key }: StoreAddress,
  connection: Pick<Connection, "service" | "namespace">,
  { repository, usual }: { readonly repository?: string | undefined; readonly usual: object | undefined },
): Promise<KnownStore> {
  const { service, namespace } = connection;
  const named = repository === undefined ? undefined : parseRepository(repository);
  const found = await service.artifactRepository(namespace, named) ?? (named ? undefined : usual);
  if (!found) throw new CommandError(noRepository(namespace, repository));
  const location = locationOfRepository(found);
  const place = location && placeOf(withKey(location, key));
  if (!place) throw new CommandError(`The artifact repository of namespace ${namespace} has no store`);
  if (bucket === undefined) {
    const holder = place.settings.bucket ?? place.settings.container;
    const before = `${place.store}://${typeof holder === "string" ? `${holder}/` : ""}`;
    return { place, addressOf: (key) => `${before}${key}` };
  }
  if (place.store !== "s3") {
    throw new CommandError(
      `The artifact repository of namespace ${namespace} is of kind ${place.store}, not S3: use ` +
        `${REPOSITORY}KEY`,
    );
  }
  return {
    place: { ...place, settings: { ...place.settings, bucket } },
    addressOf: (key) => `${S3}${bucket}/${key}`,
  };
}

function noRepository(namespace: string, named: string | undefined): string {
  if (named !== undefined) return `Namespace ${namespace} has no artifact repository ${JSON.stringify(named)}`;
  return `Namespace ${namespace} has no default artifact repository that clients may read: to use another key of the ` +
    "ConfigMap artifact-repositories, set --repository KEY";
}
