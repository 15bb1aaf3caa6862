/** The thread whose heartbeats go on while the work blocks the event loop. */
import { parentPort, workerData } from "node:worker_threads"
import { systemClock } from "../call/Clock.ts"
import { makeCalls } from "./Calls.ts"
import { beatBy, Heartbeats, type Order } from "./Heartbeats.ts"

const heartbeats = new Heartbeats({
  beat: beatBy(makeCalls(workerData, systemClock)),
  clock: systemClock,
  tell: (news) => parentPort?.postMessage(news, [])
})
parentPort?.on("message", (order: Order) => heartbeats.take(order))
