/**
 * The error for a container that cannot be made yet: something that it names is missing or refused. `reason` is what a
 * kubelet shows while the container waits; it is tried again, because the thing may come.
 */
export class SetupError extends Error {
  override readonly name = "SetupError";
  readonly reason: "CreateContainerConfigError" | "CreateContainerError" | "ContainerCreating";

  constructor(reason: SetupError["reason"], message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}
