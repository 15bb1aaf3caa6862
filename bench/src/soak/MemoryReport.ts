/**
 * Loaded into the service before it starts (`--import`): tells again and again
 * what memory its process has, in the file that `BENCH_MEMORY_REPORT` names.
 * The heap goes up and down with every collection, so its least in a while is told.
 */
import { renameSync, writeFileSync } from "node:fs"
import { setTimeout as pause } from "node:timers/promises"
import { isMainThread } from "node:worker_threads"

const everyMillis = 250

/** How far back the least is looked for: 15 seconds. */
const kept = 60

const report = async (file: string) => {
  const heaps = new Array<number>()
  for (;;) {
    const { heapUsed, rss } = process.memoryUsage()
    heaps.push(heapUsed)
    if (heaps.length > kept) heaps.shift()
    // A reader always finds a complete report.
    writeFileSync(`${file}.next`, JSON.stringify({ rss, heap: Math.min(...heaps) }))
    renameSync(`${file}.next`, file)
    await pause(everyMillis, undefined, { ref: false })
  }
}

const file = process.env["BENCH_MEMORY_REPORT"]
if (isMainThread && file !== undefined) void report(file)
