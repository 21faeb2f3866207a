/** B-12: the palette, with 10,000 runs on the server. */
import { NAMESPACES } from "../played/run_lists.ts";
import { awaitFirstDrawn, awaitSettled, goTo, type Scene, withPage } from "../scene.ts";

const WANTED = "etl-77";

export const PALETTE: Scene = {
  name: "palette",
  about: "search of one of 10,000 runs with the palette",
  withoutArgo: "it has no palette",
  measure: (bench) =>
    withPage(bench, async (open) => {
      const { page } = open;
      await goTo(open, bench.tested.listOf(NAMESPACES.quiet));
      await awaitFirstDrawn(open, "row");
      await awaitSettled(open);
      await page.keyboard.press("Control+k");
      await page.waitForSelector("#palette-list");
      await page.keyboard.type(WANTED.slice(0, -1));
      await awaitSettled(open);
      await page.evaluate(UNTIL_FOUND);
      await page.keyboard.type(WANTED.at(-1)!);
      return { "from key press to a found run of 10,000": await page.evaluate<number>("found") };
    }),
};

/** The time between a key press and the frame in which all found runs match the input. */
const UNTIL_FOUND = `void (globalThis.found = new Promise((resolve) => {
  let pressed;
  addEventListener("keydown", ({ timeStamp }) => pressed = timeStamp, { capture: true, once: true });
  const observer = new MutationObserver(() => {
    const runs = [...document.querySelectorAll("#palette-list li")].filter(({ textContent }) => textContent.includes(" / "));
    if (runs.length === 0 || !runs.every(({ textContent }) => textContent.includes("${WANTED}"))) return;
    observer.disconnect();
    notes.afterFrame((now) => resolve(now - pressed));
  });
  observer.observe(document.querySelector("#palette-list"), { subtree: true, childList: true, characterData: true });
}))`;
