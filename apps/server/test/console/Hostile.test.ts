/** Text from strangers is shown as text, in every view. */
import { afterAll, beforeAll, describe, it } from "vitest"
import { checkView } from "./CheckView.ts"
import { consoleSuite } from "./ConsoleSuite.ts"
import { arrangeHostile, assertHarmless, hostileReceiver } from "./Hostile.ts"

describe("what strangers write", () => {
  const { accountId, admin, baseUrl, openConsole } = consoleSuite()
  let arranged: Awaited<ReturnType<typeof arrangeHostile>>
  let deliveryId = ""
  let close = () => {}
  beforeAll(async () => {
    const receiver = await hostileReceiver()
    close = receiver.close
    const source = { admin: admin(), accountId: await accountId(), baseUrl: baseUrl() }
    arranged = await arrangeHostile(source, receiver.url)
    const { data } = await arranged.account.deliveries.list({ execution_id: arranged.executionId }).page()
    deliveryId = data[0]?.id ?? ""
  })
  afterAll(() => close())

  it.each([
    ["overview", () => "/"],
    ["executions", () => "/executions"],
    ["execution", () => `/executions/${arranged.executionId}`],
    ["deliveries", () => "/deliveries"],
    ["delivery", () => `/deliveries/${deliveryId}`],
    ["dead-letters", () => "/dead-letters"],
    ["receivers", () => "/receivers"],
    ["tasks", () => "/tasks"],
    ["task", () => "/tasks/hostile"],
    ["agents", () => "/agents"],
    ["agent", () => `/agents/${arranged.agent.id}`],
    ["keys", () => "/keys"],
    ["key", () => `/keys/${arranged.key.id}`],
    ["usage", () => "/usage"],
    ["audit", () => "/audit"],
    ["search", () => `/deliveries?q=${encodeURIComponent("<img src=x onerror=window.harmed=1>")}`]
  ])("is text in: %s", async (name, path) => {
    const page = await openConsole(path(), { isOnlyLookedAt: true })
    await page.locator("main [aria-busy=true]:visible").first().waitFor({ state: "detached" })

    await assertHarmless(page)
    await checkView(page, `hostile-${name}`)
  })
})
