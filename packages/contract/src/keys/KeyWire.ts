/** Accounts and keys on the wire. Secrets appear in the answer that makes them, and never again. */
import { Name } from "@runhook/core/accounts/Account"
import { AccountId, AgentId, ApiKeyId, RunnerKeyId, TaskId } from "@runhook/core/shared/Ids"
import { retentionDaysMax, retentionDaysMin } from "@runhook/core/sweeps/Retention"
import { Capability } from "@runhook/core/keys/ApiKeyRecord"
import { RateLimit as KeyRate } from "@runhook/core/keys/RateLimit"
import { SigningSecretState } from "@runhook/core/keys/SigningSecretRecord"
import { Timestamp } from "@runhook/core/shared/Timestamp"
import { countsTo } from "@runhook/core/usage/UsageCounts"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { described } from "../shared/Described.ts"
import { bodyOf } from "../shared/Envelope.ts"

export const RateLimit = Schema.Struct({
  per_second: KeyRate.fields.perSecond,
  burst: KeyRate.fields.burst
}).annotate({ identifier: "RateLimit", description: "Requests a key may make: on average, and at once." })

/** The highest limit of live executions. */
const maxLiveMax = 10_000_000
const MaxLive = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: maxLiveMax }))

const accountLimits = {
  rate_limit: Schema.NullOr(RateLimit).pipe(
    described(
      "Requests of all its integration keys together, and the most that one of them may have; null: the service's default."
    )
  ),
  max_live: Schema.NullOr(MaxLive).pipe(
    described("Unfinished executions of all its keys together; null: the service's default.")
  )
}

const retention = Schema.Int.check(Schema.isBetween({ minimum: retentionDaysMin, maximum: retentionDaysMax }))

const accountSettings = {
  name: Name,
  ...accountLimits,
  retention_days: Schema.NullOr(retention).pipe(
    described(
      "Days for which its finished executions are kept, with their history, results, files and callbacks; null: the service's default."
    )
  )
}

const accountFields = { id: AccountId, ...accountSettings, created_at: Timestamp }

export const NewAccount = Schema.Struct({ name: Name }).annotate({ identifier: "CreateAccount" })
export const AccountChangeBody = Schema.Struct(Struct.map(accountSettings, Schema.optionalKey)).annotate({
  identifier: "UpdateAccount"
})
export const AccountItem = Schema.Struct(accountFields).annotate({
  identifier: "Account",
  description: "The owner of keys, agents, tasks and executions."
})
export const AccountDetail = bodyOf("AccountDetail", "An account.", accountFields)

const scope = {
  allowed_task_ids: Schema.NullOr(Schema.Array(TaskId).check(Schema.isMaxLength(1_000))).pipe(
    described(
      "The tasks of which it creates work, and changes any: also what it names by id. It reads all executions and schedules of its account. null: all tasks of the account; []: none."
    )
  ),
  allowed_agent_ids: Schema.NullOr(Schema.Array(AgentId).check(Schema.isMaxLength(1_000))).pipe(
    described(
      "The agents for which it creates work, and changes any, as for tasks. null: all agents of the account; []: none."
    )
  ),
  capabilities: Schema.NullOr(Schema.Array(Capability)).pipe(described("null: everything.")),
  expires_at: Schema.NullOr(Timestamp),
  max_live: Schema.NullOr(MaxLive).pipe(
    described(
      "Unfinished executions it may have at once, at most what its account may; null: only the account's limit."
    )
  ),
  rate_limit: Schema.NullOr(RateLimit).pipe(
    described(
      "null: the service's default. At most what its account has; an operator who gives it more raises that."
    )
  )
}

const optionalScope = Struct.map(scope, Schema.optionalKey)

export const NewApiKeyBody = Schema.Struct({ name: Name, ...optionalScope }).annotate({
  identifier: "CreateKey"
})

export const ApiKeyChangeBody = Schema.Struct({ name: Schema.optionalKey(Name), ...optionalScope }).annotate({
  identifier: "UpdateKey"
})

export const SigningSecret = Schema.Struct({
  state: SigningSecretState.pipe(
    described(
      "active: signs the specified header; staged: will sign it from active_at on; previous: signs beside the active one."
    )
  ),
  active_at: Timestamp,
  expires_at: Schema.NullOr(Timestamp).pipe(
    described("From then on it signs nothing; null: until it is replaced.")
  )
}).annotate({
  identifier: "SigningSecret",
  description: "One of the secrets that sign callbacks. The secret itself is never shown again."
})

const liveOfKey = Schema.Int.pipe(described("Unfinished executions that it has queued."))

const keyFields = {
  id: ApiKeyId,
  account_id: AccountId,
  name: Name,
  prefix: Schema.String.pipe(described("The public part of the key.")),
  ...scope,
  previous_expires_at: Schema.NullOr(Timestamp).pipe(
    described("Until when the previous secret of the key is accepted.")
  ),
  signing_secrets: Schema.Array(SigningSecret).pipe(
    described("Those that sign callbacks now or later, the active one first.")
  ),
  revoked_at: Schema.NullOr(Timestamp),
  last_used_at: Schema.NullOr(Timestamp).pipe(
    described("When it was last used, to a second or two; null if it never was.")
  ),
  last_used_from: Schema.NullOr(Schema.String).pipe(described("The address of that request, if known.")),
  created_at: Timestamp,
  updated_at: Timestamp
}

export const ApiKeyItem = Schema.Struct(keyFields).annotate({
  identifier: "Key",
  description: "A key, without its secrets."
})
export const ApiKeyDetail = bodyOf("KeyDetail", "A key, without its secrets.", keyFields)

/** A key as it sees itself. */
export const Me = bodyOf("Me", "The calling key: what it may do, and how much.", {
  key_id: ApiKeyId,
  name: Name,
  prefix: keyFields.prefix,
  account_id: AccountId,
  capabilities: scope.capabilities,
  allowed_task_ids: scope.allowed_task_ids,
  allowed_agent_ids: scope.allowed_agent_ids,
  expires_at: scope.expires_at,
  live: liveOfKey,
  max_live: Schema.Int.pipe(
    described("Unfinished executions it may have at once: its own limit, or its account's if that is lower.")
  ),
  rate_limit: Schema.NullOr(RateLimit).pipe(
    described("Its own rate, or its account's where that is lower; null: no limit.")
  ),
  batch_rate_limit: Schema.NullOr(RateLimit).pipe(
    described(
      "The same for the items of its batches, which are counted apart from requests; a whole batch at once at least."
    )
  )
})

/** What a revocation would end or leave behind. */
export const ApiKeyFacts = bodyOf("KeyFacts", "A key, without its secrets, and what depends on it.", {
  ...keyFields,
  requests_24h: Schema.Int.pipe(described("Its requests in the last 24 hours.")),
  live_executions: liveOfKey,
  waiting_deliveries: Schema.Int.pipe(
    described(`Callbacks signed for it that have not arrived yet; counted up to ${countsTo}.`)
  )
})
export const ApiKeyCreated = bodyOf(
  "KeyCreated",
  "The key; `key` and `signing_secret` are shown this once.",
  {
    ...keyFields,
    key: Schema.String,
    signing_secret: Schema.String
  }
)

/** Longest time that two secrets may be valid together: 30 days. */
const overlapSecondsMax = 2_592_000
export const overlapSecondsDefault = 86_400

export const overlap = Schema.optionalKey(
  Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: overlapSecondsMax }))
)

export const RotateKeyBody = Schema.Struct({
  overlap_seconds: overlap.pipe(
    described(`How long the old key stays valid; ${overlapSecondsDefault} unless given.`)
  )
}).annotate({ identifier: "RotateKey" })

export const KeyRotated = bodyOf("KeyRotated", "The new key, shown this once.", {
  key: Schema.String,
  previous_expires_at: Timestamp
})

export const RotateSigningSecretBody = Schema.Struct({
  mode: Schema.Literals(["immediate", "staged"]),
  overlap_seconds: overlap.pipe(
    described("staged: seconds until the new secret takes over, and again until the old one ends.")
  )
}).annotate({ identifier: "RotateSigningSecret" })

export const SigningSecretRotated = bodyOf("SigningSecretRotated", "The new secret, shown this once.", {
  signing_secret: Schema.String,
  active_at: Timestamp,
  previous_expires_at: Timestamp
})

const runnerKeyFields = {
  id: RunnerKeyId,
  account_id: AccountId,
  name: Name,
  prefix: Schema.String.pipe(described("The public part of the key.")),
  agent_ids: Schema.NullOr(Schema.Array(AgentId)).pipe(described("null: all agents of the account.")),
  revoked_at: Schema.NullOr(Timestamp),
  created_at: Timestamp
}

export const NewRunnerKeyBody = Schema.Struct({
  name: Name,
  agent_ids: Schema.optionalKey(Schema.NullOr(Schema.Array(AgentId).check(Schema.isMaxLength(1_000)))).pipe(
    described("null: all agents of the account, as when it is left out.")
  )
}).annotate({ identifier: "CreateRunnerKey" })

export const RunnerKeyItem = Schema.Struct(runnerKeyFields).annotate({
  identifier: "RunnerKey",
  description: "The key of runner processes."
})
export const RunnerKeyCreated = bodyOf("RunnerKeyCreated", "The key, shown this once.", {
  ...runnerKeyFields,
  key: Schema.String
})
