/** The list of pages for language models. */
import { assertStringIncludes } from "@std/assert";
import { llmsText } from "./gen_llms.ts";

Deno.test("llms.txt: each section of the start page is a list of pages of the site, with their descriptions", () => {
  const text = llmsText(
    "# Documentation\n\n## How-to\n\nStart:\n\n- [use\n  secrets](how-to/secrets.md), [stores](artifacts/README.md): one\n  page each\n- [Lint](x.md)\n",
  );
  assertStringIncludes(
    text,
    "## How-to\n\n- [Use secrets](how-to/secrets.html)\n- [Stores](artifacts/index.html): one page each\n- [Lint](x.html)\n",
  );
});
