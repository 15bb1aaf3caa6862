/** graphile-worker in this process, set up as its page on performance says: a local queue, and batched completion. */
import { Logger, makeWorkerUtils, run as runWorker } from "graphile-worker"
import { countdown } from "../Countdown.ts"

const silent = new Logger(() => () => {})

/** Inserts and works that many jobs that do nothing; answers the seconds it took. */
export const run = async (url: string, jobs: number): Promise<number> => {
  const utils = await makeWorkerUtils({ connectionString: url, logger: silent })
  await utils.migrate()
  const { arrive, done } = countdown(jobs)

  const begun = performance.now()
  for (let inserted = 0; inserted < jobs; inserted += 1_000) {
    const size = Math.min(1_000, jobs - inserted)
    await utils.addJobs(
      Array.from({ length: size }, () => ({ identifier: "nothing", payload: { copies: 2 } }))
    )
  }
  const runner = await runWorker({
    preset: {
      worker: {
        connectionString: url,
        concurrentJobs: 24,
        maxPoolSize: 25,
        localQueue: { size: 500 },
        completeJobBatchDelay: 0,
        failJobBatchDelay: 0
      }
    },
    taskList: { nothing: () => arrive(1) },
    parsedCronItems: [],
    noHandleSignals: true,
    logger: silent
  })
  await done
  const seconds = (performance.now() - begun) / 1000

  await runner.stop()
  await utils.release()
  return seconds
}
