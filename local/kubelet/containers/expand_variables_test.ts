import { assertEquals, assertThrows } from "@std/assert";
import { expandVariables, Room } from "./expand_variables.ts";
import { CannotStart } from "./startable.ts";

const variables = new Map([["NAME", "tiphys"], ["EMPTY", ""], ["a.b-c", "dotted"]]);

const rows: readonly { rule: string; text: string; expanded: string }[] = [
  { rule: "replaces a known variable", text: "I am $(NAME)!", expanded: "I am tiphys!" },
  { rule: "replaces by an empty value", text: "[$(EMPTY)]", expanded: "[]" },
  { rule: "takes names that a shell could not spell", text: "$(a.b-c)", expanded: "dotted" },
  { rule: "leaves a reference to nothing as it is written", text: "$(NOBODY)", expanded: "$(NOBODY)" },
  { rule: "reads two dollars as one, and then no reference", text: "$$(NAME)", expanded: "$(NAME)" },
  { rule: "leaves what is no reference to the shell", text: "$NAME ${NAME} $", expanded: "$NAME ${NAME} $" },
  { rule: "leaves an open reference as it is", text: "$(NAME", expanded: "$(NAME" },
];

for (const { rule, text, expanded } of rows) {
  Deno.test(`expandVariables: ${rule}`, () => assertEquals(expandVariables(text, variables), expanded));
}

Deno.test("expandVariables: refuses results that are too long, for one text or all together", () => {
  const variables = new Map([["A", "x".repeat(1024)]]);
  assertThrows(
    () => expandVariables("$(A)".repeat(1000), variables),
    CannotStart,
    "an argument or variable has more than 131071 bytes",
  );
  const room = new Room();
  const many = () => {
    for (let count = 0; count < 7000; count++) expandVariables("$(A)", variables, room);
  };
  assertThrows(many, CannotStart, "all arguments and variables have more than 6291456 bytes");
});
