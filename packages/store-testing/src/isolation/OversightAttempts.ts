/** What may be tried with the ids of an account, in another's name, at what people are shown of it. */
import { DeliveryStore } from "@runhook/core/deliveries/DeliveryStore"
import { RunStore } from "@runhook/core/runs/RunStore"
import { UsageStore } from "@runhook/core/usage/UsageStore"
import * as Effect from "effect/Effect"
import { entriesOf } from "../audit/AuditFixtures.ts"
import { second } from "../Fixtures.ts"
import { sumsOf } from "../usage/UsageFixtures.ts"
import type { Attempt } from "./IsolationFixtures.ts"

const at = second(5)
const page = { after: null, limit: 100 }

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
