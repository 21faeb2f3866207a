/** The security context of a container as hardened clusters ask for it. */

/** No root, no root file system that can be written, no capabilities, and no way to more rights. */
export const HARDENED = {
  runAsNonRoot: true,
  runAsUser: 65534,
  readOnlyRootFilesystem: true,
  allowPrivilegeEscalation: false,
  capabilities: { drop: ["ALL"] },
};
