/** Runs the agent: `node examples/agent/src/main.ts`. Its settings are in config.ts. */
import { createRunner } from "@runhook/sdk/runner"
import { launchBrowser } from "./Browser.ts"
import { visitPage } from "./BrowserTask.ts"
import { readConfig } from "./config.ts"
import { openOriginGate } from "./OriginGate.ts"

const serve = async (): Promise<void> => {
  const { url, key, name, allowedOrigins, chromium } = readConfig(process.env)
  await using gate = allowedOrigins && (await openOriginGate(allowedOrigins))

  const runner = createRunner({
    baseUrl: url,
    apiKey: key,
    name,
    version: "0.1.0",
    // One that comes back under its name says at once that what it had begun is lost: its browser is gone.
    instanceId: `browser-agent:${name}`,
    // A page may take its time; who cannot wait signals twice.
    drainGraceMs: Infinity,
    tasks: {
      "visit-page": async (job) => {
        await using browser = await launchBrowser({ executable: chromium, proxy: gate?.url })
        return await visitPage(browser, job)
      }
    }
  })
  await runner.run()
}

try {
  await serve()
} catch (cause) {
  console.error(cause instanceof Error ? cause.message : cause)
  process.exitCode = 1
}
