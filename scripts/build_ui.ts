/**
 * Creates the page's files in `build/ui/`, for programs without sources.
 *
 *     deno run -A scripts/build_ui.ts
 */
import { bundlePage } from "../server/page/bundle_page.ts";

if (import.meta.main) {
  const root = new URL("..", import.meta.url).pathname;
  const folder = `${root}build/ui`;
  await bundlePage(root, folder, { withBrotli: true });
  for await (const { name } of Deno.readDir(`${folder}/assets`)) {
    if (!name.endsWith(".gz")) continue;
    const { size } = await Deno.stat(`${folder}/assets/${name}`);
    console.log(`${(size / 1024).toFixed(1).padStart(7)} KB  ${name}`);
  }
}
