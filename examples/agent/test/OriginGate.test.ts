import { assert, describe, it } from "vitest"
import { launchBrowser } from "../src/Browser.ts"
import { openOriginGate } from "../src/OriginGate.ts"
import { startPageServer } from "./PageServer.ts"

describe("OriginGate", () => {
  it("lets a browser reach an allowed origin, and sees Chromium ask for nothing else", async () => {
    await using site = await startPageServer()
    await using gate = await openOriginGate([site.origin])
    await using browser = await launchBrowser({ proxy: gate.url })
    const page = await browser.newPage()

    const response = await page.goto(`${site.origin}/`)

    assert.strictEqual(response?.status(), 200)
    assert.deepStrictEqual(gate.refused, [])
  })

  it("stops a redirect to an origin that is not allowed", async () => {
    await using site = await startPageServer()
    await using other = await startPageServer()
    await using gate = await openOriginGate([site.origin])
    await using browser = await launchBrowser({ proxy: gate.url })
    const page = await browser.newPage()

    const response = await page.goto(`${site.origin}/away?to=${other.origin}/`)

    assert.strictEqual(response?.status(), 403)
    assert.deepStrictEqual(other.asked, [])
    assert.include(gate.refused, new URL(other.origin).host)
  })

  it("stops a WebSocket to an origin that is not allowed", async () => {
    await using site = await startPageServer()
    await using other = await startPageServer()
    await using gate = await openOriginGate([site.origin])
    await using browser = await launchBrowser({ proxy: gate.url })
    const page = await browser.newPage()
    await page.goto(`${site.origin}/plain`)

    const { host } = new URL(other.origin)
    const event = await page.evaluate<string>(
      `new Promise((resolve) => {
        const socket = new WebSocket("ws://${host}/")
        socket.onopen = socket.onerror = ({ type }) => resolve(type)
      })`
    )

    assert.strictEqual(event, "error")
    assert.deepStrictEqual(other.asked, [])
    assert.deepStrictEqual(gate.refused, [host])
  })
})
