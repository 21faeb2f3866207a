/** Limits on what a client of the embedded API may take of this process: every one that it can meet, in one place. */

/** Bytes of a request's body: as many as Kubernetes takes. */
export const MAX_BODY_BYTES = 3 * 1024 * 1024;

/** Characters of an object as JSON, as etcd limits a value. */
export const MAX_OBJECT_CHARACTERS = 1.5 * 1024 * 1024;

/** Bytes of a body that is YAML: reading it costs many times what JSON does. kubectl and our own client send JSON. */
export const MAX_YAML_BYTES = 512 * 1024;

/** Field managers of one object: each of its writes compares the fields of all of them. */
export const MAX_FIELD_MANAGERS = 64;

/** The time in which a request's body must arrive, in milliseconds. */
export const BODY_WITHIN_MS = 60_000;

/** The time that a client may send, or be silent at first, without having been answered; in milliseconds. */
export const ANSWERED_WITHIN_MS = 90_000;

/** Bytes of a command's input that its client may be ahead before it is held back. */
export const EXEC_INPUT_AHEAD = 8 * 1024 * 1024;

/** Bytes of a command's input that its client may be ahead before the command is ended. */
export const MAX_EXEC_INPUT = 64 * 1024 * 1024;

/** Bytes of a command's output that its client may be behind before the command waits. */
export const MAX_EXEC_UNSENT = 1024 * 1024;

/** Connections at a time: for one more, the one over which nothing went for longest is closed. */
export const MAX_CONNECTIONS = 512;

/** Seconds until a watch is ended, as Kubernetes ends them: its client goes on where it was. */
export const LONGEST_WATCH_SECONDS = 3600;

/** Bytes that a watch may be behind, beyond those it began with, before it is ended. */
export const MAX_WATCH_BACKLOG = 32 * 1024 * 1024;
