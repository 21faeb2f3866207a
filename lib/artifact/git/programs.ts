/** The programs git and ssh: those of the search path, else those that the executor's image brings along. */
import { PATH } from "../../constants.ts";

/** The folder of what the executor's image brings along for git: programs, their libraries, certificate authorities. */
export const BROUGHT = `${PATH.argoBin}/git`;

/** The programs that the image brings. */
export const BROUGHT_BIN = `${BROUGHT}/bin`;

/** A library that tells programs of users that no file of the machine knows. */
export const BROUGHT_USERS = `${BROUGHT}/lib/libnss_wrapper.so`;

/** The certificate authorities of the image, for where the machine has none. */
export const BROUGHT_AUTHORITIES = `${BROUGHT}/ca-certificates.crt`;

/** The search path by which git and ssh are found. */
export interface Programs {
  readonly path: string;
  /** They are those that the image brings. */
  readonly areBrought: boolean;
}

/** The programs to use with a search path; without any there, and none brought along, the search path as it is. */
export function programsOn(path: string): Programs {
  const areBrought = find("git", path) === undefined && find("git", BROUGHT_BIN) !== undefined;
  return { path: areBrought ? BROUGHT_BIN : path, areBrought };
}

/** The first program of a name on a search path. */
export function find(program: string, path: string): string | undefined {
  return path.split(":").filter(Boolean).map((folder) => `${folder}/${program}`).find((file) => {
    try {
      return Deno.statSync(file).isFile;
    } catch {
      return false;
    }
  });
}
