/** The inlets of the polls of this process: polls open them, and the stores reserve places at them. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import type { AccountId, AgentId } from "../../shared/Ids.ts"
import type { ReservedWork, WorkInlet } from "./WorkInlet.ts"
import { SetsByKey } from "../../engine/SetsByKey.ts"

/** A place for a run, and the inlet that keeps it. */
export interface WorkPlace {
  readonly inlet: WorkInlet
  readonly kept: ReservedWork
}

export class WorkInlets extends Context.Service<
  WorkInlets,
  {
    /**
     * Until the scope ends, hands over to the inlet what is created in this process and
     * due at once: stored as the domain's `assign` leaves it, after the commit.
     *
     * What must not go to the session is queued, and its place freed: while anything
     * that is due before it waits for its agent, while the agent is not active or has no
     * free slot, and when the session was closed, is to take no more, or does not serve
     * the agent. Creates in a transaction of their caller hand over nothing.
     */
    open(inlet: WorkInlet): Effect.Effect<void, never, Scope.Scope>
    /** Reserves a place for work of an agent, at the first opened of the inlets that have one. */
    placeFor(work: { readonly accountId: AccountId; readonly agentId: AgentId }): WorkPlace | undefined
  }
>()("@runhook/core/runs/claim/WorkInlets") {
  static readonly layer = Layer.sync(WorkInlets, () => {
    const inlets = new SetsByKey<AccountId, WorkInlet>()
    return WorkInlets.of({
      open: (inlet) =>
        Effect.acquireRelease(
          Effect.sync(() => inlets.add(inlet.accountId, inlet)),
          () => Effect.sync(() => inlets.delete(inlet.accountId, inlet))
        ),
      placeFor: ({ accountId, agentId }) => {
        for (const inlet of inlets.of(accountId)) {
          const kept = inlet.agentIds?.includes(agentId) === false ? null : inlet.reservePlace()
          if (kept !== null) return { inlet, kept }
        }
        return undefined
      }
    })
  })
}
