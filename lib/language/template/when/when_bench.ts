/** The cost of a `when`: `deno task bench micro lib/language/template/when`. */
import { evaluateWhen } from "./when.ts";

Deno.bench("when: a comparison", () => void evaluateWhen("'heads' == 'tails'"));
Deno.bench("when: three comparisons and a list", () => {
  evaluateWhen("(Succeeded == Succeeded && 3 < 5) || staging in ('production', 'staging', 'test')");
});
Deno.bench("when: a pattern", () => void evaluateWhen("'release-1.2' =~ '^release-[0-9]+'"));
