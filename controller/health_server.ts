/** The HTTP server for liveness probes of the kubelet, and for the reasons why a workflow waits. */
import type { Health } from "./health.ts";

const NOT_FOUND = 404;

/** Serves `/healthz`, and `/debug/why?workflow=NAMESPACE/NAME` as JSON, until the server is shut down. */
export function serveHealth(health: Health, port: number, hostname?: string): Deno.HttpServer<Deno.NetAddr> {
  return Deno.serve({ port, ...(hostname ? { hostname } : {}), onListen: () => {} }, async (request) => {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === "/debug/why") return await answerWhy(health, searchParams.get("workflow") ?? "");
    if (pathname !== "/healthz") return new Response("not found\n", { status: NOT_FOUND });
    const { status, text } = health.current;
    return new Response(text, { status });
  });
}

async function answerWhy(health: Health, key: string): Promise<Response> {
  const reasons = await health.reasonsFor(key);
  if (reasons) return Response.json(reasons);
  return new Response(`no workflow ${JSON.stringify(key)} is processed here: use ?workflow=NAMESPACE/NAME\n`, {
    status: NOT_FOUND,
  });
}
