/**
 * Pipelined requests of an HTTP/1.1 connection. Responses must be in the order of requests, so each request starts when
 * the previous one was answered. Node's servers would start all of them at once.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** The maximum number of waiting requests of a connection. No legitimate client pipelines that many. */
const MAX_WAITING = 100;

/** Starts to answer a request. */
export type RequestListener = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Wraps `begin` so that requests of a connection run one after the other. A connection with too many waiting requests
 * is closed.
 */
export function oneAtATime(begin: RequestListener): RequestListener {
  const queues = new WeakMap<Socket, (() => void)[]>();
  const start = (request: IncomingMessage, response: ServerResponse, waiting: (() => void)[]) => {
    let isDone = false;
    const over = () => {
      if (isDone) return;
      isDone = true;
      const { socket } = request;
      // The client is gone, so waiting requests are dropped.
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
    if (waiting.length >= MAX_WAITING) return void socket.destroy();
    waiting.push(() => start(request, response, waiting));
  };
}
