/** The images of an engine. The engine pulls them itself, with its own mirrors and proxies. */
import { z } from "zod";
import { fieldsOf, textsIn } from "@tiphys/base/fields_of";
import { fieldsOfJson } from "@tiphys/base/fields_of_json";
import { type Credentials, credentialsFor, type DockerConfig } from "@tiphys/registry/credentials";
import type { ImageStore } from "../../../image/image_store.ts";
import { progressNotices } from "../../../image/progress_notices.ts";
import { PullBackoff, pullKey } from "../../../image/pull_backoff.ts";
import { canonicalName, familiarName, type ImageReference, parseReference } from "@tiphys/registry/reference";
import { type ImageConfig, ImageError } from "@tiphys/registry/image_error";
import type { ImagePull } from "../runtime.ts";
import { type EngineClient, EngineRefusal } from "./engine_client.ts";

const Words = z.array(z.string()).nullish();

const InspectedImage = z.object({
  Config: z.object({
    Entrypoint: Words,
    Cmd: Words,
    Env: Words,
    WorkingDir: z.string().optional(),
    User: z.string().optional(),
  }).nullish(),
});
type InspectedImage = z.infer<typeof InspectedImage>;

export interface EngineImagesOptions {
  readonly engine: EngineClient;
  readonly dockerConfig: DockerConfig;
  /** Called with the progress of a pull. */
  readonly onNotice: (text: string) => void;
}

export class EngineImages {
  readonly #engine: EngineClient;
  readonly #dockerConfig: DockerConfig;
  readonly #onNotice: (text: string) => void;
  readonly #notified = new Set<string>();
  readonly #backoff = new PullBackoff();

  constructor({ engine, dockerConfig, onNotice }: EngineImagesOptions) {
    this.#engine = engine;
    this.#dockerConfig = dockerConfig;
    this.#onNotice = onNotice;
  }

  /**
   * Makes sure that the engine has an image. If an update cannot be checked, the present image is used with one notice:
   * it may have been built locally, or the network may be unavailable.
   * @throws {ImageError}
   */
  async pull(name: string, { policy = "IfNotPresent", secrets = [] }: ImagePull = {}): Promise<ImageConfig> {
    const reference = parseReference(name);
    const present = await this.#find(reference);
    if (present && (policy !== "Always" || reference.digest !== undefined)) return configOf(present);
    if (policy === "Never") {
      const text = `Container image ${JSON.stringify(name)} is not present with pull policy of Never`;
      throw new ImageError("ErrImageNeverPull", text);
    }
    try {
      const logins = secrets as readonly DockerConfig[];
      await this.#backoff.run(pullKey(canonicalName(reference), logins), () => this.#fetch(reference, logins));
    } catch (error) {
      if (!present || !(error instanceof ImageError)) throw error;
      this.#notifyOnce(name, `Using the local image ${name}: ${error.message}`);
      return configOf(present);
    }
    const pulled = await this.#find(reference);
    if (!pulled) throw new ImageError("ErrImagePull", `${name} was pulled, but the engine does not find it`);
    return configOf(pulled);
  }

  /** Copies an image of the engine into an image store. */
  async copyTo(store: ImageStore, name: string): Promise<void> {
    const full = canonicalName(parseReference(name));
    await store.load(await this.#engine.stream("GET", `/images/${full}/get`), full);
  }

  /** Makes sure that the engine has an empty image of this name. */
  async ensureEmpty(name: string): Promise<void> {
    if (await this.#find(parseReference(name))) return;
    const { registry, repository, tag } = parseReference(name);
    await this.#engine.send("POST", "/images/create", {
      query: { fromSrc: "-", repo: `${registry}/${repository}`, tag },
      headers: { "content-type": "application/x-tar" },
      body: new Uint8Array(1024),
    });
  }

  #notifyOnce(name: string, text: string): void {
    if (!this.#notified.has(name)) this.#onNotice(text);
    this.#notified.add(name);
  }

  async #find(reference: ImageReference): Promise<InspectedImage | undefined> {
    try {
      return await this.#engine.json("GET", `/images/${canonicalName(reference)}/json`, InspectedImage);
    } catch (error) {
      if (error instanceof EngineRefusal && error.status === 404) return undefined;
      throw error;
    }
  }

  async #fetch(reference: ImageReference, secrets: readonly DockerConfig[]): Promise<void> {
    const { registry, repository, tag, digest } = reference;
    const credentials = await this.#credentialsFor(registry, secrets);
    const failed = (reason: string) =>
      new ImageError("ErrImagePull", `failed to pull image ${JSON.stringify(canonicalName(reference))}: ${reason}`);
    const tell = progressNotices(this.#onNotice);
    const image = familiarName(reference);
    const layers = new Map<string, { current: number; total: number }>();
    try {
      const lines = await this.#engine.stream("POST", "/images/create", {
        query: { fromImage: `${registry}/${repository}`, tag: digest ?? tag },
        headers: credentials ? { "x-registry-auth": authHeader(credentials, registry) } : {},
      });
      for await (const line of linesOf(lines)) {
        const fields = fieldsOfJson(line);
        const { id, error } = textsIn(fields, ["id", "error"]);
        if (error !== undefined) throw failed(error);
        const { current, total } = fieldsOf(fields.progressDetail);
        if (id === undefined || typeof current !== "number" || typeof total !== "number") continue;
        layers.set(id, { current, total });
        const sum = (part: "current" | "total") =>
          [...layers.values()].reduce((bytes, layer) => bytes + layer[part], 0);
        tell({ image, done: sum("current"), total: sum("total") });
      }
    } catch (error) {
      if (error instanceof EngineRefusal) throw failed(error.message);
      throw error;
    }
  }

  async #credentialsFor(registry: string, secrets: readonly DockerConfig[]): Promise<Credentials | undefined> {
    for (const config of [...secrets, this.#dockerConfig]) {
      const found = await credentialsFor(registry, config);
      if (found) return found;
    }
    return undefined;
  }
}

function configOf({ Config }: InspectedImage): ImageConfig {
  const env = (Config?.Env ?? []).map((pair) => {
    const equals = pair.indexOf("=");
    return [pair.slice(0, equals), pair.slice(equals + 1)] as const;
  });
  return {
    entrypoint: Config?.Entrypoint ?? [],
    cmd: Config?.Cmd ?? [],
    env: new Map(env),
    workingDir: Config?.WorkingDir || "/",
    user: Config?.User ?? "",
  };
}

function authHeader(credentials: Credentials, registry: string): string {
  const { kind, ...rest } = credentials;
  const secret = kind === "password" ? rest : { identitytoken: credentials.token };
  const text = JSON.stringify({ ...secret, serveraddress: registry });
  return new TextEncoder().encode(text).toBase64({ alphabet: "base64url" });
}

/** The lines of a pull's response, which has one JSON object per line. */
async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let rest = "";
  for await (const text of stream.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split("\n");
    rest = lines.pop()!;
    yield* lines;
  }
  yield rest;
}
