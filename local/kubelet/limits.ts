/** Limits on what a pod may ask of this machine's kernel and of the kubelet; docs/local.md tells of them. */

/** Bytes of one word of a command, or of a variable with its name: Linux starts no program with a longer one. */
export const LONGEST_WORD_BYTES = 128 * 1024 - 1;

/** Bytes of all words and variables of a container: what Linux takes at most, wherever its limit of the stack lies. */
export const MOST_WORDS_BYTES = 6 * 1024 * 1024;

/** Bytes of a path: Linux takes no longer one. */
export const LONGEST_PATH_BYTES = 4095;

/** Bytes that a command run in a container may write, both streams together: they are kept until its end. */
export const MAX_EXEC_OUTPUT_BYTES = 16 * 1024 * 1024;

/** Seconds between two looks of a probe, and what a look may take: as on a cluster at least, and no more than a timer takes. */
export const SHORTEST_PROBE_SECONDS = 1;
export const LONGEST_PROBE_SECONDS = 1_000_000;
