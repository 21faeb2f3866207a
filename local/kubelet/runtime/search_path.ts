/** The search path: where programs are looked for. */

/** The PATH of containers whose image says nothing. */
export const SEARCH_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** Whether a command names a program of this machine, by its path or by its bare name. */
export function isProgram(command: string, path: string = SEARCH_PATH): boolean {
  const places = command.includes("/") ? [command] : path.split(":").map((folder) => `${folder}/${command}`);
  return places.some((place) => {
    try {
      const { isFile, mode } = Deno.statSync(place);
      return isFile && ((mode ?? 0) & 0o111) !== 0;
    } catch {
      return false;
    }
  });
}
