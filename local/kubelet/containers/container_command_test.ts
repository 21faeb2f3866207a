import { assertEquals, assertThrows } from "@std/assert";
import { IMAGE_COMMAND } from "@tiphys/base/constants";
import { containerCommand } from "./container_command.ts";

const image = { entrypoint: ["/entry"], cmd: ["default"] };
const env = new Map([["NAME", "me"]]);
const wrapped = ["/argo-bin/argoexec", "emissary", "--", IMAGE_COMMAND];

const table: readonly (readonly [string, { command?: string[]; args?: string[] }, string[]])[] = [
  ["the image's command and arguments", {}, ["/entry", "default"]],
  ["the container's arguments after the image's command", { args: ["$(NAME)"] }, ["/entry", "me"]],
  ["no arguments if the container has an empty list", { args: [] }, ["/entry"]],
  ["the container's command without the image's arguments", { command: ["run", "$(NAME)"] }, ["run", "me"]],
  ["the image's command in place of a placeholder", { command: wrapped }, [
    ...wrapped.slice(0, 3),
    "/entry",
    "default",
  ]],
  ["the container's arguments after the placeholder", { command: wrapped, args: ["a"] }, [
    ...wrapped.slice(0, 3),
    "/entry",
    "a",
  ]],
];

for (const [rule, container, expected] of table) {
  Deno.test(`containerCommand: ${rule}`, () => {
    assertEquals(containerCommand({ name: "main", image: "tool:1", ...container }, image, env), expected);
  });
}

Deno.test("containerCommand: fails if the command of the image is unknown", () => {
  for (const command of [undefined, wrapped]) {
    const container = { name: "main", image: "tool:1", args: ["a"], ...(command && { command }) };
    assertThrows(
      () => containerCommand(container, { entrypoint: [], cmd: [] }, env),
      Error,
      'the command of its image "tool:1" is unknown',
    );
  }
});
