/**
 * Closes connections that a worker was handed and did not take. `node:cluster` forgets them when the worker ends: it
 * keeps them open, and their callers would wait for ever. A worker gets one connection at a time, and reports what it
 * did with it.
 */
import type { ChildProcess } from "node:child_process"

/** Closes the last connection handed to the worker if it ends without having reported on it. */
export const closeUntaken = (worker: ChildProcess): void => {
  let handed: unknown = undefined
  worker.send = new Proxy(worker.send, {
    apply: (send, self, given: ReadonlyArray<unknown>) => {
      handed = given[1] ?? handed
      return Reflect.apply(send, self, given)
    }
  })
  // Ahead of `node:cluster`, which answers a report by handing over the next connection.
  worker.prependListener("internalMessage", (said: unknown) => {
    if (typeof said === "object" && said !== null && "accepted" in said) handed = undefined
  })
  worker.once("exit", () => {
    if (typeof handed !== "object" || handed === null || !("close" in handed)) return
    if (typeof handed.close === "function") Reflect.apply(handed.close, handed, [])
  })
}
