/** The capabilities of Linux by number, and those that a container has. */

/**
 * The capabilities that container engines grant by default, but for two: the network is the machine's own, so nobody
 * forges packets in it (`net_raw`), and nobody makes devices (`mknod`). They hold within the container's user namespace
 * only: over the machine they mean nothing.
 */
const GRANTED: Readonly<Record<string, number>> = {
  chown: 0,
  dac_override: 1,
  fowner: 3,
  fsetid: 4,
  kill: 5,
  setgid: 6,
  setuid: 7,
  setpcap: 8,
  net_bind_service: 10,
  sys_chroot: 18,
  audit_write: 29,
  setfcap: 31,
};

/** The capabilities that are gone through: more than any kernel has, which refuses those that it does not know. */
const NUMBERS = 64;

/** The numbers of the capabilities of a container's user 0. */
export const GRANTED_CAPABILITIES: readonly number[] = Object.values(GRANTED);

/** The capabilities that engines would grant beside them, by the names that they have there. */
export const ENGINE_EXCESS: readonly string[] = ["NET_RAW", "MKNOD"];

/** The numbers of all others, which no process of a container may ever have. */
export const WITHHELD_CAPABILITIES: readonly number[] = Array.from({ length: NUMBERS }, (_, number) => number)
  .filter((number) => !GRANTED_CAPABILITIES.includes(number));
