/** pg-boss in this process: jobs worked in batches of a hundred by four workers. */
import { PgBoss } from "pg-boss"
import { countdown } from "../Countdown.ts"

const queue = "bench"
const data = { copies: 2 }

/** How jobs come in: a thousand at a time, or each by itself, durable before its caller goes on. */
export type Arrival = (boss: PgBoss, jobs: number) => Promise<void>

export const inBatches: Arrival = async (boss, jobs) => {
  for (let inserted = 0; inserted < jobs; inserted += 1_000) {
    const size = Math.min(1_000, jobs - inserted)
    await boss.insert(
      queue,
      Array.from({ length: size }, () => ({ data }))
    )
  }
}

export const oneByOne: Arrival = async (boss, jobs) => {
  let sent = 0
  const call = async () => {
    while (sent < jobs) {
      sent++
      await boss.send(queue, data)
    }
  }
  await Promise.all(Array.from({ length: 32 }, call))
}

export interface Options {
  readonly url: string
  readonly jobs: number
  readonly arrive: Arrival
}

/** Inserts and works that many jobs that do nothing; answers the seconds it took. */
export const run = async ({ arrive, jobs, url }: Options): Promise<number> => {
  const boss = new PgBoss({ connectionString: url, max: 12 })
  boss.on("error", (error) => console.error(error))
  await boss.start()
  await boss.createQueue(queue)
  const finished = countdown(jobs)

  const begun = performance.now()
  await arrive(boss, jobs)
  // `burstWhenBatchFull` keeps its workers from pausing while there is more to do.
  const workers = {
    batchSize: 100,
    localConcurrency: 4,
    burstWhenBatchFull: true,
    pollingIntervalSeconds: 0.5
  }
  await boss.work(queue, workers, async (batch) => finished.arrive(batch.length))
  await finished.done
  const seconds = (performance.now() - begun) / 1000

  await boss.stop()
  return seconds
}
