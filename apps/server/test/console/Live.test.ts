/** The page that changes by itself: it misses nothing, and asks only once for many tabs. */
import type { Page } from "playwright-core"
import { assert, describe, it } from "vitest"
import { consoleSuite, patience } from "./ConsoleSuite.ts"

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
  const { accountId, admin, openConsole } = consoleSuite()
  const aTask = async (slug: string) =>
    admin()
      .account(await accountId())
      .tasks.create({ slug, name: slug })

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
    "says when the connection is lost, and shows afterwards what it missed",
    async () => {
      const page = await openConsole("/tasks", { expects: /ERR_|Failed to load/ })
      await isLive(page)

      await page.route("**/changes", (route) => route.abort())
      await page.context().setOffline(true)
      await page.getByRole("heading", { name: /^Connection lost at/ }).waitFor()
      await aTask("made-meanwhile")
      await page.unroute("**/changes")
      await page.context().setOffline(false)
      await isLive(page)

      await page
        .getByText("made-meanwhile")
        .or(page.getByRole("button", { name: "1 new task: show it" }))
        .first()
        .waitFor()
      assert.strictEqual(await page.getByRole("heading", { name: /^Connection lost/ }).count(), 0)
    },
    patience
  )

  it(
    "is held as it is while somebody wants that, and goes on after it",
    async () => {
      const page = await openConsole("/tasks")
      await isLive(page)

      await page.keyboard.press(".")
      await page.getByRole("button", { name: /^Paused/ }).waitFor()
      await aTask("made-while-held")
      await page.keyboard.press(".")

      await page.getByRole("button", { name: "1 new task: show it" }).click()
      await page.getByText("made-while-held").first().waitFor()
      assert.strictEqual(await page.getByRole("button", { name: /^Live/ }).count(), 1)
    },
    patience
  )
})
