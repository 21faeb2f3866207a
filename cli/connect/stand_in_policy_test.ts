/** The policy for stand-in images. */
import { assert, assertEquals, fail } from "@std/assert";
import { standInPolicy } from "./stand_in_policy.ts";

Deno.test("standInPolicy: a flag decides without a question", async () => {
  const ask = () => fail("unexpected question");
  assertEquals(await standInPolicy("/nowhere", true, ask), "any");
  assertEquals(await standInPolicy("/nowhere", false, ask), "none");
  assertEquals(await standInPolicy("/nowhere", undefined, undefined), "base");
});

for (const answer of [true, false]) {
  Deno.test(`standInPolicy: prompts once and saves the answer in the data folder: ${answer}`, async () => {
    const dataDir = await Deno.makeTempDir({ prefix: "tiphys-stand-in-test-" });
    try {
      const questions: string[] = [];
      const ask = (image: string) => {
        questions.push(image);
        return answer;
      };
      const first = await standInPolicy(dataDir, undefined, ask);
      assert(typeof first === "function");
      assertEquals([first("a:1"), first("b:1")], [answer, answer]);
      // A later cluster, also one without a terminal.
      for (const later of [ask, undefined]) {
        const policy = await standInPolicy(dataDir, undefined, later);
        assert(typeof policy === "function");
        assertEquals(policy("c:1"), answer);
      }
      assertEquals(questions, ["a:1"]);
    } finally {
      await Deno.remove(dataDir, { recursive: true });
    }
  });
}
