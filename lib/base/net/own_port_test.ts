import { assertEquals, assertThrows } from "@std/assert";
import { lineLog } from "../log.ts";
import { serveIfAvailable } from "./own_port.ts";

const TAKEN = { what: "The health endpoint", setting: "--health-port" };

Deno.test("serveIfAvailable: logs a port in use with the setting that changes it, and continues", async () => {
  await using other = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, () => new Response());
  const { port } = other.addr;
  const lines: string[] = [];
  const log = lineLog({ level: "info", format: "json", write: (line) => lines.push(line) });
  const serve = () => Deno.serve({ port, hostname: "127.0.0.1", onListen() {} }, () => new Response());
  assertEquals(serveIfAvailable({ ...TAKEN, port, log }, serve), undefined);
  const message =
    `The health endpoint cannot be served at port ${port}, as another program listens there: choose another port with ` +
    "--health-port";
  assertEquals(lines.map((line) => JSON.parse(line).msg), [message]);
  assertThrows(() => serveIfAvailable({ ...TAKEN, port, log }, () => assertEquals(1, 2)));
});
