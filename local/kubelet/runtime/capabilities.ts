/** The capabilities of Linux by number, and those that a container has. */

/** What a container engine grants by default, no more. */
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
  net_raw: 13,
  sys_chroot: 18,
  audit_write: 29,
  setfcap: 31,
};

/** More than any kernel has; it refuses those that it does not know. */
const NUMBERS = 64;

/** Their names, as tools spell them. */
export const GRANTED_CAPABILITIES: readonly string[] = Object.keys(GRANTED);

/** The numbers of all others. */
export const WITHHELD_CAPABILITIES: readonly number[] = Array.from({ length: NUMBERS }, (_, number) => number)
  .filter((number) => !Object.values(GRANTED).includes(number));
