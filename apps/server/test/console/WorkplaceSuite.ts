/** The page of an account with a runner at work, which does what params say, and a receiver of its callbacks. */
import type { Page } from "playwright-core"
import { afterAll, assert, beforeAll, vi } from "vitest"
import { testBrowser } from "../TestBrowser.ts"
import { consoleSuite, patience } from "./ConsoleSuite.ts"
import { type Captures, capturesOf, makeWorkplace, receiver } from "./Works.ts"

let captures: Promise<Captures> | undefined

/** Recorded once for all such suites of a process. */
const record = async (): Promise<Captures> => {
  const page = await (await testBrowser()).newPage()
  const recorded = await capturesOf(page)
  await page.close()
  return recorded
}

/** Call it once within `describe`. */
export const workplaceSuite = () => {
  const suite = consoleSuite()
  let place: Awaited<ReturnType<typeof makeWorkplace>>
  let hooks: Awaited<ReturnType<typeof receiver>>

  beforeAll(async () => {
    hooks = await receiver()
    const recorded = await (captures ??= record())
    place = await makeWorkplace({
      admin: suite.admin(),
      baseUrl: suite.baseUrl(),
      accountId: await suite.accountId(),
      captures: () => recorded
    })
  })

  afterAll(async () => {
    hooks?.close()
    await place?.runner.stop({ graceMs: 0 })
  })

  /** Waits until the execution has become one of these. */
  const until = async (id: string, ...statuses: ReadonlyArray<string>) => {
    for (let looks = 0; looks < 60; looks++) {
      const { status } = await place.account.executions.get(id, { wait: 1 })
      if (statuses.includes(status)) return
    }
    assert.fail(`Execution ${id} did not become ${statuses.join(" or ")}`)
  }

  return { ...suite, place: () => place, hooks: () => hooks, until }
}

/** Waits until it is so in the page. Its policy lets no text be run in it, so it is asked from outside. */
export const become = (page: Page, what: string) =>
  vi.waitFor(async () => assert.isTrue(await page.evaluate(what), what), { timeout: patience, interval: 100 })
