import { assertEquals } from "@std/assert";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { httpTransport } from "./transport.ts";

Deno.test("transport: an impersonated request has headers for the user, each of its groups, and the UID", async () => {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    for (let offset = 0; offset < request.rawHeaders.length; offset += 2) {
      const [name = "", value = ""] = request.rawHeaders.slice(offset, offset + 2);
      if (/^(impersonate|authorization)/i.test(name)) seen.push(`${name.toLowerCase()}: ${value}`);
    }
    response.end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const transport = httpTransport({
      server: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      credentials: () => Promise.resolve({ headers: { authorization: "Bearer own" } }),
      actAs: { user: "system:serviceaccount:argo:argo", groups: ["a,b", "c"], uid: "42" },
    });
    await (await transport.fetch("/version")).text();
    transport.close();
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
  assertEquals(seen, [
    "authorization: Bearer own",
    "impersonate-user: system:serviceaccount:argo:argo",
    "impersonate-group: a,b",
    "impersonate-group: c",
    "impersonate-uid: 42",
  ]);
});
