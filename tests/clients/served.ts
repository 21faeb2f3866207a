/** Servers in each of the ways in which clients reach them: who is let in, and whether the port speaks TLS. */
import { ownCertificate } from "@tiphys/base/x509";
import { listen } from "../../server/listen/listen.ts";
import { type ArtifactBench, artifactBench } from "../../server/testing/artifact_bench.ts";

/** A way to reach a server. */
export interface Way {
  readonly name: string;
  readonly mode: "client" | "server";
  readonly tls: boolean;
  /** Whether all examples are sent this way: one of either mode is enough. */
  readonly hasExamples: boolean;
}

/** All ways. */
export const WAYS: readonly Way[] = [
  { name: "with a token over TLS", mode: "client", tls: true, hasExamples: true },
  { name: "with a token", mode: "client", tls: false, hasExamples: false },
  { name: "as anybody over TLS", mode: "server", tls: true, hasExamples: false },
  { name: "as anybody", mode: "server", tls: false, hasExamples: true },
];

/** A server that listens, and what it stands on. */
export interface ServedBench extends AsyncDisposable {
  /** Without a slash at the end. */
  readonly address: string;
  /** The token of a caller who may do everything; empty where nobody brings one. */
  readonly token: string;
  readonly bench: ArtifactBench;
}

/** The artifacts of the workflow "w" on either side of its node, by their keys; one is a folder. */
export const FILES = { "report.txt": "all is well", "old.txt": "it was", "folder/a.txt": "within" };

const KINDS = [
  ...["workflows", "workflowtemplates", "clusterworkflowtemplates", "cronworkflows", "workfloweventbindings"].map(
    (resource) => ({ group: "argoproj.io", resource }),
  ),
  ...["eventsources", "sensors"].map((resource) => ({ group: "argoproj.io", resource })),
  ...["pods", "configmaps", "secrets", "events", "serviceaccounts"].map((resource) => ({ group: "", resource })),
];

/** Everything that routes ask for. */
const RIGHTS = [
  ...["get", "list", "watch", "create", "update", "patch", "delete"].flatMap((verb) =>
    KINDS.map((kind) => ({ verb, ...kind }))
  ),
  { verb: "get", group: "", resource: "pods", subresource: "log" },
];

/**
 * Starts a server with an archive and a store, in which the workflow "w" has failed, and lies in the archive as "old" with
 * the UID "uid-old".
 */
export async function serveBench({ mode, tls }: Way): Promise<ServedBench> {
  await using opened = new AsyncDisposableStack();
  const bench = opened.use(await artifactBench(FILES, [mode]));
  const listening = await listen({
    hostname: "127.0.0.1",
    port: 0,
    tls: tls ? ownCertificate("ArgoProj", new Date()) : undefined,
    handler: bench.server.handler,
  });
  opened.defer(() => listening.close(0));
  const token = mode === "client" ? (await bench.server.account(RIGHTS)).token : "";
  const address = `${tls ? "https" : "http"}://127.0.0.1:${listening.port}`;
  const all = opened.move();
  return { address, token, bench, [Symbol.asyncDispose]: () => all.disposeAsync() };
}
