/** An artifact as its template has it: a name, and the fields of the store it lies in. */
export type ArtifactLocation = { readonly name: string; readonly [field: string]: unknown };

/** How artifacts get into a pod and out of it; one implementation per kind of store. */
export interface Driver {
  /**
   * Brings an artifact to a path, which does not exist yet; a reason to stop is a reason to reject.
   * @throws {Deno.errors.NotFound} when the store has none.
   */
  load(artifact: ArtifactLocation, path: string, stop?: AbortSignal): Promise<void>;
  /** Brings what lies at a path to the artifact's place. */
  save(path: string, artifact: ArtifactLocation): Promise<void>;
  /**
   * The keys of everything below an artifact's place, for data templates.
   * @throws {NotListableError} when this kind of store cannot tell.
   */
  listObjects(artifact: ArtifactLocation): Promise<readonly string[]>;
}

/** A store that cannot tell what lies in it. */
export class NotListableError extends Error {
  override readonly name = "NotListableError";

  constructor(artifact: ArtifactLocation, store: string) {
    super(
      `artifact "${artifact.name}" lies in a store of kind ${store}, which cannot be listed: ` +
        "a data template needs artifactPaths in a store that can",
    );
  }
}
