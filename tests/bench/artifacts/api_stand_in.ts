/** A minimal API server for an executor: accepts every report over TLS, and discards it. */
import { outputOf } from "../../../scripts/command.ts";

/** A server that accepts reports. */
export interface ApiStandIn extends AsyncDisposable {
  readonly port: number;
  /** Path of the certificate authority that clients must trust. */
  readonly caFile: string;
}

/** Starts the server. Its key is stored in `folder`. */
export async function serveReports(folder: string): Promise<ApiStandIn> {
  const caFile = `${folder}/ca.crt`;
  const request = ["openssl", "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  const ca = ["-x509", "-days", "2", "-subj", "/CN=bench-ca", "-keyout", `${folder}/ca.key`, "-out", caFile];
  await outputOf([...request, ...ca]);
  // Signed by an authority, because some clients reject a self-signed certificate.
  const leaf = [
    "-subj",
    "/CN=127.0.0.1",
    "-addext",
    "subjectAltName=IP:127.0.0.1",
    "-addext",
    "basicConstraints=CA:FALSE",
  ];
  const signed = ["-x509", "-CA", caFile, "-CAkey", `${folder}/ca.key`, "-days", "2"];
  await outputOf([...request, ...leaf, ...signed, "-keyout", `${folder}/tls.key`, "-out", `${folder}/tls.crt`]);
  const [cert, key] = await Promise.all(
    [`${folder}/tls.crt`, `${folder}/tls.key`].map((file) => Deno.readTextFile(file)),
  );
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, cert: cert!, key: key!, onListen() {} }, answer);
  return {
    port: server.addr.port,
    caFile,
    async [Symbol.asyncDispose]() {
      await server.shutdown();
    },
  };
}

async function answer(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  if (!pathname.includes("/workflowtaskresults")) return notFoundResponse();
  if (request.method !== "POST" && request.method !== "PATCH") return notFoundResponse();
  const sent = await request.json();
  const metadata = { name: pathname.split("/").at(-1), ...sent.metadata, resourceVersion: "1" };
  const kind = { apiVersion: "argoproj.io/v1alpha1", kind: "WorkflowTaskResult" };
  return Response.json({ ...kind, ...sent, metadata }, { status: request.method === "POST" ? 201 : 200 });
}

function notFoundResponse(): Response {
  const status = {
    apiVersion: "v1",
    kind: "Status",
    status: "Failure",
    reason: "NotFound",
    code: 404,
    message: "none",
  };
  return Response.json(status, { status: 404 });
}
