/** The security context of a container on hardened clusters. */

/** No root, a read-only root file system, no capabilities, and no privilege escalation. */
export const HARDENED = {
  runAsNonRoot: true,
  runAsUser: 65534,
  readOnlyRootFilesystem: true,
  allowPrivilegeEscalation: false,
  capabilities: { drop: ["ALL"] },
};
