/** Discovery of the resource that belongs to a kind, or to a word as users type it for kubectl. */
import { fieldsOf, itemsOf, textIn, textsIn } from "@tiphys/base/fields_of";
import type { KubeClient } from "@tiphys/kube/client";
import { classifyError } from "@tiphys/kube/errors";
import type { Resource } from "@tiphys/kube/resources";
import { ExecutorError } from "../failure.ts";

interface Entry {
  readonly name: string;
  readonly singularName?: string;
  readonly namespaced: boolean;
  readonly kind: string;
  readonly shortNames?: readonly string[];
}

interface Group {
  readonly name: string;
  readonly versions: readonly { readonly version: string }[];
  readonly preferredVersion?: { readonly version: string };
}

/** The resources of an API server, requested on demand. */
export class Discovery {
  readonly #client: KubeClient;

  constructor(client: KubeClient) {
    this.#client = client;
  }

  /** Returns the resource of a kind; undefined if the server does not have it. */
  async findByKind(apiVersion: string, kind: string): Promise<Resource | undefined> {
    const [version = "", group = ""] = apiVersion.split("/").reverse();
    return (await this.#resources(group, version)).find((resource) => resource.kind === kind);
  }

  /**
   * Returns the resource of a word: a plural, singular, short name or kind, optionally followed by `.GROUP` or
   * `.VERSION.GROUP`.
   * @throws {ExecutorError} when the server does not have it.
   */
  async findByWord(word: string): Promise<Resource> {
    const [name = "", ...rest] = word.toLowerCase().split(".");
    const suffix = rest.join(".");
    if (suffix === "") {
      const core = await this.#findByName("", "v1", name);
      if (core) return core;
    }
    for (const { name: group, versions, preferredVersion } of await this.#readGroups()) {
      if (suffix !== "" && !suffix.endsWith(group)) continue;
      const version = suffix === "" || suffix === group
        ? preferredVersion ?? versions[0]
        : versions.find(({ version }) => suffix === `${version}.${group}`);
      const found = version && await this.#findByName(group, version.version, name);
      if (found) return found;
    }
    throw new ExecutorError(`error: the server doesn't have a resource type ${JSON.stringify(word)}`);
  }

  async #readGroups(): Promise<readonly Group[]> {
    return itemsOf(fieldsOf(await this.#client.request("GET", "/apis")).groups).flatMap(readGroup);
  }

  async #findByName(group: string, version: string, name: string): Promise<Resource | undefined> {
    const entries = await this.#readEntries(group, version);
    const found = entries.find((entry) =>
      [entry.name, entry.singularName, entry.kind.toLowerCase(), ...entry.shortNames ?? []].includes(name)
    );
    return found && resourceOf(group, version, found);
  }

  async #resources(group: string, version: string): Promise<Resource[]> {
    return (await this.#readEntries(group, version)).map((entry) => resourceOf(group, version, entry));
  }

  /** Lists the resources of a group version, without subresources. Empty if the version does not exist. */
  async #readEntries(group: string, version: string): Promise<Entry[]> {
    const path = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
    try {
      const { resources } = fieldsOf(await this.#client.request("GET", path));
      return itemsOf(resources).flatMap(readEntry).filter(({ name }) => !name.includes("/"));
    } catch (error) {
      if (classifyError(error) === "notFound") return [];
      throw error;
    }
  }
}

function resourceOf(group: string, version: string, { name, kind, namespaced }: Entry): Resource {
  return { group, version, plural: name, kind, namespaced };
}

/** Parses an item of the server's list of groups. Empty if it has no name. */
function readGroup(item: unknown): Group[] {
  const fields = fieldsOf(item);
  const name = textIn(fields, "name");
  const preferred = textIn(fieldsOf(fields.preferredVersion), "version");
  if (name === undefined) return [];
  const versions = itemsOf(fields.versions).flatMap((version) => textIn(fieldsOf(version), "version") ?? []);
  return [{
    name,
    versions: versions.map((version) => ({ version })),
    ...(preferred === undefined ? {} : { preferredVersion: { version: preferred } }),
  }];
}

/** Parses an item of the server's list of resources. Empty if it has no name or kind. */
function readEntry(item: unknown): Entry[] {
  const fields = fieldsOf(item);
  const { name, kind, ...singular } = textsIn(fields, ["name", "kind", "singularName"]);
  if (name === undefined || kind === undefined) return [];
  const shortNames = itemsOf(fields.shortNames).filter((shortName) => typeof shortName === "string");
  return [{ name, kind, ...singular, shortNames, namespaced: fields.namespaced === true }];
}
