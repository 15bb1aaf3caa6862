/** What people and programs list, by all that they may ask. */
import { ExecutionId } from "@runhook/core/shared/Ids"
import { DeliveryStore, type DeliveryFilter } from "@runhook/core/deliveries/DeliveryStore"
import { type ExecutionFilter, ExecutionStore } from "@runhook/core/executions/ExecutionStore"
import { makeApiKey } from "@runhook/store-testing/catalog/CatalogFixtures"
import { anyDelivery } from "@runhook/store-testing/deliveries/DeliveryFixtures"
import { anyExecution, idAt, second } from "@runhook/store-testing/Fixtures"
import * as Effect from "effect/Effect"
import { looksMax } from "./ExplainedStores.ts"
import { sharedReference, type Samples } from "./Samples.ts"
import { together, type Verb } from "./Verb.ts"

const page = { after: null, limit: together }

/** A list in two statuses looks at a page of each. */
const rows = 2 * together

export const listsOfExecutions = Effect.fnUntraced(function* ({
  middle,
  otherAgentId,
  otherTaskId,
  tenant
}: Samples) {
  const executions = yield* ExecutionStore
  const { accountId, agentId, taskId } = tenant
  const after = yield* idAt(ExecutionId, middle)
  const filters: { readonly [name: string]: Partial<ExecutionFilter> } = {
    everything: {},
    "a common status": { statuses: ["queued"] },
    "a rare status": { statuses: ["running"] },
    "a status of nothing": { statuses: ["cancelled"] },
    "what is queued and what runs": { statuses: ["queued", "running"] },
    "what runs and what has failed": { statuses: ["running", "error"] },
    "two statuses": { statuses: ["completed", "error"] },
    "what has not ended": { statuses: ["pending", "queued", "running", "awaiting_input"] },
    "a task": { taskId },
    "an agent": { agentId },
    "a task and its agent": { taskId, agentId },
    "a task and an agent that never meet": { taskId, agentId: otherAgentId },
    "a task and a status": { taskId, statuses: ["error"] },
    "a task and a status that never meet": { taskId: otherTaskId, statuses: ["error"] },
    "a task and what is queued": { taskId, statuses: ["queued"] },
    "a task and what runs": { taskId, statuses: ["running"] },
    "a task and what is held": { taskId, statuses: ["pending"] },
    "an agent and what is queued": { agentId, statuses: ["queued"] },
    "an agent and what runs": { agentId: otherAgentId, statuses: ["running"] },
    "an agent and a status": { agentId, statuses: ["error"] },
    "an agent and a status that never meet": { agentId: otherAgentId, statuses: ["error"] },
    "a task, its agent and a status": { taskId, agentId, statuses: ["error"] },
    "a reference": { reference: sharedReference },
    "a reference that is an id": { reference: after },
    "what begins like a reference": { find: sharedReference.slice(0, 3) },
    "what begins like an id": { find: after.slice(0, 8) },
    "what begins like nothing": { find: "nothing begins so" },
    "what came since the middle": { from: middle },
    "what came until the middle": { to: middle },
    "a status until the middle": { statuses: ["queued"], to: middle },
    "a task until the middle": { taskId, to: middle },
    "all conditions": {
      statuses: ["queued"],
      taskId,
      agentId,
      reference: sharedReference,
      from: middle,
      to: second(0)
    }
  }
  return Object.entries(filters).flatMap(([name, filter]): ReadonlyArray<Verb> => {
    const list = (begin: ExecutionId | null) =>
      executions.list(accountId, { ...anyExecution, ...filter }, { ...page, after: begin })
    return [
      { name: `list of ${name}`, rows, run: list(null) },
      { name: `list of ${name} behind a cursor`, rows, run: list(after) }
    ]
  })
})

export const listsOfDeliveries = Effect.fnUntraced(function* ({ executions, middle, tenant }: Samples) {
  const store = yield* DeliveryStore
  const { accountId, apiKeyId } = tenant
  const { id: unusedKeyId } = yield* makeApiKey(accountId)
  const origin = "https://example.com"
  const elsewhere = "https://elsewhere.example"
  const executionId = executions.at(-1)?.id ?? null
  const filters: { readonly [name: string]: Partial<DeliveryFilter> } = {
    everything: {},
    "a key": { apiKeyId },
    "a key without deliveries": { apiKeyId: unusedKeyId },
    "an execution": { executionId },
    "an execution of a key": { apiKeyId, executionId },
    "what begins like a reference": { find: sharedReference.slice(0, 3) },
    "what begins like an id": { find: executionId?.slice(0, 8) ?? "" },
    "what begins like nothing": { find: "nothing begins so" },
    "the dead": { states: ["dead"] },
    "the dead of a key": { apiKeyId, states: ["dead"] },
    "a receiver": { origin },
    "a receiver that nothing was sent to": { origin: elsewhere },
    "the dead of a receiver": { origin, states: ["dead"] },
    "the dead of a receiver that has none": { origin: elsewhere, states: ["dead"] },
    "a cause of the dead": { cause: "server_error" },
    "a cause of those that wait": { cause: "unauthorized" },
    "a cause that nothing has": { cause: "tls_failed" },
    "the dead by a cause that others have": { cause: "unauthorized", states: ["dead"] },
    "those that wait by a cause that others have": { cause: "server_error", states: ["pending"] },
    "the dead of a receiver by cause": { origin, cause: "server_error", states: ["dead"] },
    "what was refused": { answer: "4xx" },
    "what failed at the receiver": { answer: "5xx" },
    "what has no answer": { answer: "none" },
    "the dead without an answer": { answer: "none", states: ["dead"] },
    "the dead that were refused": { answer: "4xx", states: ["dead"] },
    "what came until the middle": { to: middle },
    "what came since the end": { from: second(3_600) }
  }
  const looked: { readonly [name: string]: Partial<DeliveryFilter> } = {
    "the dead until the middle": { states: ["dead"], to: middle },
    "what was cancelled": { states: ["cancelled"] },
    "what waits at a receiver": { origin, states: ["pending"] },
    "what was taken": { answer: "2xx" },
    "a type of nothing": { type: "webhook.test" },
    "the dead of a type of nothing": { type: "webhook.test", states: ["dead"] },
    "words of nothing": { text: "nothing has them" }
  }
  const listsOf = (asked: typeof filters, most: number) =>
    Object.entries(asked).map(([name, filter]): Verb => ({
      name: `list of deliveries: ${name}`,
      rows: most,
      run: store.list(accountId, { ...anyDelivery, ...filter }, page)
    }))
  return [
    ...listsOf(filters, rows),
    ...listsOf(looked, looksMax),
    { name: "dead letters", rows: together, run: store.deadLetters(accountId) }
  ]
})
