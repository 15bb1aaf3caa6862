/** All that belongs to one account. */
import { systemClock } from "../call/Clock.ts"
import { pathOf } from "../call/Request.ts"
import type { Send } from "../call/Send.ts"
import { makeAudit } from "./Audit.ts"
import { type ChangesOptions, follow } from "./Changes.ts"
import { makeAgents, makeSessions, makeTasks } from "./Catalog.ts"
import { makeDeliveries, makeReplays, makeWebhooks } from "./Deliveries.ts"
import { makeExecutions } from "./Executions.ts"
import { makeKeys, makeRunnerKeys } from "./Keys.ts"
import { makeConsoleLinks } from "./Sessions.ts"
import { rootedAt } from "./Rooted.ts"
import { makeUsage } from "./Usage.ts"

export const makeAccount = (send: Send, id: string) => {
  const rooted = rootedAt(pathOf`/accounts/${id}`, send)
  return {
    id,
    /** The keys of integrations. */
    keys: makeKeys(rooted),
    /** The keys of runner processes. */
    runnerKeys: makeRunnerKeys(rooted),
    /** Links that sign people in to the Integrations page. */
    consoleLinks: makeConsoleLinks(rooted),
    /** What executions run on. */
    agents: makeAgents(rooted),
    /** Runner processes. */
    sessions: makeSessions(rooted),
    /** What can be run, in versions. */
    tasks: makeTasks(rooted),
    executions: makeExecutions(rooted),
    /** What became of the webhooks, attempt by attempt. */
    deliveries: makeDeliveries(rooted),
    /** Replays of many deliveries. */
    replays: makeReplays(rooted),
    /** Try out a webhook receiver. */
    webhooks: makeWebhooks(rooted),
    /** Who changed what, and when. */
    audit: makeAudit(rooted),
    /**
     * Tells what changes in the account, as it happens, for as long as it is read. It comes back by itself when the
     * connection breaks, and says `reset` where something was missed. It rejects where the service refuses.
     *
     * ```ts
     * for await (const change of admin.account(id).changes({ signal })) {
     *   if (change.event === "change" && change.kind === "delivery" && change.state === "dead") page(change.id)
     * }
     * ```
     */
    changes: (options: ChangesOptions = {}) =>
      follow(pathOf`/accounts/${id}/changes`, { send, clock: systemClock, options }),
    /** How it fares: counts, receivers, and what goes on now. */
    usage: makeUsage(rooted)
  }
}

export type Account = ReturnType<typeof makeAccount>
