/** The ways in which random workflows run, with the laws of each, and the seeds that once failed. */
import { playAgain } from "./again.ts";
import { type PlayOptions, playRandomRun } from "./play.ts";
import { restartFaults } from "./restarts.ts";

/** A way to run random workflows. */
export interface Mode {
  readonly name: string;
  /** The title of the test: the law that holds for every workflow. */
  readonly title: string;
  /** Runs the workflow of a seed. Returns the problems of the run; empty if it has no problems. */
  readonly play: (seed: number, log?: (line: string) => void) => readonly string[];
  /** The number of seeds that the quick gate runs. */
  readonly quick: number;
  /** Seeds that once failed with this generator. */
  readonly onceFailed: readonly number[];
}

function playing(options: PlayOptions): Mode["play"] {
  return (seed, log) => playRandomRun(seed, { ...options, log });
}

/** All modes. */
export const MODES: readonly Mode[] = [
  {
    name: "plain",
    title: "random workflows: each ends, without waiting nodes in an ended node, and without held locks",
    play: playing({}),
    quick: 50,
    onceFailed: [1543, 5875, 6468, 8065, 9388, 9937],
  },
  {
    name: "inline",
    title:
      "random workflows: one with inline templates, whose steps refer to each other, ends, with its pods and locks",
    play: playing({ references: true, inline: true }),
    quick: 13,
    onceFailed: [],
  },
  {
    name: "ended",
    title: "random workflows: one that is stopped from outside ends, with its pods and locks",
    play: playing({ isEnded: true }),
    quick: 13,
    onceFailed: [314, 326, 548],
  },
  {
    name: "ended-references",
    title:
      "random workflows: one whose steps refer to each other and that is stopped from outside ends, with its pods and locks",
    play: playing({ references: true, isEnded: true }),
    quick: 13,
    onceFailed: [2639, 2995, 4439],
  },
  {
    name: "repeated",
    title:
      "random workflows: one that is retried or resubmitted after it failed, and loses pods, ends, and its DAGs agree with their tasks",
    play: playing({ isRepeated: true }),
    quick: 13,
    onceFailed: [84, 2386, 101299, 103965],
  },
  {
    name: "actions",
    title:
      "random workflows: actions of users change what they select, or fail; the workflow ends, and a shutdown stops all pods",
    play: playing({ actions: true }),
    quick: 20,
    onceFailed: [64, 71, 1436, 2551, 3292, 100352],
  },
  {
    name: "restarts",
    title:
      "random workflows: one on which users act has the same status after each event, however often its controller restarts",
    play: (seed) => restartFaults(seed, { actions: true, references: seed % 2 === 0 }),
    quick: 10,
    onceFailed: [185, 193, 200563, 203402, 310161],
  },
  {
    name: "retry",
    title: "random workflows: one that is retried until it succeeds ends like a new one whose pods end in the same way",
    play: (seed, log) => playAgain(seed, "retry", log),
    quick: 10,
    onceFailed: [108, 167, 242, 465, 859, 28026, 30394],
  },
  {
    name: "resubmit",
    title:
      "random workflows: one that is resubmitted, memoized, until it succeeds ends like a new one whose pods end in the same way",
    play: (seed, log) => playAgain(seed, "resubmit", log),
    quick: 10,
    onceFailed: [242, 289, 294, 1089, 1168, 20103],
  },
];
