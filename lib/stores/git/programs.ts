/** The programs git and ssh: from PATH, else those in the executor's image. */
import { PATH } from "@tiphys/base/constants";

/** The folder of git in the executor's image: programs, their libraries, certificate authorities. */
export const IMAGE_GIT = `${PATH.argoBin}/git`;

/** The programs in the image. */
export const IMAGE_BIN = `${IMAGE_GIT}/bin`;

/** A library that provides user entries without a passwd file. */
export const IMAGE_NSS_WRAPPER = `${IMAGE_GIT}/lib/libnss_wrapper.so`;

/** The certificate authorities of the image, for machines without any. */
export const IMAGE_AUTHORITIES = `${IMAGE_GIT}/ca-certificates.crt`;

/** The search path for git and ssh. */
export interface Programs {
  readonly path: string;
  /** Whether they are those of the image. */
  readonly areBundled: boolean;
}

/** Returns the programs for a search path. If neither it nor the image has them, returns the search path unchanged. */
export function findPrograms(path: string): Programs {
  const areFromImage = findProgram("git", path) === undefined && findProgram("git", IMAGE_BIN) !== undefined;
  return { path: areFromImage ? IMAGE_BIN : path, areBundled: areFromImage };
}

/** Returns the first file of a program on a search path. */
export function findProgram(program: string, path: string): string | undefined {
  return path.split(":").filter(Boolean).map((folder) => `${folder}/${program}`).find((file) => {
    try {
      return Deno.statSync(file).isFile;
    } catch {
      return false;
    }
  });
}
