/** Starts a container that would run for long, says so, and waits to be killed. */

import { hostRuntime } from "../host.ts";
import { SEARCH_PATH } from "../search_path.ts";

const [folder = ""] = Deno.args;
const runtime = await hostRuntime({ folder });
const container = await runtime.start({
  id: "c",
  folder: `${folder}/c`,
  image: "busybox",
  hostname: "pod",
  command: ["sh", "-c", "(setsid sleep 600 &) ; echo running; sleep 600"],
  env: new Map([["PATH", SEARCH_PATH]]),
  workingDir: undefined,
  user: 1234,
  group: undefined,
  imageUser: "",
  readOnlyRoot: false,
  memoryLimit: undefined,
  mounts: [],
}, (_stream, chunk) => Deno.stdout.writeSync(chunk));
await container.ended;
