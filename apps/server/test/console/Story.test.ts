/** The whole page over one story, as an operator reads it who was woken up for it. */
import { afterAll, beforeAll, describe, it } from "vitest"
import { checkView } from "./CheckView.ts"
import { consoleSuite } from "./ConsoleSuite.ts"
import { tellStory } from "./story/Story.ts"

describe("an account in which a receiver refuses every callback", () => {
  const { admin, baseUrl, openConsole, takePicture } = consoleSuite()
  let story: Awaited<ReturnType<typeof tellStory>>
  beforeAll(async () => {
    const picture = await takePicture("<h1>Kestrel Express</h1><p>Invoices of November</p>")
    story = await tellStory({ admin: admin(), baseUrl: baseUrl(), picture })
  })
  afterAll(() => story?.end())

  it.each([
    ["overview", () => "/"],
    ["executions", () => "/executions"],
    ["execution", () => `/executions/${story.done}`],
    ["execution-input", () => `/executions/${story.asking}`],
    ["deliveries", () => "/deliveries"],
    ["delivery", () => `/deliveries/${story.dead[0]?.id}`],
    ["dead-letters", () => "/dead-letters"],
    ["receivers", () => "/receivers"],
    ["tasks", () => "/tasks"],
    ["task", () => "/tasks/carrier-invoices"],
    ["agents", () => "/agents"],
    ["agent", () => `/agents/${story.agents.one.id}`],
    ["keys", () => "/keys"],
    ["key", () => `/keys/${story.keys.warehouse.id}`],
    ["usage", () => "/usage"],
    ["audit", () => "/audit"]
  ])("is shown to everybody: %s", async (name, path) => {
    const page = await openConsole(path(), { accountId: story.accountId, isOnlyLookedAt: true })
    await page.locator("main [aria-busy=true]:visible").first().waitFor({ state: "detached" })

    await checkView(page, `story-${name}`, "all")
  })
})
