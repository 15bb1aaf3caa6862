/** Keeps agents. */
import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Audit } from "../audit/AuditEntry.ts"
import type { Agent, AgentView } from "./Agent.ts"
import { type AccountId, AgentId, type InAccount } from "../shared/Ids.ts"
import type { Page, PageRequest } from "../shared/Page.ts"

/** No such agent in the account. */
export class AgentNotFound extends Schema.TaggedError<AgentNotFound>()("AgentNotFound", { id: AgentId }) {
  override get message() {
    return `There is no agent ${this.id}`
  }
}

/** The agent cannot be removed while it has unfinished executions. */
export class AgentInUse extends Schema.TaggedError<AgentInUse>()("AgentInUse", { id: AgentId }) {
  override get message() {
    return `Agent ${this.id} has unfinished executions: finish or cancel them first`
  }
}

/** What an administrator may change about an agent. */
export type AgentChange = Partial<Pick<Agent, "name" | "description" | "labels" | "capacity" | "state">>

/** The moment at which the presence of runners is judged. */
interface At {
  readonly at: DateTime.Utc
}

export class AgentStore extends Context.Service<
  AgentStore,
  {
    create(agent: Agent, audit?: Audit<[created: Agent]>): Effect.Effect<void>

    /** The agent alone, without its runners and load. */
    find(accountId: AccountId, id: AgentId): Effect.Effect<Agent, AgentNotFound>

    get(
      options: At & { readonly accountId: AccountId; readonly id: AgentId }
    ): Effect.Effect<AgentView, AgentNotFound>

    /** Newest first; `ids` null means all of the account. */
    list(
      options: At & { readonly accountId: AccountId; readonly ids: ReadonlyArray<AgentId> | null },
      page: PageRequest
    ): Effect.Effect<Page<AgentView>>

    /** A smaller capacity never interrupts running work; it only lets less work start. */
    update(
      options: At & {
        readonly accountId: AccountId
        readonly id: AgentId
        readonly change: AgentChange
        readonly audit?: Audit<[before: Agent, after: Agent]> | undefined
      }
    ): Effect.Effect<AgentView, AgentNotFound>

    /** Removes an agent that has no unfinished executions; finished ones keep its id. */
    remove(
      options: InAccount<AgentId> & {
        readonly audit?: Audit<[removed: Agent]> | undefined
      }
    ): Effect.Effect<void, AgentNotFound | AgentInUse>
  }
>()("@runhook/core/catalog/AgentStore") {}
