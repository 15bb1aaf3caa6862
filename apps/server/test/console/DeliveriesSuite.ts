/** The page of an account whose receivers answer well, refuse, fail, do harm and are gone. */
import { startReceiver } from "@runhook/test-support/receivers/Receiver"
import { afterAll, assert, beforeAll, vi } from "vitest"
import { consoleSuite, patience } from "./ConsoleSuite.ts"
import { hostileReceiver } from "./Hostile.ts"

/** A receiver that answers with the status in its path, or with the one it was told. */
export const receiver = async () => {
  let gate = 200
  const started = await startReceiver((response, { path }) => {
    const status = Number(path.slice(1)) || gate
    response.writeHead(status, { "content-type": "application/json" }).end(`{"said":${status}}`)
  })
  return {
    ...started,
    /** What it answers at any other path. */
    answerBy: (status: number) => (gate = status)
  }
}

/** Call it once within `describe`. */
export const deliveriesSuite = () => {
  const suite = consoleSuite()
  let site: Awaited<ReturnType<typeof receiver>>
  let hostile: Awaited<ReturnType<typeof hostileReceiver>>
  const made = { key: "", secret: "", ok: "", refused: "", failing: "", hostile: "", lost: "" }

  const account = async () => suite.admin().account(await suite.accountId())

  /** Looks until an attempt has been made. */
  const tried = async (id: string) => {
    const { deliveries } = await account()
    return await vi.waitFor(
      async () => {
        const found = await deliveries.get(id)
        assert.isNotEmpty(found.attempts_log)
        return found
      },
      { timeout: patience }
    )
  }

  beforeAll(async () => {
    site = await receiver()
    hostile = await hostileReceiver()
    const { keys, webhooks } = await account()
    const key = await keys.create({ name: "Warehouse ERP" })
    const sent = async (url: string) => {
      const { delivery_id } = await webhooks.test({ key_id: key.id, callback_url: url })
      await tried(delivery_id)
      return delivery_id
    }
    made.key = key.id
    made.secret = key.signing_secret
    made.ok = await sent(`${site.origin}/200`)
    made.refused = await sent(`${site.origin}/401`)
    made.failing = await sent(`${site.origin}/503`)
    made.hostile = await sent(hostile.url)
    const closed = await receiver()
    await closed.close()
    made.lost = await sent(`${closed.origin}/hook`)
  })

  afterAll(() => {
    site?.close()
    hostile?.close()
  })

  return { ...suite, account, made, site: () => site, tried }
}
