import { expectResults } from "../testing/run.ts";

Deno.test("paths: are separated by slashes", () => {
  expectResults({
    "sprig.base('a/b.txt')": '"b.txt"',
    "sprig.dir('a/b.txt')": '"a"',
    "sprig.clean('a/../b')": '"b"',
    "sprig.ext('a.tar.gz')": '".gz"',
    "sprig.isAbs('/a')": "true",
  });
});

Deno.test("os paths: are those of Linux", () => {
  expectResults({
    "sprig.osBase('/a/b')": '"b"',
    "sprig.osDir('/a/b')": '"/a"',
    "sprig.osClean('/a//b')": '"/a/b"',
    "sprig.osExt('b.c')": '".c"',
    "sprig.osIsAbs('a')": "false",
  });
});
