import { assertEquals } from "@std/assert";
import { KubeError } from "@tiphys/kube";
import { SilentWatchError } from "@tiphys/kube/informers";
import { lineLog } from "@tiphys/base/log";
import { logWatchFailure } from "./watch_failure.ts";

Deno.test("logWatchFailure(): warns about a watch that failed, but not about a silent one", () => {
  const lines: string[] = [];
  const log = lineLog({ level: "info", format: "text", write: (line) => lines.push(line) });
  logWatchFailure(log, new SilentWatchError(90_000));
  logWatchFailure(log, new KubeError("The watch was interrupted", { status: 0, reason: "NetworkError" }));
  assertEquals(lines.map((line) => /level=(\w+)/i.exec(line)?.[1]), ["INFO", "WARN"]);
});
