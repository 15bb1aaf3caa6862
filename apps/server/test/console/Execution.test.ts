/** One execution on the Integrations page: what happened, what it asks, and what can be done with it. */
import { assert, describe, it, vi } from "vitest"
import { checkView } from "./CheckView.ts"
import { patience } from "./ConsoleSuite.ts"
import { holdNext } from "./Held.ts"
import { arrangeHostile, assertHarmless } from "./Hostile.ts"
import { become, workplaceSuite } from "./WorkplaceSuite.ts"

describe("single executions", () => {
  const { accountId, admin, baseUrl, hooks, openConsole, place, until } = workplaceSuite()

  it("show what happened on one axis, and their pictures and video at one moment", async () => {
    const id = await place().run("capture", { callback_url: hooks().url, reference: "INV-PICTURES" })
    await until(id, "completed")
    const page = await openConsole(`/executions/${id}`)
    const shot = page.getByRole("button", { name: /after sign-in/ })
    await shot.waitFor()
    await become(page, "document.querySelector('video')?.readyState > 0")

    await shot.click()
    await page.waitForURL(/[?&]t=/)
    await page.getByRole("img", { name: /Screenshot at/ }).waitFor()
    await page.getByText("As a table").click()
    await checkView(page, "execution")

    const link = page.getByRole("region", { name: "Files" }).getByRole("link", { name: /invoice/ })
    const href = await link.getAttribute("href")
    const file = await page.request.get(`${baseUrl()}${href}`)
    assert.match(file.headers()["content-disposition"] ?? "", /^attachment/)
    assert.include(await page.locator(".rail").innerText(), "execution.completed")
    assert.isTrue(await page.getByRole("cell", { name: "Started", exact: true }).isVisible())
    await assertHarmless(page)
  })

  it("wind their video by the address, with parts of it fetched as they are needed", async () => {
    const id = await place().run("capture")
    await until(id, "completed")
    const page = await openConsole(`/executions/${id}?t=1`)

    await become(page, "document.querySelector('video')?.currentTime > 0.9")
    const { url } = (await place().account.executions.artifacts(id)).videos[0] ?? { url: "" }
    const part = await page.request.get(url, { headers: { range: "bytes=0-3" } })

    assert.strictEqual(part.status(), 206)
    assert.deepStrictEqual([...(await part.body())], [0x1a, 0x45, 0xdf, 0xa3])
  })

  it("say that the work is done and nobody knows", async () => {
    hooks().answers.set("execution.completed", 500)
    const id = await place().run("capture", { callback_url: hooks().url })
    await until(id, "completed")
    const page = await openConsole(`/executions/${id}`)

    const untold = page.getByText("The work is done, but the outcome has not arrived")
    await untold.waitFor()
    await page.getByText("answers 500 to completed", { exact: false }).waitFor()
    await checkView(page, "execution-untold")

    // It arrives while the page is being loaded again, which knew it as one that has not.
    hooks().answers.clear()
    const { account, key } = place()
    const { callbacks } = await account.executions.get(id)
    const told = callbacks.at(-1)?.event_id ?? ""
    const pending = await holdNext(page, new RegExp(`/deliveries/${told}$`))
    await page.reload()
    await pending.isAnswered
    await account.deliveries.tryNow(told)
    await vi.waitFor(
      async () => assert.strictEqual((await account.deliveries.get(told)).state, "delivered"),
      { timeout: patience }
    )
    // The page has heard of that when it hears of another one, which fails: it then counts dead letters.
    const heard = page.waitForRequest(/\/overview$/)
    await account.webhooks.test({ key_id: key.id, callback_url: `${baseUrl()}/404` })
    await heard
    await pending.letGo()
    await page.locator(".rail").waitFor()
    await untold.waitFor({ state: "detached" })
  })

  it("ask by a form, which says at the field what is wrong, and go on with the answer", async () => {
    const id = await place().run("ask", { reference: "DOCK-88213" })
    await until(id, "awaiting_input")
    const page = await openConsole(`/executions/${id}`, { expects: /422/ })
    const code = page.getByLabel("Code")

    await code.fill("48 21")
    await page.getByRole("button", { name: "Answer" }).click()
    await page.locator(".wrong").waitFor()
    await page.getByText("Sign in to the carrier portal").waitFor()
    await checkView(page, "execution-input")
    await code.fill("482153")
    await page.getByRole("button", { name: "Answer" }).click()
    await page.locator("h1").getByText("Completed").waitFor()

    const { result } = await place().account.executions.get(id)
    assert.deepStrictEqual(result, { signed_in: { code: "482153" } })
  })

  it("are cancelled with a reason, run again and released where they stand", async () => {
    const id = await place().run("wait", { reference: "INV-CANCEL" })
    await until(id, "running")
    const page = await openConsole(`/executions/${id}`)

    await page.getByRole("button", { name: "Cancel…" }).click()
    await page.getByRole("dialog").waitFor()
    await checkView(page, "execution-cancel")
    await page.getByLabel(/Reason/).fill("Wrong month")
    await page.getByRole("button", { name: "Cancel execution" }).click()
    await page.getByText("Wrong month").first().waitFor()
    await page.getByRole("button", { name: "Run again…" }).click()
    await page.getByRole("button", { name: "Run again", exact: true }).click()
    await page.waitForURL((url) => !url.pathname.endsWith(id))
    await page.getByRole("link", { name: /…/ }).first().waitFor()
    const held = await place().run("capture", { hold: true })
    await page.goto(`${baseUrl()}/integrations/executions/${held}`)
    await page.getByRole("button", { name: "Release" }).click()
    await page.locator("h1").getByText("Completed").waitFor()

    const [again] = (await place().account.executions.list({ reference: "INV-CANCEL" }).page()).data
    assert.strictEqual(again?.rerun_of, id)
    await place().account.executions.cancel(again?.id ?? "")
  })

  it("say why they wait, and let who may only look see what they may not", async () => {
    const { account, key, task } = place()
    const nobody = await account.agents.create({ name: "Nobody serves it" })
    const id = await place().run("capture", { agent_id: nobody.id, key_id: key.id, task_id: task.id })
    const page = await openConsole(`/executions/${id}`, { role: "viewer" })

    await page.getByText("No runner serves its agent").waitFor()
    await checkView(page, "execution-waiting")

    const button = page.getByRole("button", { name: "Cancel…" })
    assert.strictEqual(await button.getAttribute("aria-disabled"), "true")
  })

  it("are text, whatever strangers call them", async () => {
    const harm = await arrangeHostile(
      { admin: admin(), accountId: await accountId(), baseUrl: baseUrl() },
      hooks().url
    )
    const page = await openConsole("/executions")
    await page
      .getByRole("link", { name: /invoice/ })
      .first()
      .waitFor()
    await assertHarmless(page)
    await checkView(page, "executions-hostile")

    await page.goto(`${baseUrl()}/integrations/executions/${harm.executionId}`)
    await page.getByRole("heading", { name: "Timeline" }).waitFor()
    await checkView(page, "execution-hostile")
    await assertHarmless(page)
  })

  it("that are not here say so", async () => {
    const page = await openConsole("/executions/0192f0c1-2d3e-7abc-8def-0123456789ab", { expects: /404/ })

    await page.getByText("This execution is not here").waitFor()
    await checkView(page, "execution-gone")
  })
})
