import { assertEquals } from "@std/assert";
import { LOOPBACK, PodAddresses } from "./pod_addresses.ts";
import { needs } from "../../lib/base/testing/needs.ts";

const isWide = Deno.build.os === "linux";

Deno.test({
  ...needs(
    "Linux",
    isWide,
    "PodAddresses: each pod gets its own address, and none is reused while others are free",
  ),
  fn() {
    const addresses = new PodAddresses(7);
    assertEquals([addresses.take(), addresses.take()], ["127.7.0.1", "127.7.0.2"]);
    addresses.release("127.7.0.1");
    assertEquals(addresses.take(), "127.7.0.3");
  },
});

Deno.test({
  ...needs(
    "Linux",
    isWide,
    "PodAddresses: every address is used before one is reused, except network and broadcast ones",
  ),
  fn() {
    const addresses = new PodAddresses(7);
    const given = Array.from({ length: 256 * 254 }, () => addresses.take());
    assertEquals(new Set(given).size, given.length);
    assertEquals(given.filter((address) => /\.(0|255)$/.test(address)), []);
    assertEquals(addresses.take(), LOOPBACK);
    addresses.release(given[300]!);
    assertEquals(addresses.take(), given[300]);
  },
});
