import { assertEquals, assertNotEquals, assertRejects } from "@std/assert";
import { serveLocalPage } from "./local_page.ts";

const SCENE = {
  transport: () => Promise.reject(new Error("unexpected request to the cluster")),
  cacheDir: "/nowhere",
  offloaded: undefined,
  log: { error() {}, debug() {}, info() {}, warn() {} },
} as unknown as Omit<Parameters<typeof serveLocalPage>[0], "ports">;

const portOf = ({ url }: { readonly url: string }) => Number(new URL(url).port);

Deno.test("local page: if the first port is taken, uses the next one", async () => {
  const first = await serveLocalPage({ ...SCENE, ports: [0] });
  const second = await serveLocalPage({ ...SCENE, ports: [portOf(first), 0] });
  assertNotEquals(portOf(second), portOf(first));
  assertEquals((await assertRejects(() => serveLocalPage({ ...SCENE, ports: [portOf(first)] }))).name, "AddrInUse");
  await second.close();
  await first.close();
});
