/** A container whose program was never reached. */
import { OutsideError } from "@tiphys/base/confined";
import { ProgramTooLarge } from "@tiphys/portable/elf";
import { UnknownUser } from "./image_identity.ts";
import type { Container } from "./runtime.ts";

/** The exit code with which an engine says that it could not start a program. */
const START_ERROR = 128;

/** A container that has ended before it began, for the reason in the message. */
export function notStarted(message: string): Container {
  return {
    ended: Promise.resolve({ exitCode: START_ERROR, reason: "StartError", message }),
    signal() {},
    exec: () => Promise.reject(new Error(message)),
    remove: () => Promise.resolve(),
  };
}

/** The container that `start` starts, or one that was not started for something that its pod or image asks for. */
export async function startedOrNot(start: () => Promise<Container>): Promise<Container> {
  try {
    return await start();
  } catch (error) {
    if (error instanceof UnknownUser) return notStarted(error.message);
    if (error instanceof ProgramTooLarge || error instanceof OutsideError) {
      return notStarted(`Could not start the container: ${error.message}`);
    }
    throw error;
  }
}
