import { assertEquals, assertThrows } from "@std/assert";
import { ByteBudget, expandVariables } from "./expand_variables.ts";
import { CannotStartError } from "./startable.ts";

const variables = new Map([["NAME", "tiphys"], ["EMPTY", ""], ["a.b-c", "dotted"]]);

const rows: readonly { rule: string; text: string; expanded: string }[] = [
  { rule: "replaces a known variable", text: "I am $(NAME)!", expanded: "I am tiphys!" },
  { rule: "replaces a variable with an empty value", text: "[$(EMPTY)]", expanded: "[]" },
  { rule: "accepts names that a shell does not allow", text: "$(a.b-c)", expanded: "dotted" },
  { rule: "keeps a reference to an unknown variable", text: "$(NOBODY)", expanded: "$(NOBODY)" },
  { rule: "reads two dollars as an escaped one", text: "$$(NAME)", expanded: "$(NAME)" },
  { rule: "keeps shell variables", text: "$NAME ${NAME} $", expanded: "$NAME ${NAME} $" },
  { rule: "keeps an unclosed reference", text: "$(NAME", expanded: "$(NAME" },
];

for (const { rule, text, expanded } of rows) {
  Deno.test(`expandVariables: ${rule}`, () => assertEquals(expandVariables(text, variables), expanded));
}

Deno.test("expandVariables: refuses results that are too long, for one text or all together", () => {
  const variables = new Map([["A", "x".repeat(1024)]]);
  assertThrows(
    () => expandVariables("$(A)".repeat(1000), variables),
    CannotStartError,
    "an argument or variable has more than 131071 bytes",
  );
  const room = new ByteBudget();
  const many = () => {
    for (let count = 0; count < 7000; count++) expandVariables("$(A)", variables, room);
  };
  assertThrows(many, CannotStartError, "all arguments and variables have more than 6291456 bytes");
});
