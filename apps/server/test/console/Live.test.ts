/** The page that changes by itself: it misses nothing, and asks only once for many tabs. */
import type { Page } from "playwright-core"
import { assert, describe, it } from "vitest"
import { checkView } from "./CheckView.ts"
import { consoleSuite, patience } from "./ConsoleSuite.ts"
import { wireTo } from "./Wire.ts"

/** Streams that a window asked for, as they come. */
const countStreams = (page: Page): { count: number } => {
  const asked = { count: 0 }
  page.on("request", (request) => {
    if (request.url().endsWith("/changes")) asked.count += 1
  })
  return asked
}

const isLive = (page: Page) => page.getByRole("button", { name: /^Live/ }).waitFor()

describe("the live page", () => {
  const { baseUrl, openConsole } = consoleSuite()
  it(
    "follows once for all tabs, and another tab goes on when that one is closed",
    async () => {
      const first = await openConsole("/tasks")
      await isLive(first)
      const second = await first.context().newPage()
      const streams = countStreams(second)
      await second.goto(first.url())
      await isLive(second)
      assert.strictEqual(streams.count, 0)

      await first.close()
      await second.waitForRequest((request) => request.url().endsWith("/changes"))
      await isLive(second)

      assert.strictEqual(streams.count, 1)
    },
    patience
  )

  it(
    "says when the connection is lost",
    async () => {
      const wire = await wireTo(baseUrl())
      const page = await openConsole("/tasks", { at: wire.url, expects: /ERR_|Failed to load/ })
      await isLive(page)

      wire.cut()
      await page.getByRole("heading", { name: /^Connection lost at/ }).waitFor()
      await checkView(page, "connection-lost")
      wire.mend()
      await page.getByRole("button", { name: "Try now" }).click()
      await isLive(page)

      assert.strictEqual(await page.getByRole("heading", { name: /^Connection lost/ }).count(), 0)
      wire.close()
    },
    patience
  )
})
