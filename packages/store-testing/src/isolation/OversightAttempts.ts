/** What may be tried with the ids of an account, in another's name, at what people are shown of it. */
import { DeliveryStore } from "@runhook/core/ports/DeliveryStore"
import { RunStore } from "@runhook/core/ports/RunStore"
import { UsageStore } from "@runhook/core/ports/UsageStore"
import * as Effect from "effect/Effect"
import { entriesOf, record } from "../audit/AuditFixtures.ts"
import { aDeadDelivery } from "../deliveries/DeliveryFixtures.ts"
import { second, type Tenant } from "../Fixtures.ts"
import { addAll, aSum, aUse, requestsOf, sumsOf } from "../usage/UsageFixtures.ts"
import type { Attempt } from "./IsolationFixtures.ts"

const at = second(5)
const page = { after: null, limit: 100 }

/** Gives a tenant counts, a dead letter, a receiver, and entries of the audit log. */
export const overseen = Effect.fnUntraced(function* (tenant: Tenant) {
  const { accountId, agentId, apiKeyId, taskId } = tenant
  yield* aDeadDelivery(tenant)
  const created = { accountId, before: null, after: null }
  yield* record({ ...created, action: "key.created", subject: { kind: "key", id: apiKeyId, name: null } })
  yield* record({ ...created, action: "agent.created", subject: { kind: "agent", id: agentId, name: null } })
  yield* addAll({
    sums: [
      aSum(accountId, { created: 1 }),
      aSum(accountId, { created: 1 }, { subject: { kind: "task", id: taskId } }),
      requestsOf(tenant, 4, second(0))
    ],
    keyUses: [aUse(tenant, second(3), "203.0.113.7")]
  })
})

/** Those of the numbers that tell of something. */
const numbersIn = (counts: object) => Object.values(counts).filter((each) => each !== 0 && each !== null)

export const ofOversight: Readonly<Record<string, Attempt>> = {
  "read what the audit log says of a key": ({ stranger, tenant }) =>
    entriesOf(stranger, { subjectId: tenant.apiKeyId }),
  "search the audit log": ({ stranger, tenant }) => entriesOf(stranger, { text: tenant.agentId }),
  "group dead letters": ({ stranger }) =>
    Effect.map(
      DeliveryStore.use((_) => _.deadLetters(stranger)),
      ({ groups }) => groups
    ),
  "list runner sessions": ({ stranger }) =>
    RunStore.use((_) => _.listSessions({ accountId: stranger, agentId: null }, page)),
  "list the runner sessions of an agent": ({ stranger, tenant: { agentId } }) =>
    RunStore.use((_) => _.listSessions({ accountId: stranger, agentId }, page)),
  "drain a runner session": ({ session: { id }, stranger }) =>
    RunStore.use((_) => _.drainSession({ accountId: stranger, id, at })),
  "read usage": ({ stranger, tenant: { accountId } }) =>
    sumsOf(stranger, { of: { kind: "account", id: accountId } }),
  "read the usage of a key": ({ stranger, tenant: { apiKeyId } }) =>
    sumsOf(stranger, { of: { kind: "key", id: apiKeyId } }),
  "read the usage of all tasks": ({ stranger }) => sumsOf(stranger, { of: { kind: "task", id: null } }),
  "read how a key was used": ({ stranger, tenant: { apiKeyId } }) =>
    UsageStore.use((_) => _.keyUsage({ accountId: stranger, ids: [apiKeyId], since: second(0) })),
  "read what hangs on a key": ({ stranger, tenant: { apiKeyId } }) =>
    Effect.map(
      UsageStore.use((_) => _.keyLoad({ accountId: stranger, id: apiKeyId })),
      numbersIn
    ),
  "list receivers": ({ stranger }) =>
    UsageStore.use((_) => _.receivers({ accountId: stranger, since: second(0), limit: 10 })),
  "read what goes on": ({ stranger }) =>
    Effect.map(
      UsageStore.use((_) => _.standing({ accountId: stranger, at })),
      numbersIn
    )
}
