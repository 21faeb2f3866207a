/** Limits on the kernel and kubelet resources of a pod, documented in docs/local.md. */

/** The maximum size in bytes of an argument, or of a variable with its name. Linux refuses longer ones. */
export const MAX_ARGUMENT_BYTES = 128 * 1024 - 1;

/** The maximum total size in bytes of all arguments and variables of a container, whatever its stack limit. */
export const MAX_ARGUMENTS_BYTES = 6 * 1024 * 1024;

/** The maximum length of a path on Linux, in bytes. */
export const MAX_PATH_BYTES = 4095;

/** The maximum output of exec, both streams together, since it is held in memory until the command ends. */
export const MAX_EXEC_OUTPUT_BYTES = 16 * 1024 * 1024;

/**
 * The minimum and maximum period and timeout of a probe: at least as on a cluster, and at most what a timer supports.
 */
export const MIN_PROBE_SECONDS = 1;
export const MAX_PROBE_SECONDS = 1_000_000;
