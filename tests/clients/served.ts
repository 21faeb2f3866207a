/** Starts servers for each kind of access: with or without authentication, with or without TLS. */
import { ownCertificate } from "@tiphys/base/x509";
import { listen } from "../../server/listen/listen.ts";
import { type ArtifactBench, artifactBench } from "../../server/testing/artifact_bench.ts";

/** A kind of access to a server. */
export interface Access {
  readonly name: string;
  readonly mode: "client" | "server";
  readonly tls: boolean;
  /** Whether `hera_examples` runs with this access. One per auth mode is enough. */
  readonly hasExamples: boolean;
}

/** All kinds of access. */
export const ACCESSES: readonly Access[] = [
  { name: "with a token over TLS", mode: "client", tls: true, hasExamples: true },
  { name: "with a token", mode: "client", tls: false, hasExamples: false },
  { name: "without a token over TLS", mode: "server", tls: true, hasExamples: false },
  { name: "without a token", mode: "server", tls: false, hasExamples: true },
];

/** A listening server, and its bench. */
export interface ServedBench extends AsyncDisposable {
  /** Without a slash at the end. */
  readonly address: string;
  /** The token of a user with all rights; empty if requests are anonymous. */
  readonly token: string;
  readonly bench: ArtifactBench;
}

/** The artifacts of the workflow "w", by key. Each is an input and an output of its node; one is a folder. */
export const FILES = { "report.txt": "all is well", "old.txt": "it was", "folder/a.txt": "within" };

const KINDS = [
  ...["workflows", "workflowtemplates", "clusterworkflowtemplates", "cronworkflows", "workfloweventbindings"].map(
    (resource) => ({ group: "argoproj.io", resource }),
  ),
  ...["eventsources", "sensors"].map((resource) => ({ group: "argoproj.io", resource })),
  ...["pods", "configmaps", "secrets", "events", "serviceaccounts"].map((resource) => ({ group: "", resource })),
];

/** All rights that the routes check. */
const RIGHTS = [
  ...["get", "list", "watch", "create", "update", "patch", "delete"].flatMap((verb) =>
    KINDS.map((kind) => ({ verb, ...kind }))
  ),
  { verb: "get", group: "", resource: "pods", subresource: "log" },
];

/**
 * Starts a server with an archive and an artifact store. The workflow "w" has failed; the archive has a copy named "old"
 * with the UID "uid-old".
 */
export async function serveBench({ mode, tls }: Access): Promise<ServedBench> {
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
