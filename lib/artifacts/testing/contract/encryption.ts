/** Cases of the contract: written objects are encrypted, if configured. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { StoreError } from "@tiphys/model/artifact";
import { assertSame, bytesOf, type Case, pseudoRandomBytes, SkippedCaseError } from "./bench.ts";

/** All cases of server-side encryption. */
export const ENCRYPTION: readonly Case[] = [
  {
    id: "AR-72",
    title:
      "content encrypted with a customer's key cannot be read without it or with another key, for files, parts and folders",
    needs: ["save"],
    async keep(bench) {
      const { driversWithoutKey, partBytes = 100_000 } = bench.underTest;
      if (!driversWithoutKey) throw new SkippedCaseError("every reader has the key");
      const contents = [["file", pseudoRandomBytes(1000)], ["folder/a", pseudoRandomBytes(2000, 2)], [
        "large",
        pseudoRandomBytes(partBytes + 1, 3),
      ]] as const;
      for (const [key, content] of contents) {
        await bench.write(key, content);
        assertSame(await bench.read(key), content);
        assertSame(await bench.read(key, { from: 5, to: 10 }), content.slice(5, 10));
        for (const open of driversWithoutKey) {
          const stranger = await open();
          const error = await assertRejects(
            async () => await bytesOf(await stranger.read(bench.at(key), {}, bench.stop)),
            StoreError,
          );
          assert(error.kind === "forbidden" || error.kind === "final", `${error.kind}: ${error.message}`);
          await stranger.close?.();
        }
      }
    },
  },
  {
    id: "AR-73",
    title: "the store reports the requested encryption for each object, including one in parts and an empty folder",
    needs: ["save"],
    async keep(bench) {
      const { encryption, partBytes = 100_000 } = bench.underTest;
      if (!encryption) throw new SkippedCaseError("encryption is not configured");
      for (
        const [key, content] of [["file", pseudoRandomBytes(1000)], ["large", pseudoRandomBytes(partBytes + 1)], [
          "none/",
          pseudoRandomBytes(0),
        ]] as const
      ) {
        await bench.write(key, content);
        assertEquals(await encryption.of(bench.at(key).key), encryption.as, key);
      }
    },
  },
];
