/** An account in which something has gone wrong: a signing secret was replaced at once, and a receiver kept the old one. */
import {
  type Account,
  type Delivery,
  deliveryAttemptsMax,
  type JsonObject,
  type RunhookAdmin
} from "@runhook/sdk/admin"
import { apiAt } from "@runhook/test-support/world/Api"
import * as Effect from "effect/Effect"
import { eventually } from "../../Http.ts"
import { careful, down } from "./Receivers.ts"
import { customsSchema, invoicesSchema, slotSchema, startRunner } from "./Runner.ts"

export interface StorySource {
  readonly admin: RunhookAdmin
  readonly baseUrl: string
  readonly picture: Uint8Array
}

const day = 86_400_000

export const tellStory = async ({ admin, baseUrl, picture }: StorySource) => {
  const { id: accountId } = await admin.accounts.create({ name: "Meridian Freight" })
  const account = admin.account(accountId)
  const receivers = {
    erp: await careful("/hooks/runhook"),
    warehouse: await careful("/runhook/v1/callbacks"),
    kestrel: await down("/in")
  }
  const tasks = {
    invoices: await task(account, "carrier-invoices", "Carrier invoices", invoicesSchema),
    slot: await task(account, "dock-slot", "Book a dock slot", slotSchema),
    customs: await task(account, "customs-status", "Customs status", customsSchema)
  }
  const agents = {
    one: await account.agents.create({
      name: "Portal EU 1",
      capacity: 4,
      description: "Browsers in Frankfurt"
    }),
    two: await account.agents.create({ name: "Portal EU 2", capacity: 4 }),
    night: await account.agents.create({ name: "Night batch", capacity: 2 })
  }
  const keys = {
    erp: await account.keys.create({ name: "Northquay ERP" }),
    warehouse: await account.keys.create({
      name: "Warehouse ERP",
      allowed_task_ids: [tasks.invoices.id, tasks.slot.id]
    }),
    staging: await account.keys.create({
      name: "Staging, old",
      expires_at: new Date(new Date().getTime() + 3 * day).toISOString()
    })
  }
  receivers.erp.secrets.push(keys.erp.signing_secret)
  receivers.warehouse.secrets.push(keys.warehouse.signing_secret)
  const { key: runnerKey } = await account.runnerKeys.create({ name: "Portal runners" })
  const runner = startRunner({
    baseUrl,
    key: runnerKey,
    agentIds: [agents.one.id, agents.two.id],
    picture
  })

  const run = async (key: string, body: JsonObject): Promise<string> =>
    (await apiAt(baseUrl).json({ key, path: "/integrations/executions", body })).execution_id
  const invoices = (key: string, reference: string, callback: string, carrier = "Kestrel Express") =>
    run(key, {
      agent_id: agents.one.id,
      task_id: tasks.invoices.id,
      reference,
      metadata: { tenant: "meridian-de" },
      params: { carrier, month: "2026-11" },
      callback_url: callback
    })

  const executionIds: Array<string> = []
  for (let at = 0; at < 14; at++) {
    executionIds.push(await invoices(keys.erp.key, `INV-2026-11-0${640 + at}`, receivers.erp.url))
  }
  const well = await invoices(keys.warehouse.key, "INV-2026-11-0701", receivers.warehouse.url)
  await settled(account, [...executionIds, well])
  const failed = await invoices(keys.erp.key, "INV-2026-11-0702", receivers.erp.url, "Brightwater")

  // From here on the receiver of the warehouse refuses what is signed.
  await account.keys.rotateSigningSecret(keys.warehouse.id, { mode: "immediate" })
  for (let at = 0; at < 5; at++)
    await invoices(keys.warehouse.key, `INV-2026-11-071${at}`, receivers.warehouse.url)
  const asking = await run(keys.erp.key, {
    agent_id: agents.two.id,
    task_id: tasks.slot.id,
    reference: "DOCK-88213",
    params: { warehouse: "Hamburg", pallets: 12 },
    callback_url: receivers.kestrel.url
  })
  for (let at = 0; at < 3; at++) {
    await run(keys.erp.key, {
      agent_id: agents.night.id,
      task_id: tasks.customs.id,
      reference: `MRN-26DE73010000000${at}`,
      params: { mrn: `26DE7301000000000${at}` }
    })
  }
  const dead = await killed(account, receivers.warehouse.url, 3)
  return {
    account,
    accountId,
    agents,
    asking,
    dead,
    done: executionIds[0] ?? "",
    failed,
    keys,
    tasks,
    end: async () => {
      await runner.stop()
      await Promise.all(Object.values(receivers).map(({ close }) => close()))
    }
  }
}

const task = async (account: Account, slug: string, name: string, params_schema: JsonObject) => {
  const made = await account.tasks.create({ slug, name })
  await account.tasks.publish(made.id, { params_schema, tags: ["stable"] })
  return made
}

const until = <A>(look: () => Promise<A>, isThere: (found: A) => boolean): Promise<A> =>
  Effect.runPromise(eventually(Effect.promise(look), isThere))

/** Ends when every callback of these executions was delivered. */
const settled = (account: Account, ids: ReadonlyArray<string>) =>
  until(
    () => Promise.all(ids.map((execution_id) => account.deliveries.list({ execution_id }).page())),
    (pages) =>
      pages.every(({ data }) => data.length === 3 && data.every(({ state }) => state === "delivered"))
  )

/** Tries the first callbacks of some executions until they are given up. */
const killed = async (account: Account, url: string, count: number): Promise<ReadonlyArray<Delivery>> => {
  const { data } = await account.deliveries
    .list({ status: "pending", q: url, type: "execution.queued" })
    .page()
  const chosen = data.slice(0, count)
  await Promise.all(chosen.map(({ id }) => kill(account, id)))
  return chosen
}

const kill = async (account: Account, id: string) => {
  for (let attempt = 2; attempt <= deliveryAttemptsMax; attempt++) {
    await until(
      () => account.deliveries.get(id),
      ({ attempts, waiting_for: waitsFor }) => attempts >= attempt - 1 && waitsFor !== "sending"
    )
    await account.deliveries.tryNow(id)
  }
  await until(
    () => account.deliveries.get(id),
    ({ state }) => state === "dead"
  )
}
