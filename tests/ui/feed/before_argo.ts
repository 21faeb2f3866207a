/** Argo's own server behind the page: its API, its artifacts and its archive, over an embedded cluster that works runs. */
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

/** The namespace of runs before Argo's server. */
export const ARGO_NAMESPACE = "default";

/** The page before Argo's server. */
export interface ArgoScene extends JourneyPage {
  readonly world: FakeWorld;
  readonly browser: Browser;
  /** Without a slash at the end. */
  readonly address: string;
  /** The token of the administrator. */
  readonly token: string;
  /** Requests that Argo's server refused, as `404 /api/…`. */
  readonly refused: readonly string[];
  submit(workflow: unknown): Promise<void>;
  /** Puts a run with artifacts into the cluster, where there is a store. */
  runWithArtifacts(run: KubeObject, files: ArtifactFiles): Promise<void>;
  /** Puts a run into the archive, where there is one. */
  archive(run: KubeObject): Promise<void>;
}

/** What stands behind the server, and before it. */
export interface ArgoOptions {
  /** Ends with a slash. */
  readonly baseHref?: string;
  readonly authMode?: "server" | "client";
  readonly withArchive?: boolean;
  readonly withArtifacts?: boolean;
}

const POSTGRESQL = SERVER_KINDS.find(({ name }) => name === "PostgreSQL")!;

/** The paths that the page's own server does not answer itself. */
const BEHIND =
  /^\/(api|artifacts|input-artifacts|artifacts-by-uid|input-artifacts-by-uid|artifact-files|upload-artifacts|oauth2)\//;

/** Serves the page, and hands everything of the API to another server, as an ingress would. */
function serveBefore(server: string, baseHref: string) {
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

/** The ends of pods in these journeys, by their nodes. */
function endOf(node: string) {
  if (node === "bad") return { exitCode: 1 };
  if (node === "slow") return { exitCode: undefined, log: "2026-01-01T00:00:00Z one\n2026-01-01T00:00:01Z two\n" };
  return { exitCode: 0 };
}

/** A journey before Argo's server, where a machine has its program. */
export function beforeArgo(
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
      const world = parts.use(new FakeWorld({ podEnds: endOf }));
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
      const front = parts.use(serveBefore(argo.address, baseHref));
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

/** A database for the archive, which Argo's server is told of. */
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
