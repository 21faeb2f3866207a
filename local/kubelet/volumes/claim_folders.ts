/**
 * The content of claims, one folder each. A folder is named after the UID of its claim: names are chosen by users, and
 * two successive claims of one name must not share content. It is deleted with its claim, after the last pod that uses
 * it.
 */

import { classifyError, type KubeClient, type KubeObject, PERSISTENT_VOLUME_CLAIMS } from "@tiphys/kube";
import { Informer } from "@tiphys/kube/informers";
import { changeOwners, giveToRoot, type RootId } from "./belonging.ts";
import { removeTree } from "../../image/remove_tree.ts";
import { SetupError } from "../setup_error.ts";

export interface ClaimFoldersOptions {
  readonly client: KubeClient;
  readonly dataDir: string;
  /** The owner of the content. */
  readonly rootId?: RootId;
  readonly onError: (subject: string, error: unknown) => void;
}

export class ClaimFolders {
  readonly #options: ClaimFoldersOptions;
  /** The UIDs of the pods that use a folder, by the UID of its claim. */
  readonly #users = new Map<string, Set<string>>();
  readonly #gone = new Set<string>();
  readonly #removing = new Set<Promise<void>>();
  readonly #stop = new AbortController();

  private constructor(options: ClaimFoldersOptions) {
    this.#options = options;
  }

  /** Finds the folders of existing claims, and removes the others. */
  static async open(options: ClaimFoldersOptions): Promise<ClaimFolders> {
    const folders = new ClaimFolders(options);
    const { client, dataDir, onError } = options;
    const claims = new Informer<KubeObject>(client, PERSISTENT_VOLUME_CLAIMS, {
      onError: (error) => onError("watch claims", error),
    });
    claims.onChange((type, { metadata: { uid = "" } }) => {
      if (type === "deleted") folders.#forget(uid);
    });
    await claims.start(folders.#stop.signal);
    await Deno.mkdir(`${dataDir}/volumes`, { recursive: true, mode: 0o700 });
    await moveNamedClaims(dataDir, claims.list());
    const known = new Set(claims.list().map(({ metadata }) => metadata.uid));
    for (const { name } of Deno.readDirSync(`${dataDir}/volumes`)) {
      if (!known.has(name)) await removeTree(`${dataDir}/volumes/${name}`);
    }
    return folders;
  }

  /**
   * Returns the folder of a claim for a pod.
   * @throws {SetupError} if the claim does not exist.
   */
  async take(namespace: string, name: string, pod: string): Promise<string> {
    const uid = await this.#bind(namespace, name);
    this.#users.set(uid, (this.#users.get(uid) ?? new Set()).add(pod));
    const folder = this.#folder(uid);
    const { rootId } = this.#options;
    if (isFolder(folder)) {
      changeOwners(folder, rootId);
    } else {
      await Deno.mkdir(folder, { recursive: true });
      giveToRoot(folder, rootId);
    }
    await Deno.chmod(folder, 0o777);
    return folder;
  }

  /** Releases the folders of a pod that has ended. */
  release(pod: string): void {
    for (const [uid, users] of this.#users) {
      if (!users.delete(pod) || users.size > 0) continue;
      this.#users.delete(uid);
      if (this.#gone.delete(uid)) this.#remove(uid);
    }
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#removing);
  }

  async #bind(namespace: string, name: string): Promise<string> {
    const { client } = this.#options;
    try {
      const status = { phase: "Bound", accessModes: ["ReadWriteOnce"] };
      const written = { subresource: "status" } as const;
      const claim = await client.patch<KubeObject>(
        PERSISTENT_VOLUME_CLAIMS,
        namespace,
        name,
        { status },
        "merge",
        written,
      );
      return claim.metadata.uid ?? "";
    } catch (error) {
      if (classifyError(error) !== "notFound") throw error;
      throw new SetupError("ContainerCreating", `persistentvolumeclaim "${name}" not found`);
    }
  }

  #forget(uid: string): void {
    if (this.#users.has(uid)) this.#gone.add(uid);
    else this.#remove(uid);
  }

  #remove(uid: string): void {
    const removed = removeTree(this.#folder(uid))
      .catch((error) => this.#options.onError(`remove the content of claim ${uid}`, error))
      .finally(() => this.#removing.delete(removed));
    this.#removing.add(removed);
  }

  #folder(uid: string): string {
    return `${this.#options.dataDir}/volumes/${uid}`;
  }
}

/**
 * Moves the claims that an earlier version stored by name in `claims/NAMESPACE/NAME`. Folders without a claim remain
 * there.
 */
async function moveNamedClaims(dataDir: string, claims: readonly KubeObject[]): Promise<void> {
  for (const { metadata: { namespace = "", name = "", uid = "" } } of claims) {
    // Earlier versions did not validate names, so a stored path may lead elsewhere.
    if (!isPlainName(namespace) || !isPlainName(name)) continue;
    const left = `${dataDir}/claims/${namespace}`;
    if (!isFolder(left) || !isFolder(`${left}/${name}`) || isFolder(`${dataDir}/volumes/${uid}`)) continue;
    await Deno.rename(`${left}/${name}`, `${dataDir}/volumes/${uid}`);
    if (Array.from(Deno.readDirSync(left)).length === 0) await Deno.remove(left);
  }
}

function isPlainName(name: string): boolean {
  return /^[a-z0-9][-a-z0-9.]*$/.test(name);
}

function isFolder(path: string): boolean {
  try {
    return Deno.lstatSync(path).isDirectory;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
