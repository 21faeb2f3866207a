import { assertEquals } from "@std/assert";
import { checkDomTests } from "./check_dom_tests.ts";

const TEST = `import { states } from "../testing/states.tsx";
import { Card, Title } from "./card.tsx";
import { Tabs } from "./tabs.tsx";
states([
  Card,
  Tabs,
], {});
states(Title, {});
`;

Deno.test("checkDomTests: every exported component is the subject of a table of states", () => {
  const card = "export function Card() {}\nexport const WIDTH = 3;\nexport class Title {}\nfunction Hidden() {}\n";
  const tabs = "export function Tabs<T>() {}\nexport function useTabs() {}\n";
  const sources = new Map([["ui/components/card.tsx", card], ["ui/components/tabs.tsx", tabs]]);
  assertEquals(checkDomTests(new Map([...sources, ["ui/components/card_test.tsx", TEST]])), []);
  assertEquals(
    checkDomTests(new Map([...sources, ["ui/components/card_test.tsx", TEST.replace("states(Title", "show(Title")]])),
    ["ui/components/card.tsx: Title has no DOM test: name its states in a test (ui/testing)"],
  );
  assertEquals(checkDomTests(sources).length, 3);
});

Deno.test("checkDomTests: a component of the same name in another file does not count", () => {
  const sources = new Map([
    ["ui/pages/card.tsx", "export function Card() {}"],
    ["ui/components/card.tsx", "export function Card() {}"],
    ["ui/components/card_test.tsx", 'import { Card } from "./card.tsx";\nstates(Card, {});'],
  ]);
  assertEquals(checkDomTests(sources).map((test) => test.split(":")[0]), ["ui/pages/card.tsx"]);
});
