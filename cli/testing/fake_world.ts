/** A world for tests: files and output in memory, the embedded API as the cluster, pods that end at once. */
import { defaultConfig, silentLog, startController } from "../../controller/mod.ts";
import { type ApiServer, createApiServer } from "../../local/api/mod.ts";
import { ImageStore } from "../../local/image/image_store.ts";
import type { Running } from "../../local/mod.ts";
import { runCli } from "../program.ts";
import type { EngineOptions, World } from "../world.ts";
import { type PodEnd, startFakeKubelet } from "./fake_kubelet.ts";

/** What a test prepares. */
export interface FakeWorldOptions {
  readonly files?: Readonly<Record<string, string | Uint8Array<ArrayBuffer>>>;
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** How a pod ends, by its node's name; it succeeds otherwise. */
  readonly podEnds?: (nodeName: string) => PodEnd | undefined;
  /** Where images are kept; without it there are none. */
  readonly imageFolder?: string;
  /** What a person says when asked. */
  readonly confirms?: boolean;
  /** The moment that commands take for now; the real one otherwise. */
  readonly now?: Date;
}

/** A world, and what was said in it. */
export class FakeWorld implements World {
  readonly api: ApiServer = createApiServer({ storePath: ":memory:" });
  readonly client = this.api.client();
  readonly #options: FakeWorldOptions;
  readonly #interrupts = new Set<() => void>();
  /** Called with everything that is written to the standard output. */
  onOut: (text: string) => void = () => {};
  output = "";
  errors = "";
  /** How many engines run. */
  engines = 0;
  /** How the last engine was asked for. */
  engineOptions: EngineOptions | undefined;
  /** What people were asked. */
  questions: string[] = [];
  /** Folders whose data was removed. */
  removed: string[] = [];

  constructor(options: FakeWorldOptions = {}) {
    this.#options = options;
  }

  /** Runs a command line; what it wrote before is forgotten. */
  async run(...args: readonly string[]): Promise<number> {
    this.output = "";
    this.errors = "";
    return await runCli(args, this);
  }

  /** What a person does by Ctrl-C. */
  interrupt(): void {
    for (const handler of this.#interrupts) handler();
  }

  out(text: string): void {
    this.output += text;
    this.onOut(text);
  }

  err(text: string): void {
    this.errors += text;
  }

  terminal() {
    return undefined;
  }

  env(name: string): string | undefined {
    return this.#options.env?.[name];
  }

  now(): Date {
    return this.#options.now ?? new Date();
  }

  stdin(): Promise<string> {
    return Promise.resolve(this.#options.stdin ?? "");
  }

  async readFile(path: string): Promise<string> {
    return await new Response(await this.openFile(path)).text();
  }

  openFile(path: string): Promise<ReadableStream<Uint8Array>> {
    const content = path === "-" ? this.#options.stdin ?? "" : this.#options.files?.[path];
    if (content === undefined) return Promise.reject(new Deno.errors.NotFound(path));
    return Promise.resolve(new Blob([content]).stream());
  }

  confirm(question: string): boolean {
    this.questions.push(question);
    return this.#options.confirms ?? false;
  }

  findEngine(): Promise<Running | undefined> {
    const running = { url: "https://127.0.0.1:6443", token: "secret", caCert: "an authority", pid: 42 };
    return Promise.resolve(this.engines > 0 ? running : undefined);
  }

  removeData(dataDir: string): Promise<void> {
    this.removed.push(dataDir);
    return Promise.resolve();
  }

  imageStore(): Promise<ImageStore> {
    const folder = this.#options.imageFolder;
    if (folder === undefined) throw new Error("This world was made without images");
    return Promise.resolve(new ImageStore({ folder }));
  }

  connect({ namespace = "default" }: { namespace?: string | undefined }) {
    return Promise.resolve({ client: this.client, namespace, close: () => {} });
  }

  async startEngine(options: EngineOptions) {
    this.engineOptions = options;
    const { engine } = defaultConfig({ executorImage: "argoexec" });
    const kubelet = await startFakeKubelet(this.api, this.#options.podEnds ?? (() => undefined));
    const controller = await startController({ client: this.client, config: () => engine, log: silentLog });
    this.engines++;
    return {
      client: this.client,
      runtime: "fake",
      close: async () => {
        await controller.close();
        kubelet.close();
        this.engines--;
      },
    };
  }

  onInterrupt(handler: () => void): Disposable {
    this.#interrupts.add(handler);
    return { [Symbol.dispose]: () => void this.#interrupts.delete(handler) };
  }

  [Symbol.dispose](): void {
    this.api.close();
  }
}
