/** Archives workflows to the file FILE until it is killed, and prints the number of each after it was stored. */
import { systemClock } from "@tiphys/base/clock";
import { silentLog } from "@tiphys/base/log";
import { OpenArchive } from "../open_archive.ts";

const [file = ""] = Deno.args;
const secret = () => Promise.reject(new TypeError("a file needs no secret"));
await using archive = await OpenArchive.open({ sqlite: { file } }, { clock: systemClock, log: silentLog, secret });
for (let number = 0;; number++) {
  await archive.archive({
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Workflow",
    metadata: { name: `w-${number}`, namespace: "n", uid: `uid-${number}`, labels: { number: String(number) } },
    spec: {},
    status: { phase: "Succeeded", startedAt: "2026-01-01T00:00:00Z", message: "m".repeat(20_000) },
  });
  await Deno.stdout.write(new TextEncoder().encode(`${number}\n`));
}
