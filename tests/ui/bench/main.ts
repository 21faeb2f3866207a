/**
 * Measures the page in Chromium against its budgets, and Argo's page if its files are given.
 *
 *     deno task bench ui                all scenes, the median of 3 rounds
 *     deno task bench ui --once graph   the graphs, once
 *     deno task bench ui --help
 *
 * Also prints the load of the machine: absolute values are only meaningful on an idle one.
 */
import type { Browser } from "playwright-core";
import { makePage } from "../../../server/page/page.ts";
import { pageFolder } from "../../../server/page/page_folder.ts";
import { percentile } from "../../bench/statistics.ts";
import { findChromium, startBrowser } from "../browser.ts";
import { isWanted, type Options, readOptions, SIZES } from "./options.ts";
import { type BenchServer, startBenchServer } from "./played/bench_server.ts";
import { pageFiles } from "./played/page_files.ts";
import { formatAll, type Line, linesOf, loadText, type Note, type Results, textOf } from "./report.ts";
import type { Figures, Scene } from "./scene.ts";
import { SCENES } from "./scenes/mod.ts";
import { sizesOf } from "./sizes.ts";
import { ARGO, type TestedPage, TIPHYS } from "./tested_page.ts";

interface Candidate {
  readonly tested: TestedPage;
  readonly server: BenchServer;
}

async function main(options: Options): Promise<boolean> {
  const program = await findChromium();
  if (program === undefined) {
    console.error("Chromium was not found: install the package chromium");
    return false;
  }
  // Standard output contains only the result if a program reads it.
  const print = options.output === "text" ? console.log : console.error;
  const load = Deno.loadavg();
  const lines: Line[] = [];
  const notes: Note[] = [];
  const argoFolder = Deno.env.get("ARGO_PAGE");
  const cache = await Deno.makeTempDir({ prefix: "tiphys-bench-ui-" });
  try {
    // Built before the scenes, so that no scene measures the bundling.
    const folder = await pageFolder(cache);
    if (isWanted(SIZES, options.names)) {
      const sizes = await sizeLines(folder);
      print(`${SIZES}\n${textOf(sizes, false)}\n`);
      lines.push(...sizes);
    }
    await using stack = new AsyncDisposableStack();
    const page = makePage({
      folder: () => Promise.resolve(folder),
      baseHref: "/",
      login: "token",
      xFrameOptions: "DENY",
    });
    const candidates: Candidate[] = [{
      tested: TIPHYS,
      server: stack.use(
        startBenchServer(async (request, pathname) =>
          await page(request, pathname) ?? new Response(null, { status: 405 })
        ),
      ),
    }];
    if (argoFolder) {
      const files = await pageFiles(argoFolder.replace(/\/$/, ""));
      candidates.push({ tested: ARGO, server: stack.use(startBenchServer((_, pathname) => files(pathname))) });
    }
    const browser = await startBrowser(program);
    stack.defer(() => browser.close());
    for (const scene of SCENES.filter(({ name }) => isWanted(name, options.names))) {
      print(scene.name);
      const [ours = {}, argos] = await measureScene(scene, { candidates, browser, options, notes });
      const found = linesOf(scene.name, ours, argos);
      lines.push(...found);
      print(textOf(found, candidates.length > 1));
      for (const { page, text } of notes.filter((note) => note.scene === scene.name)) print(`  ${page}: ${text}`);
      print("");
    }
  } finally {
    await Deno.remove(cache, { recursive: true });
  }
  const results: Results = {
    lines,
    notes,
    load,
    processors: navigator.hardwareConcurrency,
    withArgo: argoFolder !== undefined,
  };
  console.log(formatAll(results, options.output) ?? loadText(load, results.processors));
  return !notes.some(({ page, text }) => page === TIPHYS.name && text.startsWith(FAILED));
}

const FAILED = "the measurement failed: ";

interface Measuring {
  readonly candidates: readonly Candidate[];
  readonly browser: Browser;
  readonly options: Options;
  readonly notes: Note[];
}

/** Measures a scene with each page in turn, so that other load on the machine affects both alike. */
async function measureScene(
  scene: Scene,
  { candidates, browser, options, notes }: Measuring,
): Promise<(Figures | undefined)[]> {
  const all = candidates.map((): Figures[] => []);
  const isLeft = candidates.map(({ tested }) => tested === ARGO && scene.withoutArgo !== undefined);
  if (isLeft.includes(true)) notes.push({ scene: scene.name, page: ARGO.name, text: `– ${scene.withoutArgo}` });
  for (let round = 0; round < (scene.isLong ? 1 : options.rounds); round++) {
    for (const [index, { tested, server }] of candidates.entries()) {
      if (isLeft[index]) continue;
      try {
        const figures = await scene.measure({ browser, server, tested, isShort: options.isShort });
        all[index]!.push(figures);
        // A page that timed out is skipped in the following rounds.
        isLeft[index] = Object.values(figures).includes(Infinity);
      } catch (error) {
        notes.push({
          scene: scene.name,
          page: tested.name,
          text: `${FAILED}${(error as Error).message.split("\n")[0]}`,
        });
        isLeft[index] = true;
      }
    }
  }
  return all.map((figures) => figures.length > 0 ? medians(figures) : undefined);
}

function medians(all: readonly Figures[]): Figures {
  const names = [...new Set(all.flatMap((figures) => Object.keys(figures)))];
  return Object.fromEntries(names.map((name) => {
    const values = all.flatMap((figures) => name in figures ? [figures[name]!] : []);
    return [name, values.includes(Infinity) ? Infinity : percentile(values, 50)!];
  }));
}

async function sizeLines(folder: string): Promise<Line[]> {
  return (await sizesOf(folder)).map(({ what, bytes, budget }) => ({
    id: "B-01",
    scene: SIZES,
    what,
    unit: "KB",
    bound: `≤ ${(budget / 1024).toLocaleString("en")}`,
    isWithinBudget: bytes <= budget,
    ours: bytes / 1024,
    argos: undefined,
  }));
}

const read = readOptions(Deno.args);
if ("help" in read) console.log(read.help);
else if ("fault" in read) {
  console.error(`${read.fault}\n\nRun deno task bench ui --help for the options`);
  Deno.exit(1);
} else if (!await main(read)) Deno.exit(1);
