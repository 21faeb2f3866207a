/**
 * A container cannot be created yet, because something that it refers to is missing or refused. `reason` is the reason
 * of the waiting state. The creation is retried, since the missing object may be created later.
 */
export class SetupError extends Error {
  override readonly name = "SetupError";
  readonly reason: "CreateContainerConfigError" | "CreateContainerError" | "ContainerCreating";

  constructor(reason: SetupError["reason"], message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}
