/** Files of every container of a pod in addition to its volumes: host names, and the service account's token. */

import type { Pod } from "@tiphys/model/api";
import { PATH } from "@tiphys/base/constants";
import { giveToRoot, type RootId } from "./belonging.ts";
import type { Lookup } from "./lookup.ts";
import type { Mount } from "../runtime/runtime.ts";

/** Writes the files below `folder`. */
export async function preparePodFiles(
  pod: Pod,
  folder: string,
  world: {
    readonly lookup: Lookup;
    readonly caCert: string | undefined;
    readonly podIP: string;
    /** The owner of the files. */
    readonly rootId?: RootId;
  },
): Promise<Mount[]> {
  await Deno.mkdir(folder, { recursive: true });
  const mounts: Mount[] = [];
  const add = async (target: string, text: string) => {
    const source = `${folder}/${target.split("/").at(-1)}`;
    await Deno.writeTextFile(source, text);
    await Deno.chmod(source, 0o644);
    giveToRoot(source, world.rootId);
    mounts.push({ source, target, readOnly: false });
  };
  if (await exists("/etc/hosts")) await add("/etc/hosts", hostsFile(pod, world.podIP));
  const resolver = await Deno.readTextFile("/etc/resolv.conf").catch(() => undefined);
  if (resolver !== undefined) await add("/etc/resolv.conf", resolver);
  if (pod.spec.automountServiceAccountToken !== false) {
    mounts.push({ source: await serviceAccount(pod, folder, world), target: PATH.serviceAccount, readOnly: true });
  }
  return mounts;
}

function hostsFile({ metadata, spec }: Pod, podIP: string): string {
  const aliases = (spec.hostAliases ?? []).map(({ ip, hostnames = [] }) => `${ip}\t${hostnames.join("\t")}`);
  return ["127.0.0.1\tlocalhost", "::1\tlocalhost", `${podIP}\t${spec.hostname ?? metadata.name}`, ...aliases, ""].join(
    "\n",
  );
}

async function serviceAccount(
  pod: Pod,
  folder: string,
  { lookup, caCert, rootId }: {
    readonly lookup: Lookup;
    readonly caCert: string | undefined;
    readonly rootId?: RootId;
  },
): Promise<string> {
  const { namespace = "", name = "", uid = "" } = pod.metadata;
  const token = await lookup.token({
    namespace,
    serviceAccount: pod.spec.serviceAccountName ?? "default",
    pod: { name, uid },
  });
  const path = `${folder}/serviceaccount`;
  await Deno.mkdir(path, { recursive: true });
  await Deno.chmod(path, 0o755);
  giveToRoot(path, rootId);
  for (const [file, text] of Object.entries({ token, namespace, "ca.crt": caCert ?? "" })) {
    await Deno.writeTextFile(`${path}/${file}`, text);
    await Deno.chmod(`${path}/${file}`, 0o644);
    giveToRoot(`${path}/${file}`, rootId);
  }
  return path;
}

async function exists(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}
