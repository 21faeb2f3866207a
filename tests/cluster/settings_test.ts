import { assertEquals, assertThrows } from "@std/assert";
import { clusterAddresses, clusterSettings } from "./settings.ts";

Deno.test("clusterSettings: clusters with different names have different folders and links", () => {
  const settings = clusterSettings(() => undefined);
  const other = clusterSettings((name) => name === "TIPHYS_CLUSTER_NAME" ? "other" : undefined);
  assertEquals(settings.directory, "/var/tmp/tiphys-cluster");
  assertEquals(other.directory, "/var/tmp/tiphys-cluster-other");
  assertEquals(settings.link === other.link, false);
});

Deno.test("clusterSettings: refuses a name that is too long for a network interface", () => {
  assertThrows(
    () => clusterSettings((name) => name === "TIPHYS_CLUSTER_NAME" ? "a-very-long-name" : undefined),
    Error,
    "11 lowercase letters",
  );
});

Deno.test("clusterAddresses: the API server and the registry are at the node's end of the link", () => {
  const settings = clusterSettings((name) => name === "TIPHYS_CLUSTER_LINK" ? "10.1.2" : undefined);
  assertEquals(clusterAddresses(settings).api, "https://10.1.2.2:6443");
  assertEquals(clusterAddresses(settings).registry, "10.1.2.2:5000");
});
