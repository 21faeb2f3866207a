/** Finds out by trying which launcher this machine allows. */

import { canMakePrograms } from "../../../lib/elf/mod.ts";
import { bubblewrapLauncher } from "./bubblewrap.ts";
import { type ImageLauncher, imageLauncher } from "./image_launcher.ts";
import type { Argv, Launcher } from "./launcher.ts";
import { removeTree } from "./remove_tree.ts";
import { RuntimeUnavailable } from "./runtime.ts";
import { unshareLauncher } from "./unshare.ts";

/** One launcher and the smallest command that shows whether it would work. */
interface Candidate<Kind> {
  readonly launcher: Kind;
  readonly trial: Argv;
}

/**
 * The first launcher for this machine's own files whose trial succeeds, best first; the trials leave nothing in `folder`.
 * Throws RuntimeUnavailable with each one's complaint.
 */
export async function chooseLauncher(folder: string): Promise<Launcher> {
  return await firstAllowed(folder, hostCandidates);
}

/** The same for containers of images. */
export async function chooseImageLauncher(folder: string): Promise<ImageLauncher> {
  if (!canMakePrograms()) {
    throw new RuntimeUnavailable(`Could not use images: the last step into them is not made for ${Deno.build.arch}`);
  }
  return await firstAllowed(folder, imageCandidates);
}

async function firstAllowed<Kind extends { readonly name: string }>(
  folder: string,
  candidates: (trial: string) => Candidate<Kind>[],
): Promise<Kind> {
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

/** In which namespaces a trial runs a script. */
function trialIn(userNamespace: boolean, script: string, folder: string): Argv {
  const user = userNamespace ? ["--user", "--map-root-user"] : [];
  const namespaces = [...user, "--mount", "--pid", "--ipc", "--uts", "--fork", "--kill-child=KILL"];
  return ["unshare", ...namespaces, "--propagation=private", "sh", "-ec", script, folder];
}

const PLAIN = 'cd "$0"; mkdir -p u w m; mount --bind m m; mount -t proc proc m';
const overlayIn = (upper: string, work: string, more = "") =>
  `${PLAIN}; umount m; mount -t overlay -o lowerdir=/usr,upperdir=${upper},workdir=${work}${more} overlay m; : > m/written`;

function imageCandidates(trial: string): Candidate<ImageLauncher>[] {
  const userNamespace = Deno.uid() !== 0;
  const more = userNamespace ? ",userxattr" : "";
  const inMemory = `cd "$0"; mkdir -p s; mount -t tmpfs tmpfs s; mkdir s/u s/w; ${overlayIn("s/u", "s/w", more)}`;
  return [
    {
      launcher: imageLauncher({ userNamespace, scratch: "folder" }),
      trial: trialIn(userNamespace, overlayIn("u", "w", more), trial),
    },
    { launcher: imageLauncher({ userNamespace, scratch: "memory" }), trial: trialIn(userNamespace, inMemory, trial) },
  ];
}

function hostCandidates(trial: string): Candidate<Launcher>[] {
  const userNamespace = Deno.uid() !== 0;
  const wrapped = ["--unshare-user", "--unshare-pid", "--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev"];
  return [
    {
      launcher: unshareLauncher({ userNamespace, overlays: true }),
      trial: trialIn(userNamespace, overlayIn("u", "w"), trial),
    },
    { launcher: unshareLauncher({ userNamespace, overlays: false }), trial: trialIn(userNamespace, PLAIN, trial) },
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
