/** The page that changes by itself: it misses nothing, and asks only once for many tabs. */
import { wireTo } from "@runhook/test-support/receivers/Wire"
import type { Page } from "playwright-core"
import { assert, beforeAll, describe, it, vi } from "vitest"
import { checkView } from "./CheckView.ts"
import { consoleSuite, patience } from "./ConsoleSuite.ts"
import { holdNext } from "./Held.ts"
import { tryNow } from "./TryNow.ts"

/** Streams that a window asked for, as they come. */
const countStreams = (page: Page): { count: number } => {
  const asked = { count: 0 }
  page.on("request", (request) => {
    if (request.url().endsWith("/changes")) asked.count += 1
  })
  return asked
}

const liveButton = (page: Page) => page.getByRole("button", { name: /^Live/ })

const isLive = (page: Page) => liveButton(page).waitFor()

/** Something is on the screen that would move, so what comes from now on waits behind its button. */
const isListed = async (page: Page) => {
  await isLive(page)
  await page.locator("table.list tbody th a").first().waitFor()
}

describe("the live page", () => {
  const { accountId, admin, baseUrl, openConsole } = consoleSuite()
  const makeKey = async (name: string) =>
    admin()
      .account(await accountId())
      .keys.create({ name })

  beforeAll(() => makeKey("made-before"))

  it("follows once for all tabs, and another tab goes on when that one is closed", async () => {
    const first = await openConsole("/keys")
    await isLive(first)
    const second = await first.context().newPage()
    const streams = countStreams(second)
    await second.goto(first.url())
    await isLive(second)
    assert.strictEqual(streams.count, 0)

    const asked = second.waitForRequest((request) => request.url().endsWith("/changes"))
    await first.close()
    await asked
    await isLive(second)

    assert.strictEqual(streams.count, 1)
  })

  it("asks for nothing twice when it is opened", async () => {
    const account = admin().account(await accountId())
    const page = await openConsole("/tasks")
    const asked: Array<string> = []
    page.on("request", (request) => {
      if (new URL(request.url()).pathname.endsWith(`${account.id}/tasks`)) asked.push("tasks")
    })
    await page.route("**/changes", async (route) => {
      // It shows that it loads, after 300 ms, or has what it did not wait for.
      await page.locator("tbody[aria-busy], .none").first().waitFor()
      asked.push("changes")
      await route.continue()
    })
    // They wait for no more than a second, which may pass on a busy machine.
    await vi.waitFor(
      async () => {
        asked.length = 0
        await page.reload()
        await isLive(page)
        await page.getByRole("heading", { name: "No tasks yet" }).waitFor()
        assert.deepStrictEqual(asked, ["changes", "tasks"])
      },
      { timeout: patience / 2, interval: 1 }
    )

    await account.tasks.create({ slug: "later", name: "Made later" })
    await page.getByRole("link", { name: "Made later" }).waitFor()

    assert.deepStrictEqual(asked, ["changes", "tasks", "tasks"])
  })

  it("says when the connection is lost, and shows afterwards what it missed", async () => {
    const wire = await wireTo(baseUrl())
    const page = await openConsole("/keys", { at: wire.url, expects: /ERR_|Failed to load/ })
    await isListed(page)

    wire.cut()
    await page.getByRole("heading", { name: /^Connection lost at/ }).waitFor()
    await checkView(page, "connection-lost")
    await makeKey("made-meanwhile")
    const comeBack = () =>
      tryNow({
        button: page.getByRole("button", { name: "Try now" }),
        mend: () => wire.mend(),
        shown: liveButton(page)
      })
    await comeBack()

    await page.getByRole("button", { name: "1 new key: show it" }).click()
    await page.getByText("made-meanwhile").first().waitFor()
    assert.strictEqual(await page.getByRole("heading", { name: /^Connection lost/ }).count(), 0)

    // So does a view that was opened meanwhile, and listens to nothing.
    wire.cut()
    await page.getByRole("heading", { name: /^Connection lost at/ }).waitFor()
    await page.getByRole("link", { name: "Usage" }).click()
    await page.getByText("The service did not answer.").waitFor()
    await comeBack()
    await page.getByRole("heading", { name: "No usage yet" }).waitFor()
    wire.close()
  })

  it("shows what it asked for, also where the next change is there before the answer", async () => {
    const { keys, usage, webhooks } = admin().account(await accountId())
    const { id: key_id } = await keys.create({ name: "sends-tests" })
    const page = await openConsole("/receivers")
    await page.getByRole("heading", { name: "No receiver yet" }).waitFor()
    await isLive(page)
    const receivers = await holdNext(page, /\/receivers\?/, "never come")
    const change = () => webhooks.test({ key_id, callback_url: `${baseUrl()}/404` })
    await page.keyboard.press(".")
    await change()
    await vi.waitFor(async () => assert.isNotEmpty((await usage.receivers()).data), { timeout: patience })
    await page.keyboard.press(".")
    await receivers.isAnswered

    // The number of dead letters is looked at after the same changes.
    const counted = page.waitForRequest(/\/overview$/)
    await change()
    await counted
    await receivers.letGo()

    await page.getByRole("link", { name: baseUrl() }).waitFor()
  })

  it("is held as it is while somebody wants that, and goes on after it", async () => {
    const page = await openConsole("/keys")
    await isListed(page)

    await page.keyboard.press(".")
    await page.getByRole("button", { name: /^Paused/ }).waitFor()
    await makeKey("made-while-held")
    await page.keyboard.press(".")

    await page.getByRole("button", { name: "1 new key: show it" }).click()
    await page.getByText("made-while-held").first().waitFor()
    assert.strictEqual(await page.getByRole("button", { name: /^Live/ }).count(), 1)
  })
})
