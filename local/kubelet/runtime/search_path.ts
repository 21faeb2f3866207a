/** The search path of programs. */

/** The PATH of containers whose image does not set it. */
export const SEARCH_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** Reports whether a command is a program of this machine, given by path or by name. */
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
