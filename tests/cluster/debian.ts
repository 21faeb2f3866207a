import { hasProgram, runCommand } from "../../scripts/command.ts";

/** A Debian package, and a file that exists once it is installed. */
const NEEDED: readonly { readonly name: string; readonly file: string }[] = [
  { name: "runc", file: "/usr/sbin/runc" },
  { name: "containernetworking-plugins", file: "/usr/lib/cni/ptp" },
  { name: "nftables", file: "/usr/sbin/nft" },
  { name: "docker-registry", file: "/usr/bin/docker-registry" },
  { name: "skopeo", file: "/usr/bin/skopeo" },
  { name: "openssl", file: "/usr/bin/openssl" },
  { name: "iproute2", file: "/usr/bin/ip" },
  { name: "util-linux", file: "/usr/bin/nsenter" },
  { name: "mount", file: "/usr/bin/mount" },
];

/**
 * Installs the missing Debian packages. @throws {Error} with the command that installs them, when this process is not
 * root or apt-get is missing
 */
export async function ensureDebianPackages(
  packages: readonly { readonly name: string; readonly file: string }[] = NEEDED,
): Promise<void> {
  const missing = packages.filter(({ file }) => !isThere(file)).map(({ name }) => name);
  if (missing.length === 0) return;
  // Waits for another installation on this machine.
  const apt = "apt-get -o DPkg::Lock::Timeout=300";
  const install = `${apt} install -y --no-install-recommends ${missing.join(" ")}`;
  if (Deno.uid() !== 0 || !(await hasProgram("apt-get"))) {
    throw new Error(`Missing Debian packages; as root, run: ${install}`);
  }
  console.error(`Installing ${missing.join(" ")}`);
  const result = await runCommand(["sh", "-c", `${apt} update -q && ${install}`], {
    env: { DEBIAN_FRONTEND: "noninteractive", POLICY_RC_D: "101" },
  });
  if (result.code !== 0) throw new Error(`\`${install}\` ended with ${result.code}: ${result.stdout}${result.stderr}`);
}

function isThere(file: string): boolean {
  try {
    Deno.statSync(file);
    return true;
  } catch {
    return false;
  }
}
