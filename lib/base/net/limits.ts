/** Limits of connections to external servers. */

/** Milliseconds without any progress after which a server counts as stalled. `ARTIFACT_STALL_TIMEOUT` overrides it. */
export const STALL_MILLIS = 60_000;

/** Milliseconds for name resolution, connecting and the TLS handshake of each attempt. */
export const CONNECT_MILLIS = 10_000;

/** Maximum number of idle connections per server. */
export const MAX_IDLE = 32;

/** Milliseconds after which an idle connection is not reused: servers close it about then. */
export const MAX_IDLE_MILLIS = 15_000;

/** Maximum bytes of a discarded body that are read to keep the connection; otherwise the connection is closed. */
export const MAX_DISCARDED_BYTES = 65_536;

/** Maximum bytes of a body that are read as an error message. */
export const MAX_TEXT_BYTES = 65_536;
