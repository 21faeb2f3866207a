/**
 * Takes pictures of every page and state of `states.ts`, of three installations, in both color schemes and three
 * widths. Writes them to `build/ui-pictures`.
 *
 *     deno task suite pictures                  all pictures
 *     deno task suite pictures small/run- 390   pictures whose names, SIZE/STATE-WIDTH-THEME.png, contain all of these
 * words
 */
import { findChromium, type Look, openPage, startBrowser } from "../browser.ts";
import { type Size, startInstallation } from "./installations.ts";
import { type State, STATES } from "./states.ts";

const PICTURES = new URL("../../../build/ui-pictures", import.meta.url).pathname;
const HEIGHTS = { 1440: 900, 1024: 768, 390: 844 } as const;
const SIZES: readonly Size[] = ["empty", "small", "huge"];
const THEMES = ["light", "dark"] as const;

const nameOf = (size: Size, state: State, look: Look) => `${size}/${state.name}-${look.width}-${look.theme}.png`;
const looks = Object.entries(HEIGHTS).flatMap(([width, height]) =>
  THEMES.map((theme): Look => ({ width: Number(width), height, theme }))
);
const isWanted = (name: string) => Deno.args.every((word) => name.includes(word));

const program = await findChromium();
if (program === undefined) throw new Error("Expected a Chromium on this machine, found none");
const browser = await startBrowser(program);
let taken = 0;
const failed: string[] = [];
for (const size of SIZES) {
  const states = STATES.filter((state) =>
    state.sizes.includes(size) && looks.some((look) => isWanted(nameOf(size, state, look)))
  );
  if (states.length === 0) continue;
  await Deno.mkdir(`${PICTURES}/${size}`, { recursive: true });
  await using feed = await startInstallation(size);
  for (const state of states) {
    for (const width of Object.keys(HEIGHTS).map(Number)) {
      const meant = looks.filter((look) => look.width === width && isWanted(nameOf(size, state, look)));
      if (meant.length === 0) continue;
      const opened = await openPage(browser, meant[0]);
      const { page, context } = opened;
      try {
        await opened.open(`${feed.url}${state.address}`);
        await state.act?.(opened, feed);
        for (const look of meant) {
          await page.emulateMedia({ colorScheme: look.theme, ...state.media });
          await opened.settled();
          await page.screenshot({ path: `${PICTURES}/${nameOf(size, state, look)}`, fullPage: state.isWhole ?? false });
          taken++;
        }
      } catch (error) {
        failed.push(`${size}/${state.name}-${width}: ${error instanceof Error ? error.message.slice(0, 300) : error}`);
        await page.screenshot({ path: `${PICTURES}/${nameOf(size, state, meant[0]!)}` }).catch(() => {});
      } finally {
        await context.close();
      }
    }
  }
}
await browser.close();
for (const fault of failed) console.log(`failed: ${fault}`);
console.log(`${taken} pictures in ${PICTURES}`);
Deno.exit(failed.length > 0 || taken === 0 ? 1 : 0);
