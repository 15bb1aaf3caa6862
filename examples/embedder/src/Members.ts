/** The host's own users, in its own table, each with an account of Runhook's. */
import { createHash, randomBytes } from "node:crypto"
import { CurrentActor, theService } from "@runhook/core/audit/Actor"
import { AccountId, AgentId, ApiKeyId, TaskId } from "@runhook/core/shared/Ids"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type { Pool } from "pg"
import type { Engine } from "./Engine.ts"
import { makeTenant } from "./Tenant.ts"

/** A user of the host, and what is Runhook's of it. */
const Member = Schema.Struct({
  email: Schema.String,
  accountId: AccountId,
  apiKeyId: ApiKeyId,
  agentId: AgentId,
  taskId: TaskId
})
export type Member = typeof Member.Type

const MemberRows = Schema.Array(Member)

export class Members {
  readonly #pool: Pool
  readonly #engine: Engine

  constructor({ engine, pool }: { readonly engine: Engine; readonly pool: Pool }) {
    this.#pool = pool
    this.#engine = engine
  }

  /** Makes a user, and all that it needs to queue executions. Answers what is shown only once. */
  async signUp(email: string) {
    const { runnerKey, signingSecret, ...ids } = await this.#engine.runPromise(
      Effect.provideService(makeTenant(email), CurrentActor, theService)
    )
    const session = randomBytes(32).toString("base64url")
    await this.#pool.query(
      "INSERT INTO accounts (email, session_hash, account_id, api_key_id, agent_id, task_id) VALUES ($1, $2, $3, $4, $5, $6)",
      [email, hashOf(session), ids.accountId, ids.apiKeyId, ids.agentId, ids.taskId]
    )
    return { session, runnerKey: Redacted.value(runnerKey), signingSecret: Redacted.value(signingSecret) }
  }

  async findBySession(session: string): Promise<Member | undefined> {
    const { rows } = await this.#pool.query(
      `SELECT email, account_id AS "accountId", api_key_id AS "apiKeyId", agent_id AS "agentId", task_id AS "taskId"
       FROM accounts
       WHERE session_hash = $1`,
      [hashOf(session)]
    )
    const [member] = Schema.decodeUnknownSync(MemberRows)(rows)
    return member
  }
}

const hashOf = (session: string): string => createHash("sha256").update(session).digest("hex")
