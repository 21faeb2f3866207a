import { assertEquals } from "@std/assert";
import { fakeClock } from "../lib/base/clock/testing/fake_clock.ts";
import { ownCertificate } from "@tiphys/base/x509";
import { followSetting } from "./follow.ts";
import { listen } from "./listen/listen.ts";
import { recordedLog } from "./sso/testing/login_bench.ts";

Deno.test("follow: applies a change once, and keeps the value if the setting cannot be read", async () => {
  const clock = fakeClock();
  const log = recordedLog();
  const stop = new AbortController();
  let now: { readonly navColor?: string } | Error = { navColor: "red" };
  const applied: unknown[] = [];
  const following = followSetting<{ readonly navColor?: string }>({
    what: "the map",
    first: now,
    read: () => now instanceof Error ? Promise.reject(now) : Promise.resolve(now),
    apply: (next) => void applied.push(next),
    millis: 5_000,
    clock,
    log,
  }, stop.signal);
  const look = async () => {
    const looked = clock.nextTimer();
    clock.advance(5_000);
    await looked;
  };
  await look();
  assertEquals(applied, []);
  now = { navColor: "blue" };
  await look();
  await look();
  assertEquals(applied, [{ navColor: "blue" }]);
  now = new Error("forbidden");
  await look();
  await look();
  now = {};
  await look();
  assertEquals(applied, [{ navColor: "blue" }, {}]);
  assertEquals(log.lines.filter((line) => line.startsWith("warn")).length, 1);
  stop.abort();
  await following;
});

Deno.test("follow: an error at shutdown is not logged", async () => {
  const clock = fakeClock();
  const log = recordedLog();
  const stop = new AbortController();
  const reading = Promise.withResolvers<void>();
  const never = new Promise<never>((_, reject) =>
    stop.signal.addEventListener("abort", () => reject(stop.signal.reason))
  );
  const read = () => (reading.resolve(), never);
  const followed = { what: "the map", first: 0, read, apply: () => {}, millis: 5_000, clock, log };
  const following = followSetting<number>(followed, stop.signal);
  clock.advance(5_000);
  await reading.promise;
  stop.abort();
  await following;
  assertEquals(log.lines, []);
});

Deno.test("follow: a renewed certificate is used for new connections, and existing ones stay open", async () => {
  const [old, renewed] = await Promise.all(["old", "renewed"].map((name) => ownCertificate(name, new Date())));
  let release = () => {};
  const held = new Promise<void>((resolve) => release = resolve);
  const handler = async (request: Request) => {
    const body = new ReadableStream<Uint8Array>({
      async start(controller) {
        controller.enqueue(new TextEncoder().encode("begun "));
        if (request.url.endsWith("/long")) await held;
        controller.enqueue(new TextEncoder().encode("ended"));
        controller.close();
      },
    });
    return await Promise.resolve(new Response(body));
  };
  const listening = await listen({ hostname: "127.0.0.1", port: 0, tls: old!, handler });
  const url = `https://localhost:${listening.port}`;
  const trusting = async (cert: string, path: string) => {
    const client = Deno.createHttpClient({ caCerts: [cert] });
    return { client, response: await fetch(`${url}${path}`, { client }).catch(() => undefined) };
  };
  const long = await trusting(old!.cert, "/long");
  listening.renew(renewed!);
  const short = await trusting(renewed!.cert, "/");
  assertEquals(await short.response?.text(), "begun ended");
  const stranger = await trusting(old!.cert, "/");
  assertEquals(stranger.response, undefined);
  release();
  assertEquals(await long.response?.text(), "begun ended");
  for (const { client } of [long, short, stranger]) client.close();
  await listening.close();
});
