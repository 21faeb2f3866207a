import { type ArtifactLocation, type Driver, NotListableError } from "./driver.ts";

/** Artifacts whose content stands in the template itself. */
export const rawDriver: Driver = {
  async load(artifact: ArtifactLocation, path: string): Promise<void> {
    const { data } = artifact.raw as { data?: string };
    await Deno.writeTextFile(path, data ?? "");
  },

  save(_path: string, artifact: ArtifactLocation): Promise<void> {
    return Promise.reject(new Error(`raw output artifact ${artifact.name} cannot be saved: raw artifacts are inputs`));
  },

  listObjects(artifact: ArtifactLocation): Promise<readonly string[]> {
    return Promise.reject(new NotListableError(artifact, "raw"));
  },
};
