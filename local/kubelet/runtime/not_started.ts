/** Containers whose program was never started. */
import { OutsideError } from "@tiphys/base/confined";
import { ProgramTooLarge } from "@tiphys/portable/elf";
import { UnknownUser } from "./image_identity.ts";
import type { Container } from "./runtime.ts";

/** The exit code of engines for a program that could not be started. */
const START_ERROR = 128;

/** A container that failed to start, with the reason as its message. */
export function failedContainer(message: string): Container {
  return {
    ended: Promise.resolve({ exitCode: START_ERROR, reason: "StartError", message }),
    signal() {},
    exec: () => Promise.reject(new Error(message)),
    remove: () => Promise.resolve(),
  };
}

/** Starts a container. Errors that the pod or its image caused result in a container that failed to start. */
export async function startOrFail(start: () => Promise<Container>): Promise<Container> {
  try {
    return await start();
  } catch (error) {
    if (error instanceof UnknownUser) return failedContainer(error.message);
    if (error instanceof ProgramTooLarge || error instanceof OutsideError) {
      return failedContainer(`Could not start the container: ${error.message}`);
    }
    throw error;
  }
}
