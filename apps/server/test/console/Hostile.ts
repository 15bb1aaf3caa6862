/**
 * Text with which strangers may attack the page: names, references, answers of receivers. All of it must be shown as
 * text.
 */
import type { RunhookAdmin } from "@runhook/sdk/admin"
import { startReceiver } from "@runhook/test-support/receivers/Receiver"
import { apiAt } from "@runhook/test-support/world/Api"
import type { Page } from "playwright-core"
import { assert } from "vitest"

/** Runs when something takes it for HTML, and is then found by `assertHarmless`. */
const script = `<script>window.harmed="script"</script><img src=x onerror="window.harmed='img'">`

export const hostile = {
  script,
  /** Looks like `invoice.exe` turned into `invoicexe.fdp`. */
  bidi: "invoice\u202efdp.exe",
  zeroWidth: "ad\u200bmin\u200e\u200f",
  ansi: "\u001b[31mfatal\u001b[0m",
  link: "javascript:window.harmed='link'",
  long: "W".repeat(200),
  /** 16 KB of what no receiver should answer. */
  body: `${script}\u001b[31mred\u001b[0m\u202egnp.exe\0${"𝕏\u0007<svg/onload=window.harmed='svg'>".repeat(400)}`
} as const

/** A name of the length that names may have, with as much of the above as names take. */
export const hostileName = `<b>invoice</b>${hostile.zeroWidth}<script>window.harmed=1</script>`

/** A receiver that refuses everything with the answer above. Call `close` at the end. */
export const hostileReceiver = async () => {
  const started = await startReceiver((response) =>
    response
      .writeHead(500, {
        "content-type": "text/html",
        "x-note": "<script>window.harmed='header'</script>",
        "set-cookie": "session=stolen; Path=/"
      })
      .end(hostile.body)
  )
  return { ...started, url: `${started.origin}/${encodeURIComponent(hostile.script)}` }
}

/** A key, a task with a version, an agent, and an execution with a callback, all with hostile names. */
export const arrangeHostile = async (
  {
    admin,
    accountId,
    baseUrl
  }: { readonly admin: RunhookAdmin; readonly accountId: string; readonly baseUrl: string },
  callbackUrl: string
) => {
  const account = admin.account(accountId)
  const key = await account.keys.create({ name: hostileName })
  const agent = await account.agents.create({ name: hostileName, description: hostile.script })
  const task = await account.tasks.create({ slug: "hostile", name: hostileName, description: hostile.script })
  await account.tasks.publish(task.id, { params_schema: { type: "object", description: hostile.script } })
  const { execution_id: executionId } = await apiAt(baseUrl).json<{ readonly execution_id: string }>({
    key: key.key,
    path: "/integrations/executions",
    body: {
      agent_id: agent.id,
      task_id: task.id,
      reference: hostile.script,
      metadata: { [hostile.bidi]: hostile.ansi, "<b>": hostile.link },
      params: { [hostile.script]: hostile.body.replaceAll("\0", "").slice(0, 4_000) },
      callback_url: callbackUrl
    }
  })
  return { account, agent, executionId, key, task }
}

/** Fails when anything of it was taken for more than text. */
export const assertHarmless = async (page: Page): Promise<void> => {
  assert.isUndefined(await page.evaluate("window.harmed"))
  assert.strictEqual(await page.locator("main script, main iframe, main [onerror], main [onload]").count(), 0)
  assert.strictEqual(await page.locator('a[href^="javascript:" i]').count(), 0)
  // Drawn raw, this character turns around all that follows it.
  assert.notInclude(await page.locator("body").innerText(), "\u202e")
}
