/** Writes lines of which only some fit into the file of the first argument. Prints each reported loss. */
import { ContainerLog } from "../logs/container_log.ts";

const log = new ContainerLog(Deno.args[0]!, () => console.log("lost"));
for (const line of ["1".repeat(3000), "2".repeat(3000), "3".repeat(3000), "last"]) {
  log.write("stdout", new TextEncoder().encode(`${line}\n`));
}
log.end();
