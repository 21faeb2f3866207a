import { expectResults } from "../testing/run.ts";

Deno.test("digests: match the standard algorithms", () => {
  expectResults({
    "sprig.sha1sum('a')": '"86f7e437faa5a7fce15d1ddcb9eaeaea377667b8"',
    "sprig.sha256sum('a')": '"ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"',
    "sprig.sha512sum('a')":
      '"1f40fc92da241694750979ee6cf582f2d5d7d28e18335de05abc54d0560e0f5302860c652bf08d560252aa5e74210546f369fbbbce8c12cfc7957b2652fe9a75"',
    "sprig.adler32sum('a')": '"6422626"',
  });
});
