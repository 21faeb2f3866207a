/** The settings of the benchmark: the images, and the command of every user container. */
import { VERSION } from "@tiphys/base/version";

/** The name of the executor's image in our build. */
export const EXECUTOR_IMAGE = `docker.io/tiphys/argoexec:v${VERSION}`;

/** The user's image. Its `date` supports fractions of a second. */
export const USER_IMAGE = "tiphys-test/debian-plain:1";

/** The user's command prints the time. Its start and its end are the same instant, and the log contains it. */
export const PRINT_TIME = ["date", "+%s.%N"];

/** The path of the input artifact. */
export const INPUT_PATH = "/input";

/** The command for a workflow with an input artifact. Fails unless the artifact has `bytes` bytes. */
export function printTimeWith(bytes: number): string[] {
  return ["sh", "-c", `${PRINT_TIME.join(" ")}; test "$(stat -Lc %s ${INPUT_PATH})" = ${bytes}`];
}

/** A command that sleeps longer than a measurement of memory takes. */
export const SLEEP = ["sleep", "300"];
