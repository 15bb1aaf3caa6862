/** What operators do with runner keys. The key is shown once, when it is made. */
import * as Context from "effect/Context"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { runnerKeyCreated, runnerKeyRevoked } from "../audit/KeyEvents.ts"
import { type AccountId, type AgentId, type InAccount, instantOf, newId, RunnerKeyId } from "../shared/Ids.ts"
import type { RunnerKeyRecord } from "./RunnerKeyRecord.ts"
import type { PageRequest } from "../shared/Page.ts"
import { AccountStore } from "../accounts/AccountStore.ts"
import { AgentStore } from "../catalog/AgentStore.ts"
import { RunnerKeyStore } from "./RunnerKeyStore.ts"
import { Signals } from "../signals/Signals.ts"
import { changedByOperator } from "../signals/ChangeSignals.ts"
import { Pepper } from "./sealing/Pepper.ts"
import { generate, hash } from "../signing/ApiKey.ts"
import { audited } from "../audit/Audited.ts"
import { useCase } from "../engine/UseCase.ts"

export class RunnerKeys extends Context.Service<RunnerKeys>()("@runhook/core/keys/RunnerKeys", {
  make: Effect.gen(function* () {
    const accounts = yield* AccountStore
    const agents = yield* AgentStore
    const pepper = yield* Pepper
    const signals = yield* Signals
    const store = yield* RunnerKeyStore
    const atRandom = Effect.provideService(SecureRandom, yield* SecureRandom)

    const create = useCase("RunnerKeys.create")(function* ({
      accountId,
      agentIds,
      name
    }: {
      readonly accountId: AccountId
      readonly name: string
      /** Null: all agents of the account. */
      readonly agentIds: ReadonlyArray<AgentId> | null
    }) {
      yield* accounts.get(accountId)
      const id = yield* newId(RunnerKeyId)
      const at = instantOf(id)
      yield* Effect.forEach(agentIds ?? [], (agentId) => agents.find(accountId, agentId))
      const { key, prefix } = yield* generate("runner")
      const record = {
        id,
        accountId,
        name,
        prefix,
        secretHash: hash(pepper, key),
        agentIds,
        revokedAt: null,
        createdAt: at
      }
      yield* store.create(record, yield* audited(runnerKeyCreated))
      yield* signals.notify(changedByOperator(accountId, "key", { id, state: "active", isNew: true }))
      return { record, key: Redacted.make(key, { label: "runner key" }) }
    }, atRandom)

    const list = useCase("RunnerKeys.list")(function* (accountId: AccountId, page: PageRequest) {
      yield* accounts.get(accountId)
      return yield* store.list(accountId, page)
    })

    /** Revokes the key for good. */
    const revoke = useCase("RunnerKeys.revoke")(function* (ref: InAccount<RunnerKeyId>) {
      const at = yield* DateTime.now
      const audit = yield* audited((key: RunnerKeyRecord) => runnerKeyRevoked(key, at))
      yield* store.revoke({ ...ref, at, audit })
      const revoked = { id: ref.id, state: "revoked", isNew: false }
      yield* signals.notify([`key:${ref.id}`, ...changedByOperator(ref.accountId, "key", revoked)])
    })

    return { create, list, revoke }
  })
}) {
  static readonly layer = Layer.effect(RunnerKeys, RunnerKeys.make).pipe(Layer.provide(Pepper.layer))
}
