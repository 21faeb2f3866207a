/** The behavior of a node's pod: its duration, end and outputs. */
export interface PodPlay {
  /** The time for which main runs, in seconds; `Infinity` if it runs until it is stopped. */
  readonly seconds?: number;
  readonly exitCode?: number;
  readonly message?: string;
  /** The result, and values of output parameters by name. */
  readonly result?: string;
  readonly parameters?: Readonly<Record<string, string>>;
  /** Exit codes of members of a container set. */
  readonly containers?: Readonly<Record<string, number>>;
}
