/** A world for tests: files and output in memory, the embedded API as the cluster, pods that end immediately. */
import { type Clock, systemClock } from "@tiphys/base/clock";
import { ALLOW_ALL } from "@tiphys/base/net";
import { preflight, type PreflightOptions } from "@tiphys/installation/preflight";
import { takeoverOf } from "@tiphys/installation/takeover";
import { defaultConfig, silentLog, startController } from "../../controller/mod.ts";
import { type ApiServer, createApiServer } from "../../local/api/mod.ts";
import { ImageStore } from "../../local/image/image_store.ts";
import { configMapLimits, SyncLimits } from "@tiphys/storage/sync_limits";
import { type ArchiveService, ClusterService } from "@tiphys/service";
import type { ServerVersion } from "@tiphys/service/server";
import { ANNOTATION } from "@tiphys/base/constants";
import type { Pod } from "@tiphys/model/api";
import type { Running } from "../../local/mod.ts";
import { STOPPED } from "../../simulate/pod_end.ts";
import { FakeKubelet } from "../../simulate/testing/fake_kubelet.ts";
import { runCli } from "../program.ts";
import type { Interrupt, LocalClusterOptions, ServedPage, TerminalSize, World } from "../world.ts";

/** The end of a node's pod, and its log. */
export interface FakeEnd {
  /** The exit code of `main`; undefined for a pod that runs until it is stopped. */
  readonly exitCode: number | undefined;
  readonly log?: string;
}

/** Options of a fake world. */
export interface FakeWorldOptions {
  readonly files?: Readonly<Record<string, string | Uint8Array<ArrayBuffer>>>;
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Returns the end of a pod by the name of its node; by default, pods succeed. */
  readonly podEnds?: (nodeName: string) => FakeEnd | undefined;
  /** The folder of images; without it, commands about images fail. */
  readonly imageFolder?: string;
  /** The answer to every question; without it, the user cannot be prompted. */
  readonly confirms?: boolean;
  /** The size of the terminal; without it, the output is not a terminal. */
  readonly terminal?: TerminalSize;
  /** The current time; the real time by default. */
  readonly now?: Date;
}

const fakePage: ServedPage = {
  url: "http://127.0.0.1:2747/",
  link: (path = "") => Promise.resolve(`http://127.0.0.1:2747/${path}#ticket=of-a-test`),
};

/** A world that records the output, the questions and the effects of commands. */
export class FakeWorld implements World {
  readonly api: ApiServer = createApiServer({ storePath: ":memory:" });
  readonly client = this.api.client();
  readonly service = new ClusterService(this.client, () => this.now(), { reach: ALLOW_ALL });
  readonly #options: FakeWorldOptions;
  /** The authorization header of requests to its cluster. */
  authorization: string | undefined;
  readonly #interrupts = new Set<(signal: Interrupt) => void>();
  /** Receives everything that is written to the standard output. */
  onOut: (text: string) => void = () => {};
  output = "";
  errors = "";
  /** The number of running local clusters. */
  localClusters = 0;
  /** The options of the last local cluster. */
  localClusterOptions: LocalClusterOptions | undefined;
  /** The questions to the user, in order. */
  questions: string[] = [];
  /** The version that the server reports; undefined without a server. */
  serverVersion: ServerVersion | undefined;
  /** The archive of the cluster. */
  archive: ArchiveService | undefined;
  /** The data folder of its embedded cluster, if no process runs it. */
  idle: string | undefined;
  /** The process that already runs an embedded cluster. */
  joined: number | undefined;
  /** The default artifact repository that a running embedded cluster announces. */
  artifactRepository: object | undefined;
  /** Folders whose data was removed. */
  removed: string[] = [];
  /** The files that were written, by their paths. */
  readonly written = new Map<string, string>();
  /** Links that were opened in a browser. */
  opened: string[] = [];

  constructor(options: FakeWorldOptions = {}) {
    this.#options = options;
  }

  /** Runs a command line, and clears earlier output. */
  async run(...args: readonly string[]): Promise<number> {
    this.output = "";
    this.errors = "";
    return await runCli(args, this);
  }

  /** Simulates Ctrl-C. */
  interrupt(): void {
    for (const handler of this.#interrupts) handler("SIGINT");
  }

  eraseLines(count: number): void {
    this.output += `\x1b[${count}A\x1b[0J`;
  }

  out(text: string): void {
    this.output += text;
    this.onOut(text);
  }

  err(text: string): void {
    this.errors += text;
  }

  terminal() {
    return this.#options.terminal;
  }

  env(name: string): string | undefined {
    return this.#options.env?.[name];
  }

  /** The clock of waits. */
  clock: Clock = systemClock;

  now(): Date {
    return this.#options.now ?? new Date();
  }

  stdin(): Promise<string> {
    return Promise.resolve(this.#options.stdin ?? "");
  }

  async readFile(path: string): Promise<string> {
    return await new Response(await this.openFile(path)).text();
  }

  writeFile(path: string, text: string): Promise<void> {
    this.written.set(path, text);
    return Promise.resolve();
  }

  openFile(path: string): Promise<ReadableStream<Uint8Array>> {
    const content = path === "-" ? this.#options.stdin ?? "" : this.#options.files?.[path];
    if (content === undefined) return Promise.reject(new Deno.errors.NotFound(path));
    return Promise.resolve(new Blob([content]).stream());
  }

  canPrompt(): boolean {
    return this.#options.confirms !== undefined;
  }

  confirm(question: string): boolean {
    this.questions.push(question);
    return this.#options.confirms ?? false;
  }

  findEngine(): Promise<Running | undefined> {
    const running = { url: "https://127.0.0.1:6443", token: "secret", caCert: "an authority", pid: 42 };
    return Promise.resolve(this.localClusters > 0 ? running : undefined);
  }

  findPage(): Promise<ServedPage | undefined> {
    return Promise.resolve(this.localClusters > 0 ? fakePage : undefined);
  }

  openLink(link: string): Promise<boolean> {
    this.opened.push(link);
    return Promise.resolve(true);
  }

  removeData(dataDir: string): Promise<void> {
    this.removed.push(dataDir);
    return Promise.resolve();
  }

  imageStore(): Promise<ImageStore> {
    const folder = this.#options.imageFolder;
    if (folder === undefined) throw new Error("This fake world has no image folder");
    return Promise.resolve(new ImageStore({ folder }));
  }

  connect({ namespace = "default" }: { namespace?: string | undefined }) {
    const syncLimits = new SyncLimits({ CONFIGMAP: configMapLimits(this.client) });
    const { service, archive, serverVersion, artifactRepository, idle } = this;
    const ask = (options: PreflightOptions) => preflight(this.client, options);
    return Promise.resolve({
      service,
      syncLimits,
      archive,
      namespace,
      artifactRepository,
      idle,
      preflight: ask,
      takeover: () => Promise.resolve(takeoverOf(this.client)),
      authorization: () => Promise.resolve(this.authorization),
      ...(serverVersion ? { serverVersion: () => Promise.resolve(serverVersion) } : {}),
      close: () => {},
    });
  }

  async startLocalCluster(options: LocalClusterOptions) {
    this.localClusterOptions = options;
    const { engine } = defaultConfig({ executorImage: "argoexec" });
    const kubelet = await this.#startKubelet();
    const controller = await startController({ client: this.client, config: () => engine, log: silentLog });
    this.localClusters++;
    return {
      service: this.service,
      runtime: "fake",
      ...(options.joins && this.joined !== undefined ? { joined: this.joined, page: fakePage } : {}),
      ...(options.page ? { page: fakePage } : {}),
      close: async () => {
        await controller.close();
        kubelet[Symbol.dispose]();
        this.localClusters--;
      },
    };
  }

  async #startKubelet(): Promise<FakeKubelet> {
    const endOf = ({ metadata: { annotations } }: Pod): FakeEnd =>
      this.#options.podEnds?.(annotations?.[ANNOTATION.nodeName] ?? "") ?? { exitCode: 0 };
    const play = (pod: Pod) => {
      const { exitCode } = endOf(pod);
      return exitCode === undefined ? undefined : { main: { exitCode } };
    };
    const kubelet = new FakeKubelet({ client: this.client, play });
    this.api.useKubelet({
      logs(namespace, name) {
        const pod = kubelet.pod(`${namespace}/${name}`);
        return ReadableStream.from([new TextEncoder().encode((pod && endOf(pod).log) ?? "")]);
      },
      async exec(namespace, name) {
        await kubelet.end(`${namespace}/${name}`, STOPPED);
        return { stdout: "", stderr: "", exitCode: 0 };
      },
    });
    await kubelet.start();
    return kubelet;
  }

  onInterrupt(handler: (signal: Interrupt) => void): Disposable {
    this.#interrupts.add(handler);
    return { [Symbol.dispose]: () => void this.#interrupts.delete(handler) };
  }

  [Symbol.dispose](): void {
    this.api.close();
  }
}
