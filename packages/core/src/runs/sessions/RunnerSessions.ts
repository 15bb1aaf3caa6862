/** What operators see of runners, and ask of them. */
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { runnerDrained } from "../../audit/CatalogEvents.ts"
import type { AccountId, AgentId, InAccount, SessionId } from "../../shared/Ids.ts"
import type { PageRequest } from "../../shared/Page.ts"
import { AccountStore } from "../../accounts/AccountStore.ts"
import { AgentStore } from "../../catalog/AgentStore.ts"
import { RunStore, SessionNotFound } from "../RunStore.ts"
import { Signals } from "../../signals/Signals.ts"
import { changedByOperator } from "../../signals/ChangeSignals.ts"
import { audited } from "../../audit/Audited.ts"
import { useCase } from "../../engine/UseCase.ts"

export class RunnerSessions extends Context.Service<RunnerSessions>()(
  "@runhook/core/runs/sessions/RunnerSessions",
  {
    make: Effect.gen(function* () {
      const accounts = yield* AccountStore
      const agents = yield* AgentStore
      const signals = yield* Signals
      const store = yield* RunStore

      /**
       * The sessions that serve the agent, or all of the account if it is null, newest
       * first, until a day after their last heartbeat.
       */
      const list = useCase("RunnerSessions.list")(function* (
        options: { readonly accountId: AccountId; readonly agentId: AgentId | null },
        page: PageRequest
      ) {
        const { accountId, agentId } = options
        yield* accounts.get(accountId)
        if (agentId !== null) yield* agents.find(accountId, agentId)
        return yield* store.listSessions(options, page)
      })

      /** Asks a runner to take no more work, finish what it has, and leave. From now on it gets no more. */
      const drain = useCase("RunnerSessions.drain")(function* ({ accountId, id }: InAccount<SessionId>) {
        // An unknown account has no sessions, whatever the store answers for it.
        yield* accounts.get(accountId).pipe(Effect.catch(() => new SessionNotFound({ id })))
        const audit = yield* audited(runnerDrained)
        const session = yield* store.drainSession({ accountId, id, at: yield* DateTime.now, audit })
        yield* signals.notify([`session:${id}`, ...changedByOperator(accountId, "agent", null)])
        return session
      })

      return { list, drain }
    })
  }
) {
  static readonly layer = Layer.effect(RunnerSessions, RunnerSessions.make)
}
