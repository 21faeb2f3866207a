/**
 * Starts a long-running container, prints a line, and waits to be killed. The program of a `deaf` container disables
 * its parent death signal.
 */

import { KernelProgram } from "@tiphys/portable/elf";
import { hostRuntime } from "../host.ts";
import { SEARCH_PATH } from "../search_path.ts";

const [folder = "", how = ""] = Deno.args;
const runtime = await hostRuntime({ folder });
const container = await runtime.start({
  id: "c",
  folder: `${folder}/c`,
  image: "busybox",
  hostname: "pod",
  command: how === "deaf" ? ["/deaf/deaf"] : ["sh", "-c", "(setsid sleep 600 &) ; echo running; sleep 600"],
  env: new Map([["PATH", SEARCH_PATH]]),
  workingDir: undefined,
  user: 1234,
  group: undefined,
  imageUser: "",
  readOnlyRoot: false,
  noNewPrivileges: false,
  memoryLimit: undefined,
  mounts: how === "deaf" ? [{ source: programWithoutDeathSignal(), target: "/deaf", readOnly: true }] : [],
}, (_stream, chunk) => Deno.stdout.writeSync(chunk));
await container.ended;

function programWithoutDeathSignal(): string {
  const PR_SET_PDEATHSIG = 1;
  const said = "running\n";
  const program = new KernelProgram();
  program.must("not hear", "prctl", PR_SET_PDEATHSIG, 0).attempt("setsid")
    .attempt("write", 1, program.text(said), said.length)
    .attempt("ppoll", 0, 0, 0, 0, 0);
  Deno.mkdirSync(`${folder}/deaf`);
  Deno.chmodSync(folder, 0o755);
  Deno.writeFileSync(`${folder}/deaf/deaf`, program.file());
  Deno.chmodSync(`${folder}/deaf/deaf`, 0o755);
  return `${folder}/deaf`;
}
