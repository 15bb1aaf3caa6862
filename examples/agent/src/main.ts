/** Runs the agent: `node examples/agent/src/main.ts`. Its settings are in config.ts. */
import type { Job } from "./Attempt.ts"
import { launchBrowser } from "./Browser.ts"
import { visitPage } from "./BrowserTask.ts"
import { readConfig } from "./config.ts"
import { openOriginGate } from "./OriginGate.ts"
import { Runner } from "./Runner.ts"
import { RunnerClient } from "./RunnerClient.ts"

const serve = async (): Promise<void> => {
  const { url, key, name, allowedOrigins, chromium } = readConfig(process.env)
  await using gate = allowedOrigins && (await openOriginGate(allowedOrigins))

  const runner = new Runner({
    client: new RunnerClient({ url, key }),
    session: { instance_id: `browser-agent:${name}`, runner_name: name, version: "0.1.0", capacity: 1 },
    work: async (job: Job) => {
      await using browser = await launchBrowser({ executable: chromium, proxy: gate?.url })
      return await visitPage(browser, job)
    },
    log: console.log
  })

  // The first signal lets the work in flight end, the second gives it up.
  let signals = 0
  const stop = () => (signals++ === 0 ? runner.drain() : runner.interrupt())
  process.on("SIGTERM", stop).on("SIGINT", stop)
  await runner.run()
}

try {
  await serve()
} catch (cause) {
  console.error(cause instanceof Error ? cause.message : cause)
  process.exitCode = 1
}
