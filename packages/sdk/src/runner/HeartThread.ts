/** The thread whose heart beats on while the work blocks the event loop. */
import { parentPort, workerData } from "node:worker_threads"
import { systemClock } from "../call/Clock.ts"
import { makeCalls } from "./Calls.ts"
import { Heart, type Order } from "./Heart.ts"

const heart = new Heart({
  beat: makeCalls(workerData, systemClock).heartbeat,
  clock: systemClock,
  tell: (news) => parentPort?.postMessage(news, [])
})
parentPort?.on("message", (order: Order) => heart.take(order))
