import { assert, assertEquals, assertThrows } from "@std/assert";
import { flagsWithoutEffect } from "./flag_warnings.ts";
import { readFlags, serverCommand, type ServerFlags } from "./flags.ts";

function read(...args: readonly string[]): ServerFlags {
  const command = serverCommand().exitOverride().configureOutput({ writeErr: () => {} });
  command.action(() => {}).parse([...args], { from: "user" });
  return readFlags(command);
}

Deno.test("flags: the defaults are Argo's and cause no warning", () => {
  const flags = read();
  assertEquals(flagsWithoutEffect(flags), []);
  assertEquals([flags.port, flags.secure, flags.authMode, flags.eventOperationQueueSize, flags.eventWorkerCount], [
    2746,
    true,
    ["client"],
    16,
    4,
  ]);
});

Deno.test("flags: a flag without effect causes a warning that names it", () => {
  const cases: readonly (readonly [readonly string[], string])[] = [
    [["--managed-namespace", "a"], "--managed-namespace"],
    [["--sso-namespace", "a", "--auth-mode", "sso"], "--sso-namespace"],
    [["--sso-namespace", "a", "--namespaced"], "--sso-namespace"],
    [["--secure=false", "--tls-certificate-secret-name", "a"], "--tls-certificate-secret-name"],
    [["--allow-anonymous"], "--allow-anonymous"],
    [["--event-worker-count", "2"], "--event-worker-count"],
    [["--event-operation-queue-size", "0"], "--event-operation-queue-size"],
    [["--kube-api-burst", "5"], "--kube-api-burst"],
    [["--currency", "EUR"], "--currency"],
    [["--browser"], "--browser"],
    [["--gloglevel", "6"], "--gloglevel"],
  ];
  for (const [args, name] of cases) {
    const told = flagsWithoutEffect(read(...args));
    assertEquals(told.length, 1, args.join(" "));
    assert(told[0]?.includes(name), `${args.join(" ")}: ${told}`);
  }
});

Deno.test("flags: a valid combination causes no warning", () => {
  assertEquals(flagsWithoutEffect(read("--namespaced", "--managed-namespace", "a")), []);
  assertEquals(flagsWithoutEffect(read("--namespaced", "--sso-namespace", "a", "--auth-mode", "sso")), []);
  assertEquals(flagsWithoutEffect(read("--auth-mode", "hybrid", "--allow-anonymous")), []);
  assertEquals(flagsWithoutEffect(read("--event-async-dispatch", "--event-worker-count", "2")), []);
  assertEquals(flagsWithoutEffect(read("--kube-api-qps", "50", "--kube-api-burst", "60")), []);
});

Deno.test("flags: --auth-mode may be repeated or contain commas", () => {
  assertEquals(read("--auth-mode", "client", "--auth-mode=sso").authMode, ["client", "sso"]);
  assertEquals(read("--auth-mode", "client,sso").authMode, ["client", "sso"]);
});

Deno.test("flags: --widget-ancestor accepts only origins", () => {
  const origins = ["https://portal.test", "http://127.0.0.1:8080", "https://*.wiki.test"];
  assertEquals(read().widgetAncestor, []);
  assertEquals(
    read("--widget-ancestor", origins.slice(0, 2).join(","), "--widget-ancestor", origins[2]!).widgetAncestor,
    [
      ...origins,
    ],
  );
  for (
    const text of ["*", "https://a.test; script-src *", "https://a.test/path", "javascript:x", "'self'", "https://*"]
  ) {
    assertThrows(() => read("--widget-ancestor", text), Error);
  }
});

Deno.test("flags: --price accepts numbers by resource, with a currency", () => {
  const { price, currency } = read(
    "--price",
    "cpu=0.04,memory=0.005",
    "--price",
    "nvidia.com/gpu=2",
    "--currency",
    "EUR",
  );
  assertEquals([price, currency], [{ cpu: 0.04, memory: 0.005, "nvidia.com/gpu": 2 }, "EUR"]);
  assertEquals(read().price, {});
  for (const text of ["cpu", "cpu=-1", "cpu=1e99", "=1", "cpu=1=2"]) assertThrows(() => read("--price", text), Error);
  for (const text of ["euro", "€", "eur"]) assertThrows(() => read("--currency", text), Error);
});

Deno.test("flags: --base-href is normalized to begin and end with a slash", () => {
  for (const text of ["/argo/", "argo", "/argo", "//argo//"]) {
    assertEquals(read("--base-href", text).baseHref, "/argo/");
  }
  assertEquals(read("--base-href", "/").baseHref, "/");
  for (const text of ["/a;b", 'a"b', "a b", "https://x", "/a/../b", "."]) {
    assertThrows(() => read("--base-href", text), Error);
  }
});
