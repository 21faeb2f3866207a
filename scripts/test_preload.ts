/** Loaded before the tests: a child or peer that leaves in one test must not end the process of all the others. */
import { survivePipeSignals } from "../lib/broken_pipes.ts";

survivePipeSignals();
