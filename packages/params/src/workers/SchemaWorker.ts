/** What runs in each thread of the pool: one piece of work after the other. */
import { parentPort } from "node:worker_threads"
import { makePerform, type Work } from "./SchemaWork.ts"

const perform = makePerform()

parentPort?.on("message", (work: Work) => parentPort?.postMessage(perform(work)))

// The clock of the first piece of work runs from here.
parentPort?.postMessage("ready")
