/**
 * Serves the page in front of Argo's own server, with its API, artifacts and archive, on an embedded cluster that runs
 * workflows.
 */
import type { Browser } from "playwright-core";
import { stringify } from "yaml";
import { FakeWorld } from "../../../cli/testing/fake_world.ts";
import type { ArtifactRepository, Workflow } from "@tiphys/model/api";
import { OpenArchive } from "@tiphys/storage/archive";
import { systemClock } from "@tiphys/base/clock";
import { SERVER_KINDS } from "../../../lib/storage/database/testing/servers.ts";
import { type KubeObject, SECRETS, WORKFLOWS } from "@tiphys/kube";
import { silentLog } from "@tiphys/base/log";
import { abortableFetch } from "@tiphys/base/net";
import { serveArtifacts } from "../../../local/embedded_artifacts.ts";
import { makePage } from "../../../server/page/page.ts";
import { ARGO_HOME, ARGO_PROGRAM, startArgoServer } from "../../argo_cli/argo_server.ts";
import { type JourneyPage, openPage } from "../browser.ts";
import { type Journey, play } from "../journey.ts";
import { journeyPage } from "./feed.ts";
import { type ArtifactFiles, withArtifacts } from "./stores.ts";

/** The namespace of runs on Argo's server. */
export const ARGO_NAMESPACE = "default";

/** A page in front of Argo's server. */
export interface ArgoScene extends JourneyPage {
  readonly world: FakeWorld;
  readonly browser: Browser;
  /** Without a slash at the end. */
  readonly address: string;
  /** The token of the administrator. */
  readonly token: string;
  /** Failed requests to Argo's server, such as `404 /api/…`. */
  readonly refused: readonly string[];
  submit(workflow: unknown): Promise<void>;
  /** Creates a run with artifacts. Requires `withArtifacts`. */
  runWithArtifacts(run: KubeObject, files: ArtifactFiles): Promise<void>;
  /** Archives a run. Requires `withArchive`. */
  archive(run: KubeObject): Promise<void>;
}

/** The configuration of the server. */
export interface ArgoOptions {
  /** Ends with a slash. */
  readonly baseHref?: string;
  readonly authMode?: "server" | "client";
  readonly withArchive?: boolean;
  readonly withArtifacts?: boolean;
}

const POSTGRESQL = SERVER_KINDS.find(({ name }) => name === "PostgreSQL")!;

/** Paths that are forwarded to Argo's server. */
const BEHIND =
  /^\/(api|artifacts|input-artifacts|artifacts-by-uid|input-artifacts-by-uid|artifact-files|upload-artifacts|oauth2)\//;

/** Serves the page, and forwards API requests to another server, like an ingress. */
function serveInFront(server: string, baseHref: string) {
  const left = new AbortController();
  const refused: string[] = [];
  const page = makePage({
    folder: journeyPage,
    baseHref,
    login: "token",
    modes: ["client"],
    xFrameOptions: "DENY",
  });
  const serving = Deno.serve(
    { hostname: "127.0.0.1", port: 0, signal: left.signal, onListen() {} },
    async (request) => {
      const { pathname, search } = new URL(request.url);
      if (!pathname.startsWith(baseHref)) return new Response(null, { status: 404 });
      const path = `/${pathname.slice(baseHref.length)}`;
      if (!BEHIND.test(path)) return await page(request, path) ?? new Response(null, { status: 405 });
      const { method, headers, body, signal } = request;
      const asked = { method, headers, body, signal, redirect: "manual" } as const;
      const response = await abortableFetch(`${server}${path}${search}`, asked)
        .catch(() => new Response(null, { status: 502 }));
      if (response.status >= 400) refused.push(`${response.status} ${path}`);
      const location = response.headers.get("location");
      if (location === null || baseHref === "/") return response;
      const behind = new Headers(response.headers);
      behind.set("location", baseHref + location.slice(1));
      return new Response(response.body, { status: response.status, headers: behind });
    },
  );
  return {
    address: `http://127.0.0.1:${serving.addr.port}${baseHref.slice(0, -1)}`,
    refused,
    async [Symbol.asyncDispose]() {
      left.abort();
      await serving.finished;
    },
  };
}

/** The exit codes of pods in these journeys, by node. */
function exitCodeOf(node: string) {
  if (node === "bad") return { exitCode: 1 };
  if (node === "slow") return { exitCode: undefined, log: "2026-01-01T00:00:00Z one\n2026-01-01T00:00:01Z two\n" };
  return { exitCode: 0 };
}

/** A journey with Argo's server. Skipped if the program is missing. */
export function withArgoServer(
  name: string,
  go: (scene: ArgoScene) => Promise<void>,
  { baseHref = "/", authMode = "server", withArchive = false, withArtifacts: hasStore = false }: ArgoOptions = {},
): Journey {
  const hasDatabase = POSTGRESQL.test("").ignore !== true;
  const missing = ARGO_PROGRAM === undefined
    ? "ARGO_CLI, Argo's program"
    : withArchive && !hasDatabase
    ? "Debian's package postgresql"
    : undefined;
  return {
    name,
    ...(missing === undefined ? {} : { missing }),
    async run(browser, picture) {
      await using parts = new AsyncDisposableStack();
      const world = parts.use(new FakeWorld({ podEnds: exitCodeOf }));
      const options = { dataDir: "", log: () => {}, verbose: false, onNotice: () => {} };
      const cluster = await world.startLocalCluster(options);
      parts.defer(() => cluster.close());
      const archive = withArchive ? parts.use(await openArchive(world)) : undefined;
      const repository = hasStore ? await openStore(world, parts) : undefined;
      const settings = {
        ...(archive ? { persistence: stringify(archive.settings) } : {}),
        ...(repository ? { artifactRepository: stringify(repository) } : {}),
      };
      const argo = parts.use(await startArgoServer(world.api, { authMode, settings }));
      const front = parts.use(serveInFront(argo.address, baseHref));
      const opened = await openPage(browser, undefined, { isClockFixed: false });
      await play(opened, picture, () =>
        go({
          ...opened,
          world,
          browser,
          address: front.address,
          token: argo.token,
          refused: front.refused,
          submit: async (workflow) => void await world.client.create(WORKFLOWS, ARGO_NAMESPACE, workflow as never),
          async runWithArtifacts(run, files) {
            if (!repository) throw new Error("Expected a journey withArtifacts");
            const whole = await withArtifacts(world.client, run, { files, repository });
            await world.client.create(WORKFLOWS, ARGO_NAMESPACE, whole);
          },
          async archive(run) {
            if (!archive) throw new Error("Expected a journey withArchive");
            await archive.put(run);
          },
        }));
    },
  };
}

/** Starts a database for the archive, and configures Argo's server to use it. */
async function openArchive({ client }: FakeWorld) {
  await using parts = new AsyncDisposableStack();
  const database = parts.use(await POSTGRESQL.start());
  const { settings: { postgresql }, secret } = database;
  const keys = ["user", "password"];
  const login = await Promise.all(keys.map(async (key) => [key, btoa(await secret("login", key))]));
  await client.create(
    SECRETS,
    ARGO_HOME,
    { apiVersion: "v1", kind: "Secret", metadata: { name: "login" }, data: Object.fromEntries(login) } as KubeObject,
  );
  const settings = {
    archive: true,
    clusterName: "default",
    postgresql: { ...postgresql, ssl: false, tableName: "argo_workflows" },
  };
  const archive = parts.use(await OpenArchive.open(settings as never, { clock: systemClock, log: silentLog, secret }));
  const all = parts.move();
  return {
    settings,
    put: (run: KubeObject) => archive.archive(run as unknown as Workflow),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

async function openStore({ api }: FakeWorld, parts: AsyncDisposableStack): Promise<ArtifactRepository> {
  const folder = await Deno.makeTempDir({ prefix: "tiphys-argo-store-" });
  parts.defer(() => Deno.remove(folder, { recursive: true }));
  return parts.use(await serveArtifacts(api, { dataDir: folder })).repository;
}
