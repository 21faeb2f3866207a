/**
 * `deno task bench artifacts`: measures what moving artifacts costs our executor, and Argo's if its path is given.
 *
 * - `contents.ts`: one large file, or many small ones; `pod_stage.ts`: runs an executor's `init` and `wait` as in a pod
 * - `api_stand_in.ts`: accepts their reports; `report.ts`: formats the measurements as a table
 *
 * The store is versitygw, as in `deno task suite artifacts`. Docs: docs/performance.md. Requires root.
 */
import { parseArgs } from "node:util";
import { executorFolder } from "../../../local/executor_folder.ts";
import { contractSecrets, settingsAt, versitygw } from "../../artifacts/servers/s3.ts";
import { serveReports } from "./api_stand_in.ts";
import { type Content, makeContent, nameOf, parseContent, QUICK, WHOLE } from "./contents.ts";
import { type Contender, type DriverEnvironment, type Move, moveArtifact } from "./pod_stage.ts";
import { tableOf, type TransferSample } from "./report.ts";

const USAGE = `Usage: deno task bench artifacts [OPTIONS]
  --quick          measure a tenth of each content once
  --runs N         number of measurements (default: 3)
  --content WHAT   big:BYTES or many:FILES, such as big:5e9; may be repeated (default: one of each)
  --packing WHAT   none, tar or zstd (default: none and tar); Argo's executor does not support zstd
  --peer FILE      path of another argoexec, measured in turns with ours
  --json FILE      write all measurements to FILE`;

const OPTIONS = {
  "quick": { type: "boolean", default: false },
  "runs": { type: "string" },
  "content": { type: "string", multiple: true, default: [] as string[] },
  "packing": { type: "string" },
  "peer": { type: "string" },
  "json": { type: "string" },
  "help": { type: "boolean", default: false },
} as const;

const PACKINGS = ["none", "tar", "zstd"] as const;

async function main(args: string[]): Promise<void> {
  const { values: flags } = parseArgs({ args, options: OPTIONS });
  if (flags.help) return console.log(USAGE);
  const wanted = flags.content.map(parseContent);
  const contents = wanted.length > 0 ? wanted : flags.quick ? QUICK : WHOLE;
  const packings = PACKINGS.filter((packing) => packing === (flags.packing ?? (packing === "zstd" ? "" : packing)));
  if (packings.length === 0) {
    throw new Error(`expected none, tar or zstd for --packing, got ${JSON.stringify(flags.packing)}`);
  }
  const runs = Number(flags.runs ?? (flags.quick ? 1 : 3));
  const folder = await Deno.makeTempDir({ prefix: "tiphys-bench-artifacts-" });
  try {
    await using api = await serveReports(folder);
    await using store = await versitygw.start();
    const port = store.subjects[0]!.port!;
    const around: DriverEnvironment = { api, store: settingsAt(port), secrets: contractSecrets(), folder };
    const measured = await measureAll(await listContenders(folder, flags.peer), around, { contents, packings, runs });
    if (flags.json) await Deno.writeTextFile(flags.json, JSON.stringify(measured, null, 2));
    console.log(tableOf(measured));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function listContenders(folder: string, peer: string | undefined): Promise<Contender[]> {
  const own = { name: "ours", folder: await executorFolder(`${folder}/cache`), command: "/argo-bin/bin/argoexec" };
  if (peer === undefined) {
    console.log("Argo's executor is not measured: pass the path of its argoexec with --peer");
    return [own];
  }
  const place = `${folder}/peer`;
  await Deno.mkdir(`${place}/bin`, { recursive: true });
  await Deno.copyFile(peer, `${place}/bin/argoexec`);
  await Deno.chmod(`${place}/bin/argoexec`, 0o755);
  // Argo's `init` copies its own program from this path.
  return [own, { name: "peer", folder: place, command: "/argo-bin/bin/argoexec" }];
}

async function measureAll(
  contenders: readonly Contender[],
  around: DriverEnvironment,
  { contents, packings, runs }: {
    readonly contents: readonly Content[];
    readonly packings: readonly Move["packing"][];
    readonly runs: number;
  },
): Promise<TransferSample[]> {
  const measured: TransferSample[] = [];
  const measure = async (subject: string, contender: Contender, move: Move) => {
    const cost = await moveArtifact(contender, around, move);
    console.log(
      `${subject}, ${move.direction}, ${move.packing}, ${contender.name}: ${cost.wallSeconds.toFixed(1)} s, ` +
        `${cost.cpuSeconds.toFixed(2)} CPU s, ${cost.peakMegabytes.toFixed(0)} MB`,
    );
    measured.push({ what: subject, direction: move.direction, packing: move.packing, contender: contender.name, cost });
  };
  for (let run = 0; run < runs; run++) {
    for (const contender of contenders) {
      for (const direction of ["save", "load"] as const) {
        await measure("no artifact", contender, { direction, packing: "none" });
      }
    }
  }
  for (const content of contents) {
    const from = `${around.folder}/content`;
    await makeContent(content, from);
    for (const packing of packings) {
      for (let run = 0; run < runs; run++) {
        for (const contender of contenders) {
          const key = `${contender.name}/${content.kind}/${packing}/${run}`;
          await measure(nameOf(content), contender, { direction: "save", packing, key, content, from });
          await measure(nameOf(content), contender, { direction: "load", packing, key, content });
          if (packing !== "none") continue;
          await measure(`${nameOf(content)} again`, contender, { direction: "save", packing, key, content, from });
        }
      }
    }
    await Deno.remove(from, { recursive: true });
  }
  return measured;
}

await main(Deno.args);
