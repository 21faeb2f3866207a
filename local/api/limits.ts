/** All limits on the resources of this process that a client of the embedded API may use. */

/** The maximum size of a request's body in bytes, as in Kubernetes. */
export const MAX_BODY_BYTES = 3 * 1024 * 1024;

/** The maximum length of an object's JSON in characters, as for a value in etcd. */
export const MAX_OBJECT_CHARACTERS = 1.5 * 1024 * 1024;

/**
 * The maximum size of a YAML body in bytes: parsing YAML is many times as expensive as JSON, which kubectl and our
 * client send.
 */
export const MAX_YAML_BYTES = 512 * 1024;

/** From how many characters on an object is written in stages, between which other requests are handled. */
export const LARGE_WRITE_CHARACTERS = 128 * 1024;

/** The maximum number of field managers of an object: each write compares the fields of all of them. */
export const MAX_FIELD_MANAGERS = 64;

/** The maximum time that a request's body may take, in milliseconds. */
export const BODY_WITHIN_MS = 60_000;

/** The time for which a client may send, or be silent at first, without a response; in milliseconds. */
export const ANSWERED_WITHIN_MS = 90_000;

/** The maximum number of bytes of unread command input that may be buffered before the client is held back. */
export const EXEC_INPUT_AHEAD = 8 * 1024 * 1024;

/** The maximum number of bytes of unread command input that may be buffered before the command is ended. */
export const MAX_EXEC_INPUT = 64 * 1024 * 1024;

/** The maximum number of bytes of command output that may be unsent before the command waits. */
export const MAX_EXEC_UNSENT = 1024 * 1024;

/**
 * The maximum number of connections. One more closes the least recently used one of the user with the most connections.
 */
export const MAX_CONNECTIONS = 512;

/** The maximum number of open streams (watches, logs and commands): in total, of a user, and of a pod. */
export const MAX_STREAMS = { total: 512, user: 256, pod: 32 } as const;

/** The maximum duration of a watch in seconds, as in Kubernetes. Its client then continues with a new one. */
export const MAX_WATCH_SECONDS = 3600;

/** The maximum number of bytes that a watch may be behind, in addition to its initial events, before it is ended. */
export const MAX_WATCH_BACKLOG = 32 * 1024 * 1024;
