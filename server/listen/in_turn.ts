/**
 * Requests of one connection of HTTP/1.1 that come before the answers to those ahead of them. Answers go out in the order of
 * requests, so each is begun when the one before has been answered; Node's servers would begin all that they have read.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** The most requests of a connection that wait for their turn: no client that has so many to ask sends them like this. */
const MOST_WAITING = 100;

/** Begins the answer to a request. */
export type Begin = (request: IncomingMessage, response: ServerResponse) => void;

/** Begins each answer in its turn; a connection over which too many requests wait is ended. */
export function inTurn(begin: Begin): Begin {
  const queues = new WeakMap<Socket, (() => void)[]>();
  const start = (request: IncomingMessage, response: ServerResponse, waiting: (() => void)[]) => {
    let isOver = false;
    const over = () => {
      if (isOver) return;
      isOver = true;
      const { socket } = request;
      // Nobody is there to be answered: what waits is begun by nobody.
      if (socket.destroyed) return void waiting.splice(0);
      const next = waiting.shift();
      if (next) next();
      else queues.delete(socket);
    };
    response.once("finish", over);
    response.once("close", over);
    begin(request, response);
  };
  return (request, response) => {
    const { socket } = request;
    const waiting = queues.get(socket);
    if (!waiting) {
      const queue: (() => void)[] = [];
      queues.set(socket, queue);
      return start(request, response, queue);
    }
    if (waiting.length >= MOST_WAITING) return void socket.destroy();
    waiting.push(() => start(request, response, waiting));
  };
}
