/** Cases of the contract: missing and forbidden objects are different errors. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { assertKind, bytesOf, type Case, type DriverAtLocation, SkippedCaseError, sourceOf } from "./bench.ts";

function requireLocation(elsewhere: DriverAtLocation | undefined, subject: string): DriverAtLocation {
  if (!elsewhere) throw new SkippedCaseError(`it has no such ${subject}`);
  return elsewhere;
}

/** All cases of missing or forbidden objects. */
export const ABSENCE: readonly Case[] = [
  {
    id: "AR-30",
    title: "a missing key is reported as missing, with its name, by every operation",
    async keep(bench) {
      const place = bench.at("nothing/here");
      for (
        const ask of [
          () => bench.driver.find(place, bench.stop),
          async () => await bytesOf(await bench.driver.read(place, {}, bench.stop)),
        ]
      ) {
        const error = await assertKind("missing", ask);
        assertStringIncludes(error.message, "nothing/here");
      }
      if (bench.driver.can.remove) assertEquals(await bench.remove("nothing/here"), 0);
    },
  },
  {
    id: "AR-31",
    title: "a missing bucket is a different error than a missing key",
    async keep(bench) {
      const { driver, place } = requireLocation(await bench.underTest.noBucket?.(), "missing bucket");
      await assertKind("bucket", () => driver.find(place, bench.stop));
      await assertKind("bucket", async () => await bytesOf(await driver.read(place, {}, bench.stop)));
      await assertKind("bucket", () => driver.write(place, sourceOf("x"), bench.stop));
      if (driver.can.list) await assertKind("bucket", () => Array.fromAsync(driver.list(place, bench.stop)));
      await driver.close?.();
    },
  },
  {
    id: "AR-32",
    title: "a forbidden object is reported as forbidden, not as missing",
    async keep(bench) {
      const { driver, place } = requireLocation(await bench.underTest.unreadable?.(), "forbidden place");
      await assertKind("forbidden", () => driver.find(place, bench.stop));
      await assertKind("forbidden", async () => await bytesOf(await driver.read(place, {}, bench.stop)));
      await driver.close?.();
    },
  },
  {
    id: "AR-34",
    title: "a wrong secret is refused without retries, and the error does not contain it",
    async keep(bench) {
      const { driver, place } = requireLocation(await bench.underTest.wrongSecret?.(), "wrong secret");
      const secrets = JSON.stringify(place.settings);
      for (
        const ask of [
          () => driver.find(place, bench.stop),
          async () => await bytesOf(await driver.read(place, {}, bench.stop)),
          ...(driver.can.save ? [() => driver.write(place, sourceOf("x"), bench.stop)] : []),
        ]
      ) {
        const error = await assertKind("forbidden", ask);
        assert(!/wrong-secret-value/.test(`${error.message} ${error.cause}`), `${error.message} ${secrets}`);
      }
      await driver.close?.();
    },
  },
];
