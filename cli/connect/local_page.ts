/** The page of the embedded cluster: served by the same process, and found by other commands of the same user. */
import { fieldsOf } from "@tiphys/base/fields_of";
import { lineLog } from "@tiphys/base/log";
import type { Transport } from "@tiphys/kube";
import type { OffloadedNodes } from "@tiphys/model/nodes";
import { findRunning } from "../../local/mod.ts";
import { CommandError } from "../command_error.ts";
import type { PagePort, ServedPage } from "../world.ts";

/** The cluster and the folders that a page needs. */
export interface LocalPageStart extends PagePort {
  readonly dataDir: string;
  readonly cacheDir: string;
  readonly transport: Transport;
  readonly offloaded: OffloadedNodes;
  readonly instanceId: string | undefined;
  /** The embedded store's `HOST:PORT`. */
  readonly store: string | undefined;
  readonly log: (line: string) => void;
}

/** A page that this process serves. */
export interface LocalPageRunning extends ServedPage {
  close(): Promise<void>;
}

/** The port that is tried first. A stable port keeps the page's preferences, which browsers store by address. */
const DEFAULT_PORT = 2747;

/**
 * Serves the page, and writes its address and key to a file in the data folder that only this user can read.
 * @throws {CommandError} if another program listens on the requested port.
 */
export async function startLocalPage(
  { port, dataDir, cacheDir, transport, offloaded, instanceId, store, log }: LocalPageStart,
): Promise<LocalPageRunning> {
  const { serveLocalPage } = await import("../../server/mod.ts");
  const ports = port === undefined ? [DEFAULT_PORT, 0] : [port];
  const pageLog = lineLog({ level: "error", format: "text", write: log });
  const page = await serveLocalPage({ transport, cacheDir, ports, offloaded, instanceId, store, log: pageLog }).catch(
    (error) => {
      if (!(error instanceof Deno.errors.AddrInUse)) throw error;
      throw new CommandError(`Another program listens on port ${port}: set another port with --ui-port, or unset it`);
    },
  );
  const file = fileOf(dataDir);
  await Deno.remove(file).catch(ignoreAbsent);
  await Deno.writeTextFile(file, JSON.stringify({ url: page.url, key: page.key }), { mode: 0o600, createNew: true });
  return {
    url: page.url,
    link: (path) => Promise.resolve(page.link(path)),
    async close() {
      await Deno.remove(file).catch(ignoreAbsent);
      await page.close();
    },
  };
}

/** Finds the page of the cluster that uses a data folder. Links are requested with the key in the data folder. */
export async function findPage(dataDir: string): Promise<ServedPage | undefined> {
  if (!await findRunning(dataDir)) return undefined;
  const text = await Deno.readTextFile(fileOf(dataDir)).catch(ignoreAbsent);
  if (text === undefined) return undefined;
  const { url, key } = fieldsOf(JSON.parse(text));
  if (typeof url !== "string" || typeof key !== "string") {
    throw new CommandError(`${fileOf(dataDir)} is invalid: restart the cluster`);
  }
  const { TICKETS_PATH } = await import("../../server/mod.ts");
  return {
    url,
    async link(path = "") {
      const answer = await fetch(new URL(TICKETS_PATH, url), {
        method: "POST",
        headers: { authorization: `Bearer ${key}` },
      });
      if (!answer.ok) {
        await answer.body?.cancel();
        throw new CommandError(`The page at ${url} did not issue a ticket: status ${answer.status}`);
      }
      const { ticket } = fieldsOf(await answer.json());
      if (typeof ticket !== "string") {
        throw new CommandError(`The page at ${url} did not issue a ticket: unexpected response`);
      }
      return `${url}${path}#ticket=${ticket}`;
    },
  };
}

function fileOf(dataDir: string): string {
  return `${dataDir}/page.json`;
}

function ignoreAbsent(error: unknown): undefined {
  if (!(error instanceof Deno.errors.NotFound)) throw error;
  return undefined;
}
