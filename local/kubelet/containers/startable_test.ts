import { assert, assertEquals, assertThrows } from "@std/assert";
import { MAX_ARGUMENT_BYTES, MAX_ARGUMENTS_BYTES, MAX_PATH_BYTES } from "../limits.ts";
import type { ContainerSpec } from "../runtime/runtime.ts";
import { CannotStartError, checkStartable } from "./startable.ts";

const spec = (fields: Partial<ContainerSpec>): ContainerSpec =>
  ({ command: ["true"], env: new Map(), mounts: [], ...fields }) as ContainerSpec;
const mount = (fields: Record<string, string>) => ({ source: "/s", target: "/m", readOnly: true, ...fields });

Deno.test("checkStartable: accepts the maximum lengths of Linux", () => {
  checkStartable(spec({ command: ["x".repeat(MAX_ARGUMENT_BYTES)], workingDir: `/${"a/".repeat(2047)}` }));
  checkStartable(spec({ env: new Map([["A", "x".repeat(MAX_ARGUMENT_BYTES - 2)]]) }));
  checkStartable(spec({ mounts: [mount({ target: "x".repeat(MAX_PATH_BYTES) })] }));
});

/** The fields of a container, and a part of the error. */
const REFUSED: readonly (readonly [string, Partial<ContainerSpec>, string])[] = [
  [
    "a long word",
    { command: ["sh", "x".repeat(MAX_ARGUMENT_BYTES + 1)] },
    "word 1 of the command has more than 131071 bytes",
  ],
  [
    "a word of few characters and many bytes",
    { command: ["\u20ac".repeat(MAX_ARGUMENT_BYTES / 2)] },
    "word 0 of the command has",
  ],
  [
    "a long variable",
    { env: new Map([["A", "x".repeat(MAX_ARGUMENT_BYTES)]]) },
    "variable A has more than 131071 bytes",
  ],
  [
    "many words",
    { command: Array(MAX_ARGUMENTS_BYTES / 1024 + 1).fill("x".repeat(1024)) },
    "have more than 6291456 bytes",
  ],
  ["a NUL", { env: new Map([["A", "secret\0"]]) }, "variable A contains a NUL character"],
  ["a name with =", { env: new Map([["A=", "secret"]]) }, 'invalid variable name "A="'],
  ["no name", { env: new Map([["", "secret"]]) }, "invalid variable name"],
  ["a long path", { mounts: [mount({ target: "/a".repeat(3000) })] }, "of a mount has more than 4095 bytes"],
  [
    "a long subPath",
    { mounts: [mount({ below: "a/".repeat(3000) })] },
    "the subPath of the volume at /m has more than 4095 bytes",
  ],
  ["a long working folder", { workingDir: "/a".repeat(3000) }, "the working folder has more than 4095 bytes"],
];

for (const [what, fields, said] of REFUSED) {
  Deno.test(`checkStartable: refuses ${what}, with the limit and without the value`, () => {
    const { message } = assertThrows(() => checkStartable(spec(fields)), CannotStartError, said);
    assert(!message.includes("secret") && message.length < 300, message);
  });
}

Deno.test("checkStartable: does not encode a text that is far too long", () => {
  const words = Array.from({ length: 3 }, () => "x".repeat(2 ** 28));
  assertEquals(assertThrows(() => checkStartable(spec({ command: words })), CannotStartError).name, "CannotStart");
});
