/** The policy for stand-ins of images, from the flags and from the answer of the user, which the data folder keeps. */
import type { StandInPolicy } from "../../local/mod.ts";

/**
 * The images that a stand-in may replace. Without a flag, the user is asked at the first image that is not a base image; the
 * answer holds for all images and later clusters of the data folder.
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
