/** The settings of the benchmark: the images, and the command of every user container. */
import { VERSION } from "@tiphys/base/version";

/** The executor's image as our build names it. */
export const EXECUTOR_IMAGE = `docker.io/tiphys/argoexec:v${VERSION}`;

/** The image of the user: its `date` knows fractions of a second. */
export const USER_IMAGE = "tiphys-test/debian-plain:1";

/** The user's whole work: to say what time it is. Its start and its end are the same moment, and the log holds it. */
export const TELL_TIME = ["date", "+%s.%N"];

/** The path of an artifact that the user's command has as its input. */
export const INPUT_PATH = "/input";

/** The same for a command with such an input: it fails when that is not there as a whole. */
export function tellTimeWith(bytes: number): string[] {
  return ["sh", "-c", `${TELL_TIME.join(" ")}; test "$(stat -Lc %s ${INPUT_PATH})" = ${bytes}`];
}

/** For measuring memory: a command that does nothing for longer than that takes. */
export const SLEEP = ["sleep", "300"];
