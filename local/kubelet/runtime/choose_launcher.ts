/** Finds out by trying which launcher this machine allows. */

import { bubblewrapLauncher } from "./bubblewrap.ts";
import type { Argv, Launcher } from "./launcher.ts";
import { removeTree } from "./remove_tree.ts";
import { RuntimeUnavailable } from "./runtime.ts";
import { unshareLauncher } from "./unshare.ts";

/** One launcher and the smallest command that shows whether it would work. */
interface Candidate {
  readonly launcher: Launcher;
  readonly trial: Argv;
}

/**
 * The first launcher whose trial succeeds, best first; the trials leave nothing in `folder`.
 * Throws RuntimeUnavailable with each one's complaint.
 */
export async function chooseLauncher(folder: string): Promise<Launcher> {
  if (Deno.build.os !== "linux") {
    throw new RuntimeUnavailable(
      `Could not run containers: the host back end needs Linux namespaces, and this is ${Deno.build.os}. ` +
        "Use a Linux machine or virtual machine, or a cluster (tiphys submit --kubeconfig FILE)",
    );
  }
  const complaints: string[] = [];
  const trial = await Deno.makeTempDir({ dir: folder, prefix: "trial-" });
  try {
    for (const { launcher, trial: argv } of candidates(trial)) {
      const complaint = await complaintOf(argv);
      if (complaint === undefined) return launcher;
      complaints.push(`${launcher.name}: ${complaint}`);
    }
  } finally {
    await removeTree(trial);
  }
  throw new RuntimeUnavailable(
    `Could not run containers: this machine allows no namespaces (${complaints.join("; ")}). ` +
      "Allow user namespaces (sysctl kernel.unprivileged_userns_clone=1 or " +
      "kernel.apparmor_restrict_unprivileged_userns=0), install bubblewrap, run as root, " +
      "or give the container you are in the capability SYS_ADMIN",
  );
}

function candidates(trial: string): Candidate[] {
  const userNamespace = Deno.uid() !== 0;
  const user = userNamespace ? ["--user", "--map-root-user"] : [];
  const namespaces = [...user, "--mount", "--pid", "--ipc", "--uts", "--fork", "--kill-child=KILL"];
  const unshare = ["unshare", ...namespaces, "--propagation=private", "sh", "-ec"];
  const plain = 'cd "$0"; mkdir -p u w m; mount --bind m m; mount -t proc proc m';
  const overlay = `${plain}; umount m; mount -t overlay -o lowerdir=/usr,upperdir=u,workdir=w overlay m; : > m/written`;
  const wrapped = ["--unshare-user", "--unshare-pid", "--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev"];
  return [
    { launcher: unshareLauncher({ userNamespace, overlays: true }), trial: [...unshare, overlay, trial] },
    { launcher: unshareLauncher({ userNamespace, overlays: false }), trial: [...unshare, plain, trial] },
    { launcher: bubblewrapLauncher(), trial: ["bwrap", ...wrapped, "--", "true"] },
  ];
}

async function complaintOf(argv: Argv): Promise<string | undefined> {
  try {
    const { success, code, stderr } = await new Deno.Command(argv[0]!, { args: argv.slice(1), stdin: "null" }).output();
    if (success) return undefined;
    return new TextDecoder().decode(stderr).trim().split("\n")[0] || `exit code ${code}`;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return "not installed";
    throw error;
  }
}
