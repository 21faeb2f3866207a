/**
 * Artifacts that are git repositories, fetched by the program `git` in an isolated environment: without hooks, prompts
 * and user configuration, and with credentials for one host only.
 */
import type { MakeDriver, TreeDriver } from "@tiphys/model/artifact";
import { checkout, type GitSettings, validateSettings } from "./checkout.ts";
import { openAccess } from "./access.ts";

/** Creates the driver of a repository. */
export const makeDriver: MakeDriver = (location, environment): TreeDriver => {
  // deno-lint-ignore tiphys/no-double-cast -- the schema of the store has read them
  const settings = location.settings as unknown as GitSettings;
  validateSettings(settings);
  return {
    async load(_place, path, stop) {
      await using access = await openAccess(settings, environment, stop);
      await checkout({ settings, access, path: await realPathOf(path), stop });
    },
  };
};

/** Returns a path that is valid in another process, unlike `/proc/self`. */
async function realPathOf(path: string): Promise<string> {
  const slash = path.lastIndexOf("/");
  return `${await Deno.realPath(path.slice(0, slash) || "/")}/${path.slice(slash + 1)}`;
}
