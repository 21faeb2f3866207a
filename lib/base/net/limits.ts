/** Limits of connections to other people's servers. */

/**
 * The time in which a server may neither send nor take anything, milliseconds, unless `ARTIFACT_STALL_TIMEOUT` says
 * otherwise.
 */
export const STALL_MILLIS = 60_000;

/** The time limit for looking up a name, connecting and agreeing on TLS, milliseconds for each try. */
export const CONNECT_MILLIS = 10_000;

/** The most connections to one server that are kept for the next request. */
export const MAX_KEPT = 32;

/** The idle time after which a connection is not used again, milliseconds: servers close them about then. */
export const KEPT_MILLIS = 15_000;

/** A body that is given up is read to its end where no more than this is left of it, bytes; else the connection goes. */
export const MAX_DISCARDED_BYTES = 65_536;

/** The most bytes of a body that are read as the text of an error. */
export const MAX_TEXT_BYTES = 65_536;
