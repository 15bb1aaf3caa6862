/** The code of each thread in the pool: one piece of work after the other. */
import { parentPort } from "node:worker_threads"
import { makePerform, type Work } from "./SchemaWork.ts"

const perform = makePerform()

parentPort?.on("message", (work: Work) => parentPort?.postMessage(perform(work)))

// The time limit of the first piece of work counts from here.
parentPort?.postMessage("ready")
