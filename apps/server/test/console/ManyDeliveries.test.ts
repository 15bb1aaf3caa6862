/** A list of 2,500 deliveries, read to its end and back, holds no more rows than one of a few hundred. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { SqlClient } from "effect/sql/SqlClient"
import type { CDPSession, Page } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { onDatabase, testPostgres } from "../TestPostgres.ts"
import { checkView, keepShot } from "./CheckView.ts"
import { consoleSuite } from "./ConsoleSuite.ts"

const count = 2_500

/** Deliveries of a key that have all arrived, one a second; the first is the newest. */
const fill = (accountId: string, apiKeyId: string) =>
  SqlClient.use(
    (sql) => sql`
      INSERT INTO webhook_deliveries (
        bucket, account_id, id, api_key_id, type, url, request_id, reference, body, state, attempts, round,
        expires_at, last_status, created_at, settled_at
      )
      SELECT a.bucket, a.id,
        (
          lpad(to_hex((extract(epoch FROM made.at) * 1000)::bigint), 12, '0') || '7000' || '8000'
          || lpad(to_hex(made.number), 12, '0')
        )::uuid,
        ${apiKeyId}::uuid, 'webhook.test', 'https://receiver.example/hooks/' || made.number, 'req_test',
        -- Some are so long that their rows are higher on a phone.
        'invoice-' || made.number || repeat(' of a long order', made.number % 3), '{}', 'delivered', 1, 1,
        made.at, 200, made.at, made.at
      FROM accounts a
      CROSS JOIN LATERAL (
        SELECT n AS number, date_trunc('milliseconds', now() - n * interval '1 second') AS at
        FROM generate_series(1, ${count}::integer) AS n
      ) AS made
      WHERE a.id = ${accountId}::uuid`
  )

const scope = Scope.makeUnsafe()
const { url } = await Effect.runPromise(Scope.provide(testPostgres, scope))
afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

interface Stretch {
  /** The most rows, and the most nodes, that the document held at once. */
  readonly rows: number
  readonly nodes: number
  /** The most parts of the table, each of which the browser lays out and watches. */
  readonly parts: number
  /** Rows that were put into the document. */
  readonly drawn: number
  /** Milliseconds of each task in which the page could do nothing else for 50 ms. */
  readonly long: ReadonlyArray<number>
  /** The place of each row that was in the window, and the number in its reference. */
  readonly seen: ReadonlyArray<readonly [place: number, number: number]>
}

/** More frames than any way takes. */
const stepsMax = 2_000

/** Scrolls by `by` windows, with a frame between, until `isDone`, and tells what that took. */
const scroll = (page: Page, by: number, isDone: string): Promise<Stretch> =>
  page.evaluate(`(async () => {
    const told = { rows: 0, nodes: 0, parts: 0, drawn: 0, long: [], seen: [] }
    const body = document.querySelector("table.list")
    // Without its head.
    const rowsOf = () => [...body.rows].slice(1)
    const shown = () => Number.parseInt(document.querySelector(".more").textContent.replaceAll(",", ""))
    const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
    const drawn = new MutationObserver((changes) => {
      for (const { addedNodes } of changes) {
        for (const node of addedNodes) told.drawn += node.querySelectorAll?.("tr:not(.gap)").length ?? 0
      }
    })
    drawn.observe(body, { childList: true, subtree: true })
    const tasks = new PerformanceObserver((list) => {
      told.long.push(...list.getEntries().map(({ duration }) => Math.round(duration)))
    })
    tasks.observe({ type: "longtask" })
    const seen = new Map()
    const look = () => {
      told.rows = Math.max(told.rows, body.querySelectorAll("tbody tr:not(.gap)").length)
      told.parts = Math.max(told.parts, body.tBodies.length)
      told.nodes = Math.max(told.nodes, document.querySelectorAll("*").length)
      for (const row of rowsOf()) {
        const { bottom, top } = row.getBoundingClientRect()
        if (bottom <= 0 || top >= innerHeight) continue
        const place = Number(row.getAttribute("aria-rowindex"))
        seen.set(place, Number(/invoice-(\\d+)/.exec(row.textContent)?.[1]))
      }
    }
    look()
    for (let steps = 0; !(${isDone}); steps++) {
      if (steps === ${stepsMax}) throw new Error([steps, "steps, and at", scrollY, "of", document.body.scrollHeight, document.querySelector(".more").textContent].join(" "))
      scrollBy({ top: ${by} * innerHeight, behavior: "instant" })
      await frame()
      look()
    }
    tasks.disconnect()
    drawn.disconnect()
    return { ...told, seen: [...seen] }
  })()`)

/** A row in the middle of the window, once it is drawn there, and how far down the page that is. */
const rowInView = async (page: Page): Promise<{ readonly before: number; readonly seen: number }> => {
  const found = await page.waitForFunction(`(() => {
    const row = document.elementFromPoint(innerWidth / 2, innerHeight / 2)?.closest("tr[aria-rowindex]")
    return row && { before: scrollY, seen: Number(row.ariaRowIndex) }
  })()`)
  return found.jsonValue() as Promise<{ before: number; seen: number }>
}

const layoutCount = async (session: CDPSession): Promise<number> => {
  const { metrics } = await session.send("Performance.getMetrics")
  return metrics.find(({ name }) => name === "LayoutCount")?.value ?? Number.NaN
}

/** Rows of the first, of the last and around the focused one, and what is near a window of 900 pixels. */
const rowsMax = 250

/** Groups of 25 rows, and a gap at most between two of them. */
const partsMax = (2 * rowsMax) / 25

describe("2,500 deliveries", () => {
  const { accountId, admin, openConsole } = consoleSuite({
    RUNHOOK_STORE: "postgres",
    RUNHOOK_DATABASE_URL: url
  })

  beforeAll(async () => {
    const id = await accountId()
    const [key] = (await admin().account(id).keys.list().page()).data
    await Effect.runPromise(onDatabase(url, fill(id, key?.id ?? "")))
  })

  it("are read to the end and back, and drawing them costs no more at the end than at the beginning", async () => {
    const page = await openConsole("/deliveries")
    const session = await page.context().newCDPSession(page)
    await session.send("Performance.enable")
    const asked: Array<string | null> = []
    page.on("request", (request) => {
      const { pathname, searchParams } = new URL(request.url())
      if (pathname.endsWith("/deliveries") && searchParams.has("cursor"))
        asked.push(searchParams.get("cursor"))
    })
    await page.locator(".more").getByText("50 shown").waitFor()

    const stretches: Array<Stretch & { readonly layouts: number }> = []
    for (let until = 500; until <= count; until += 500) {
      const before = await layoutCount(session)
      const stretch = await scroll(page, 2, `shown() >= ${until}`)
      stretches.push({ ...stretch, layouts: (await layoutCount(session)) - before })
    }
    await page.getByText("2,500 deliveries", { exact: true }).waitFor()
    console.log(stretches.map((stretch) => ({ ...stretch, seen: stretch.seen.length })))

    // Every page came once.
    assert.strictEqual(asked.length, count / 50 - 1)
    assert.strictEqual(new Set(asked).size, asked.length)
    const [, second, ...later] = stretches
    assert.isDefined(second)
    for (const { drawn, layouts: laidOut, nodes, parts, rows } of later) {
      assert.isAtMost(rows, rowsMax)
      assert.isAtMost(parts, partsMax)
      assert.isAtMost(nodes, 2 * second.nodes)
      assert.isAtMost(drawn, 2 * second.drawn)
      assert.isAtMost(laidOut, 2 * second.layouts)
    }

    await scroll(page, 2, "scrollY + innerHeight >= document.documentElement.scrollHeight - 1")
    const back = await scroll(page, -0.9, "scrollY === 0")
    console.log({ ...back, seen: back.seen.length })
    assert.isAtMost(back.rows, rowsMax)
    assert.isAtMost(back.parts, partsMax)
    // Each row was seen, at the place that it says, which is that of the list.
    assert.deepStrictEqual(inOrder(back), placesTo(count))
    assert.strictEqual(await page.getByRole("table").getAttribute("aria-rowcount"), `${count + 1}`)
  })

  it("keep the row with the focus, and are cards of uneven height on a phone", async () => {
    const page = await openConsole("/deliveries")
    await page.locator(".more").getByText("50 shown").waitFor()
    await scroll(page, 2, "shown() >= 1_000")
    await scroll(page, -2, "scrollY === 0")

    // The row with the focus stays, however far away one looks meanwhile, and the next key finds the next one.
    const focused = () =>
      page.evaluate(`Number(document.activeElement.closest("tr")?.getAttribute("aria-rowindex"))`)
    for (let place = 2; place <= 60; place++) {
      await page.keyboard.press("j")
      assert.strictEqual(await focused(), place)
    }
    const away = await scroll(page, 2, "scrollY > 20_000")
    assert.isAtMost(away.rows, rowsMax)
    assert.strictEqual(await focused(), 60)
    for (let place = 61; place <= 90; place++) {
      await page.keyboard.press("j")
      assert.strictEqual(await focused(), place)
    }

    // Cards are of uneven height.
    await page.setViewportSize({ width: 360, height: 800 })
    await page.evaluate("scrollTo(0, 0)")
    const cards = await scroll(page, 0.9, "scrollY > 30_000")
    assert.isAtMost(cards.rows, rowsMax)
    assert.isAtLeast(cards.seen.length, 200)
    assert.deepStrictEqual(inOrder(cards), placesTo(cards.seen.length))
    await checkView(page, "deliveries-many")
  })

  it("are left for one of them, stepped through, and found as they were left", async () => {
    const page = await openConsole("/deliveries")
    await page.locator(".more").getByText("50 shown").waitFor()
    await scroll(page, 2, "shown() >= 400")
    const focused = () => page.evaluate("document.activeElement.closest('h1, a')?.textContent")
    const { before, seen } = await rowInView(page)
    const row = (after: number) => page.locator(`tr[aria-rowindex="${seen + after}"]`)

    // The keyboard goes on from the heading, wherever one arrives.
    await row(0).getByRole("link").click()
    await page.locator("h1").getByText("webhook.test").waitFor()
    await page.waitForFunction("document.activeElement.matches('h1')")
    const first = page.url()
    await page.keyboard.press("j")
    await page.waitForURL(({ href }) => href !== first)
    await page.waitForFunction("document.activeElement.matches('h1')")
    // Somebody is quicker than the browser paints.
    await page.evaluate(
      `document.querySelector("main button[aria-label='Next delivery']").click(); history.back()`
    )

    // All rows are here at once, and the last one opened is where the keyboard goes on.
    await row(2).waitFor()
    assert.include(await row(2).getAttribute("class"), "chosen")
    assert.strictEqual(await focused(), "webhook.test")
    assert.approximately(await page.evaluate<number>("scrollY"), before, 300)
    assert.isAtLeast(Number.parseInt(await page.locator(".more").innerText(), 10), 400)
  })

  it("stay beside one of them where there is room, and step along", async () => {
    const page = await openConsole("/deliveries")
    await page.setViewportSize({ width: 1_600, height: 900 })
    await page.getByRole("link", { name: "webhook.test" }).nth(7).click()
    const beside = page.getByRole("complementary", { name: "Deliveries" })
    const chosen = beside.locator("tr.chosen")
    await chosen.getByText("invoice-8 ").waitFor()
    await keepShot(page, "delivery-beside")

    await page.keyboard.press("j")
    await chosen.getByText("invoice-9").waitFor()
    await beside.getByRole("link").nth(2).click()
    await chosen.getByText("invoice-3").waitFor()
    await beside.getByRole("link").first().click()
    await chosen.getByText("invoice-1 ").waitFor()
    // There is none before it, and the key does not go to another row instead.
    await page.keyboard.press("k")
    assert.isTrue(await page.evaluate("document.activeElement.matches('h1')"))

    assert.strictEqual(await chosen.count(), 1)
    await page.setViewportSize({ width: 1_280, height: 900 })
    await beside.waitFor({ state: "detached" })
    await checkView(page, "delivery-of-many")
  })
})

const inOrder = ({ seen }: Stretch) => seen.toSorted(([a], [b]) => a - b)

/** The first places after the head of the table, and the numbers of the deliveries that belong there. */
const placesTo = (last: number) => Array.from({ length: last }, (_, at) => [at + 2, at + 1] as const)
