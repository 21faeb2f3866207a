/** The policy for stand-in images, from the flags and the saved answer of the user. */
import type { StandInPolicy } from "../../local/mod.ts";

/**
 * Returns the images that a stand-in may replace. Without a flag, the user is prompted at the first image that is not a
 * base image. The answer is saved in the data folder and applies to all images and later clusters.
 */
export async function standInPolicy(
  dataDir: string,
  flag: boolean | undefined,
  ask: ((image: string) => boolean) | undefined,
): Promise<StandInPolicy> {
  if (flag !== undefined) return flag ? "any" : "none";
  const file = `${dataDir}/stand-ins`;
  let answer = await Deno.readTextFile(file).catch(ignoreAbsent);
  if (answer === undefined && ask === undefined) return "base";
  return (image) => {
    if (answer === undefined && ask !== undefined) {
      answer = ask(image) ? "yes" : "no";
      Deno.writeTextFileSync(file, answer, { mode: 0o600 });
    }
    return answer === "yes";
  };
}

function ignoreAbsent(error: unknown): undefined {
  if (!(error instanceof Deno.errors.NotFound)) throw error;
  return undefined;
}
