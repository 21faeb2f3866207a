/** A server in a separate process, which prints its port and answers until its standard input ends. */
import { listen } from "../listen.ts";

const listening = await listen({
  hostname: "127.0.0.1",
  port: 0,
  handler: () => Promise.resolve(new Response("answered")),
});
console.log(listening.port);
await new Response(Deno.stdin.readable).arrayBuffer();
await listening.close();
