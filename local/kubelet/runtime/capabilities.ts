/** Linux capabilities by number, and those that containers have. */

/**
 * The default capabilities of container engines, except for two: `net_raw`, since containers use the machine's network
 * and must not forge packets, and `mknod`. They apply only within the container's user namespace, not to the machine.
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

/** The number of capabilities to iterate over: more than any kernel has. Kernels refuse unknown ones. */
const NUMBERS = 64;

/** The numbers of the capabilities of user 0 in a container. */
export const GRANTED_CAPABILITIES: readonly number[] = Object.values(GRANTED);

/** Capabilities that engines grant in addition by default, by their names there. */
export const ENGINE_EXCESS: readonly string[] = ["NET_RAW", "MKNOD"];

/** The numbers of all other capabilities, which no process of a container may have. */
export const WITHHELD_CAPABILITIES: readonly number[] = Array.from({ length: NUMBERS }, (_, number) => number)
  .filter((number) => !GRANTED_CAPABILITIES.includes(number));
