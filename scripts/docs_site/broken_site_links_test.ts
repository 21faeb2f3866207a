/** Links of built pages. */
import { assertEquals } from "@std/assert";
import { brokenSiteLinks } from "./broken_site_links.ts";

Deno.test("brokenSiteLinks: reports links without a file or an element, and ignores other sites and versions", async () => {
  const folder = await Deno.makeTempDir({ prefix: "tiphys-links-test-" });
  try {
    await Deno.mkdir(`${folder}/a`);
    const links = ["../b.html#there", "../b.html#gone", "../c.html", "/x/a/", "https://a.example/", "/old/", "#here"];
    const html = `<p id="here"></p>${links.map((link) => `<a href="${link}">x</a>`).join("")}`;
    await Deno.writeTextFile(`${folder}/a/index.html`, html);
    await Deno.writeTextFile(`${folder}/b.html`, '<p id="there"></p><img src="/x/gone.png">');
    assertEquals((await brokenSiteLinks(folder, "/x/")).sort(), [
      "a/index.html: ../b.html#gone: no element with this ID",
      "a/index.html: ../c.html",
      "b.html: /x/gone.png",
    ]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
