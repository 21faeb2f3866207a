/** Downloads Debian's Prometheus, starts it with one metrics endpoint as target, and queries it. */
import { hasProgram, outputOf, runCommand } from "../../scripts/command.ts";
import { awaitFact } from "../await_fact.ts";

const FOLDER = new URL("../../build/prometheus/", import.meta.url).pathname;

/** The paths of its programs: installed, or unpacked in `build/`; undefined if they cannot be downloaded. */
export async function prometheusPrograms(): Promise<{ prometheus: string; promtool: string } | undefined> {
  if (await hasProgram("prometheus") && await hasProgram("promtool")) {
    return { prometheus: "prometheus", promtool: "promtool" };
  }
  const programs = { prometheus: `${FOLDER}usr/bin/prometheus`, promtool: `${FOLDER}usr/bin/promtool` };
  if (await isThere(programs.prometheus)) return programs;
  if (!await hasProgram("apt-get") || !await hasProgram("dpkg")) return undefined;
  const work = await Deno.makeTempDir();
  try {
    await Deno.mkdir(FOLDER, { recursive: true });
    const fetched = await runCommand(["apt-get", "download", "prometheus"], { cwd: work });
    if (fetched.code !== 0) return undefined;
    // Only the programs: the package also has sources of a web page, which the checks of this repository would read.
    const unpack = `dpkg --fsys-tarfile ./*.deb | tar -x -C "$1" ./usr/bin`;
    await outputOf(["sh", "-c", unpack, "sh", FOLDER], { cwd: work });
    return programs;
  } finally {
    await Deno.remove(work, { recursive: true });
  }
}

/** A sample in the result of a query. */
export interface PromSample {
  readonly metric: Readonly<Record<string, string>>;
  /** Seconds since 1970, and the value as text. */
  readonly value: readonly [number, string];
}

/** The output of `promtool check metrics` for a page of metrics; empty if the page is valid. */
export async function problemsOf(promtool: string, page: string): Promise<string> {
  const { code, stdout, stderr } = await runCommand([promtool, "check", "metrics"], { input: page });
  // promtool exits with 3 for mere style problems, such as Argo's metric names that end in _count.
  return code === 0 || code === 3 ? "" : `${stdout}${stderr}`;
}

/** A Prometheus that scrapes one target each second. */
export class Prometheus implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;
  readonly #url: string;
  readonly #folder: string;

  private constructor(child: Deno.ChildProcess, url: string, folder: string) {
    this.#child = child;
    this.#url = url;
    this.#folder = folder;
  }

  /** Starts Prometheus. `target` is the URL of the metrics endpoint. Resolves after the first scrape. */
  static async start(program: string, target: string): Promise<Prometheus> {
    const folder = await Deno.makeTempDir();
    const { protocol, host, pathname } = new URL(target);
    const job = {
      job_name: "controller",
      scrape_interval: "1s",
      scheme: protocol.replace(":", ""),
      metrics_path: pathname,
      tls_config: { insecure_skip_verify: true },
      static_configs: [{ targets: [host] }],
    };
    await Deno.writeTextFile(`${folder}/prometheus.yml`, JSON.stringify({ scrape_configs: [job] }));
    const port = freePort();
    const child = new Deno.Command(program, {
      args: [
        `--config.file=${folder}/prometheus.yml`,
        `--storage.tsdb.path=${folder}/data`,
        `--web.listen-address=127.0.0.1:${port}`,
      ],
      stdout: "null",
      stderr: "null",
    }).spawn();
    const prometheus = new Prometheus(child, `http://127.0.0.1:${port}`, folder);
    await awaitFact("Prometheus has scraped its target", async () => {
      const [up] = await prometheus.query("up").catch(() => []);
      return up?.value[1] === "1";
    }, { seconds: 120 });
    return prometheus;
  }

  /** Runs a PromQL query. */
  async query(text: string): Promise<readonly PromSample[]> {
    const answer = await fetch(`${this.#url}/api/v1/query?query=${encodeURIComponent(text)}`);
    const { data } = await answer.json() as { data: { result: PromSample[] } };
    return data.result;
  }

  /** The type of each metric of the target, by name. */
  async types(): Promise<ReadonlyMap<string, string>> {
    const answer = await fetch(`${this.#url}/api/v1/targets/metadata`);
    const { data } = await answer.json() as { data: { metric: string; type: string }[] };
    return new Map(data.map(({ metric, type }) => [metric, type]));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill("SIGTERM");
    await this.#child.status;
    await Deno.remove(this.#folder, { recursive: true });
  }
}

function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return (listener.addr as Deno.NetAddr).port;
}

async function isThere(file: string): Promise<boolean> {
  return await Deno.stat(file).then(() => true, () => false);
}
