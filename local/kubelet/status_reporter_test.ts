import { assertEquals } from "@std/assert";
import type { Pod } from "@tiphys/model/api";
import { handlerTransport, KubeClient } from "@tiphys/kube";
import { StatusReporter } from "./status_reporter.ts";

/** A reporter of a pod, with an API that responds with these status codes, repeating the last one. */
function reporterOver(codes: readonly number[], onRequest: () => void = () => {}) {
  let asked = 0;
  const told: string[] = [];
  const answer = () => {
    onRequest();
    const code = codes[Math.min(asked++, codes.length - 1)]!;
    const failure = { kind: "Status", status: "Failure", reason: "ServiceUnavailable", message: "no room", code };
    return Promise.resolve(Response.json(code === 200 ? {} : failure, { status: code }));
  };
  const pod: Pod = { metadata: { name: "p", namespace: "n", uid: "1" }, spec: { containers: [] } } as unknown as Pod;
  const client = new KubeClient(handlerTransport(answer));
  const reporter = new StatusReporter(
    client,
    pod,
    () => ({ phase: "Running" }),
    (error) => told.push((error as Error).message),
  );
  return { reporter, told, asked: () => asked };
}

Deno.test("StatusReporter: retries during temporary errors, and reports them once", async () => {
  const { reporter, told, asked } = reporterOver([503, 503, 200]);
  reporter.report();
  await reporter.flushed();
  assertEquals([told, asked()], [["no room"], 3]);
});

Deno.test("StatusReporter: does not retry failed writes after end()", async () => {
  const { reporter, asked } = reporterOver([503], () => reporter.end());
  reporter.report();
  await reporter.flushed();
  assertEquals(asked(), 1);
});
