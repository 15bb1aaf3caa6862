/** Agents and the runner processes behind them. */
import { assert, describe, it } from "vitest"
import { checkView } from "./CheckView.ts"
import { consoleSuite } from "./ConsoleSuite.ts"

interface Told {
  readonly session_id: string
  readonly commands: ReadonlyArray<object>
}

describe("agents in the console", () => {
  const { accountId, admin, baseUrl, openConsole } = consoleSuite()

  const makeAgent = async (name: string) => {
    const account = admin().account(await accountId())
    return {
      account,
      agent: await account.agents.create({ name, description: "Two at a time", capacity: 2 })
    }
  }

  /** A runner process that opens a session, and records its commands. */
  const makeRunner = async (agentId: string) => {
    const account = admin().account(await accountId())
    const { key } = await account.runnerKeys.create({ name: "Cellar", agent_ids: [agentId] })
    const call = async (path: string, body: object) => {
      const answer = await fetch(`${baseUrl()}/api/v1/runner${path}`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify(body)
      })
      const told: Told = JSON.parse(await answer.text())
      return told
    }
    const { session_id } = await call("/sessions", {
      instance_id: "cellar-1",
      runner_name: "Cellar",
      version: "1.4.0",
      capacity: 2,
      agent_ids: [agentId]
    })
    const claim = { session_id, claim_id: "claim-1", free_slots: 1, wait_ms: 30_000, in_flight: [] }
    return { poll: () => call("/claims", claim) }
  }

  it("are shown with their load, and with what waits for a runner that is not there", async () => {
    const { account, agent } = await makeAgent("Night batch")
    const task = await account.tasks.create({ slug: "night", name: "Night" })
    await account.tasks.publish(task.id, { params_schema: {} })
    const key = await account.keys.create({ name: "Night" })
    await account.executions.create({ key_id: key.id, agent_id: agent.id, task_id: task.id })
    const page = await openConsole("/agents")

    await page.getByText("1 execution waits for Night batch, and no runner serves it").waitFor()

    await checkView(page, "agents")
  })

  it("come online while one looks, and a runner is told to drain", async () => {
    const { agent } = await makeAgent("Customs")
    const page = await openConsole(`/agents/${agent.id}`)
    await page.getByRole("heading", { level: 1 }).getByText("Offline").waitFor()

    const { poll } = await makeRunner(agent.id)
    await page.getByRole("heading", { level: 1 }).getByText("Online").waitFor()
    const told = poll()
    await page.getByRole("button", { name: "Drain Cellar" }).click()
    await checkView(page, "agent-drain")
    await page.getByRole("dialog").getByRole("button", { name: "Drain" }).click()

    assert.deepStrictEqual((await told).commands, [{ type: "drain" }])
    await page.getByRole("heading", { level: 1 }).getByText("Draining").waitFor()
    await checkView(page, "agent")
  })

  it("are made, paused, let work again, disabled and removed", async () => {
    const page = await openConsole("/agents")
    await page.getByRole("button", { name: "New agent" }).first().click()
    await page.getByLabel("Name", { exact: true }).fill("Portal EU 1")
    await page.getByRole("spinbutton", { name: "Slots" }).fill("8")
    await page.getByRole("button", { name: "Create agent" }).click()
    await page.getByRole("heading", { level: 1, name: /Portal EU 1/ }).waitFor()

    await page.getByRole("button", { name: "Pause" }).click()
    await page.getByRole("heading", { level: 1 }).getByText("Paused").waitFor()
    await page.getByRole("button", { name: "Resume" }).click()
    await page.getByRole("button", { name: "Disable…" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Disable" }).click()
    await page.getByRole("heading", { level: 1 }).getByText("Disabled").waitFor()
    await page.getByRole("button", { name: "Remove agent…" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click()
    await page.getByRole("heading", { level: 1, name: "Agents" }).waitFor()

    const account = admin().account(await accountId())
    const names = (await account.agents.list().page()).data.map(({ name }) => name)
    assert.notInclude(names, "Portal EU 1")
  })
})
