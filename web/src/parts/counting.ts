// Counting a tree over the WebSocket, for as long as the user waits.

import { ApiError, type Perft } from "../api";
import type { ClientMessage } from "../generated/api";
import { listen, send } from "../socket";

type Request = (ClientMessage & { type: "perft" })["request"];

/** How far a count is: parts done, and parts in all. */
type Progress = (done: number, total: number) => void;

let counts = 0;

/** Counts, and tells the progress. Ends with an error if the signal is aborted; then the server stops as well. */
export function countTree(request: Request, progress: Progress, signal: AbortSignal): Promise<Perft> {
  const id = `perft-${++counts}`;
  return new Promise((resolve, reject) => {
    const end = () => {
      quiet();
      signal.removeEventListener("abort", abort);
    };
    const abort = () => {
      end();
      send({ type: "stop", id });
      reject(signal.reason);
    };
    const quiet = listen({
      // After a break of the connection the count begins again.
      opened: () => send({ type: "perft", id, request }),
      receive: message => {
        if (!("id" in message) || message.id !== id) return;
        if (message.type === "perft_progress") progress(message.done, message.total);
        if (message.type === "perft") {
          end();
          resolve(message.perft);
        } else if (message.type === "error") {
          end();
          reject(new ApiError(message.code, message.message));
        }
      },
    });
    signal.addEventListener("abort", abort);
  });
}
