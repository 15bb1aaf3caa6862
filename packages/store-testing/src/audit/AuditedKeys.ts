/** Every change of accounts and keys that the audit log tells of. */
import {
  accountCreated,
  accountRemoved,
  accountUpdated,
  keyCreated,
  keyRevoked,
  keyRotated,
  keyUpdated,
  runnerKeyCreated,
  runnerKeyRevoked,
  signingSecretResealed,
  signingSecretRotated
} from "@runhook/core/audit/KeyEvents"
import { AccountId, ApiKeyId, newId, RunnerKeyId } from "@runhook/core/shared/Ids"
import type { ApiKeyRecord } from "@runhook/core/keys/ApiKeyRecord"
import type { RunnerKeyRecord } from "@runhook/core/keys/RunnerKeyRecord"
import { AccountStore } from "@runhook/core/accounts/AccountStore"
import { ApiKeyStore } from "@runhook/core/keys/ApiKeyStore"
import { RunnerKeyStore } from "@runhook/core/keys/RunnerKeyStore"
import { SealedValues } from "@runhook/core/keys/sealing/SealedValues"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import {
  makeAccount,
  makeApiKey,
  makeRunnerKey,
  newApiKey,
  newSigningSecret
} from "../catalog/CatalogFixtures.ts"
import { second } from "../Fixtures.ts"
import { type Arrangement, by, jana } from "./AuditFixtures.ts"

/** A key of an account of its own, with what the entries about it say of it. */
const makeKey = Effect.fnUntraced(function* () {
  const { id: accountId } = yield* makeAccount()
  const keys = yield* ApiKeyStore
  const key = yield* makeApiKey(accountId, { secretHash: "hash of the first secret" })
  const which = { accountId, id: key.id }
  return {
    at: DateTime.add(key.createdAt, { minutes: 1 }),
    key,
    keys,
    which,
    shown: {
      accountId,
      subject: { kind: "key", id: key.id, name: key.name } as const,
      seen: Effect.all([keys.get(accountId, key.id), keys.signingSecrets({ ...which, at: key.createdAt })])
    }
  }
})

const createAccount: Arrangement = Effect.gen(function* () {
  const accounts = yield* AccountStore
  const id = yield* newId(AccountId)
  const createdAt = yield* DateTime.now
  return {
    accountId: id,
    act: (actor) =>
      accounts.create(
        { id, name: "Acme", rateLimit: null, maxLive: null, retentionDays: null, createdAt },
        by(actor, accountCreated)
      ),
    seen: Effect.option(accounts.get(id)),
    action: "account.created",
    subject: { kind: "account", id, name: "Acme" },
    before: null,
    after: { name: "Acme" }
  }
})

const updateAccount: Arrangement = Effect.gen(function* () {
  const accounts = yield* AccountStore
  const { id } = yield* makeAccount()
  return {
    accountId: id,
    act: (actor) =>
      accounts.update({
        id,
        change: { rateLimit: { perSecond: 5, burst: 10 }, maxLive: 3, retentionDays: 90 },
        audit: by(actor, accountUpdated)
      }),
    seen: Effect.option(accounts.get(id)),
    action: "account.updated",
    subject: { kind: "account", id, name: "Acme" },
    before: { max_live: null, rate_limit: null, retention_days: null },
    after: { max_live: 3, rate_limit: { per_second: 5, burst: 10 }, retention_days: 90 }
  }
})

const removeAccount: Arrangement = Effect.gen(function* () {
  const accounts = yield* AccountStore
  const { id } = yield* makeAccount({ maxLive: 3 })
  return {
    accountId: id,
    act: (actor) => accounts.remove({ id, at: second(1), audit: by(actor, accountRemoved) }),
    seen: Effect.option(accounts.get(id)),
    action: "account.removed",
    subject: { kind: "account", id, name: "Acme" },
    before: { name: "Acme", max_live: 3, rate_limit: null, retention_days: null },
    after: null
  }
})

const createKey: Arrangement = Effect.gen(function* () {
  const { id: accountId } = yield* makeAccount()
  const keys = yield* ApiKeyStore
  const expiresAt = DateTime.makeUnsafe("2031-01-01T00:00:00.000Z")
  const key = yield* newApiKey(accountId, { allowedTaskIds: [], maxLive: 5, expiresAt })
  const secret = yield* newSigningSecret(key.id)
  return {
    accountId,
    act: (actor) => keys.create(key, secret, by(actor, keyCreated)),
    seen: Effect.all([Effect.option(keys.get(accountId, key.id)), keys.findByPrefix(key.prefix)]),
    action: "key.created",
    subject: { kind: "key", id: key.id, name: key.name },
    before: null,
    after: {
      name: key.name,
      prefix: key.prefix,
      allowed_task_ids: [],
      allowed_agent_ids: null,
      capabilities: null,
      expires_at: "2031-01-01T00:00:00.000Z",
      max_live: 5,
      rate_limit: null
    }
  }
})

const updateKey: Arrangement = Effect.gen(function* () {
  const { at, keys, shown, which } = yield* makeKey()
  return {
    ...shown,
    act: (actor) =>
      keys.update({
        ...which,
        at,
        change: { rateLimit: { perSecond: 5, burst: 10 }, maxLive: null },
        audit: by(actor, keyUpdated)
      }),
    action: "key.updated",
    before: { rate_limit: null },
    after: { rate_limit: { per_second: 5, burst: 10 } }
  }
})

const rotateKey: Arrangement = Effect.gen(function* () {
  const { at, keys, shown, which } = yield* makeKey()
  return {
    ...shown,
    act: (actor) =>
      keys.rotate({
        ...which,
        at,
        secretHash: "hash of the second secret",
        previousExpiresAt: at,
        audit: by(actor, keyRotated)
      }),
    action: "key.rotated",
    before: { previous_expires_at: null },
    after: { previous_expires_at: DateTime.formatIso(at) }
  }
})

const revokeKey: Arrangement = Effect.gen(function* () {
  const { at, keys, shown, which } = yield* makeKey()
  return {
    ...shown,
    act: (actor) => keys.revoke({ ...which, at, audit: by(actor, keyRevoked) }),
    action: "key.revoked",
    before: { revoked_at: null },
    after: { revoked_at: DateTime.formatIso(at) }
  }
})

const rotateSigningSecret: Arrangement = Effect.gen(function* () {
  const { at, key, keys, shown, which } = yield* makeKey()
  const previousExpiresAt = DateTime.add(at, { days: 2 })
  const secret = yield* newSigningSecret(key.id, { activeAt: DateTime.add(at, { days: 1 }) })
  return {
    ...shown,
    act: (actor) => {
      const audit = by(actor, (of: ApiKeyRecord) => signingSecretRotated(of, { secret, previousExpiresAt }))
      return keys.rotateSigningSecret({ ...which, secret, previousExpiresAt, audit })
    },
    action: "signing_secret.rotated",
    before: null,
    after: {
      active_at: DateTime.formatIso(secret.activeAt),
      previous_expires_at: DateTime.formatIso(previousExpiresAt)
    }
  }
})

const resealSigningSecret: Arrangement = Effect.gen(function* () {
  const { id: accountId } = yield* makeAccount()
  const keys = yield* ApiKeyStore
  const key = yield* newApiKey(accountId)
  const secret = yield* newSigningSecret(key.id, { ciphertext: "sealed before" })
  yield* keys.create(key, secret)
  const value = { kind: "signingSecret", accountId: null, id: secret.id, sealed: secret.ciphertext } as const
  return {
    accountId,
    act: (actor) =>
      SealedValues.use(({ reseal }) => reseal(value, "sealed anew", by(actor, signingSecretResealed))),
    seen: keys.signingSecrets({ accountId, id: key.id, at: key.createdAt }),
    action: "signing_secret.resealed",
    subject: { kind: "key", id: key.id, name: key.name },
    before: null,
    after: null
  }
})

const createRunnerKey: Arrangement = Effect.gen(function* () {
  const { id: accountId } = yield* makeAccount()
  const keys = yield* RunnerKeyStore
  const id = yield* newId(RunnerKeyId)
  const key = {
    id,
    accountId,
    name: "Machine room",
    prefix: id,
    secretHash: "hash of the first secret",
    agentIds: null,
    revokedAt: null,
    createdAt: yield* DateTime.now
  }
  return {
    accountId,
    act: (actor) => keys.create(key, by(actor, runnerKeyCreated)),
    seen: keys.findByPrefix(id),
    action: "runner_key.created",
    subject: { kind: "runner_key", id, name: "Machine room" },
    before: null,
    after: { name: "Machine room", prefix: id, agent_ids: null }
  }
})

const revokeRunnerKey: Arrangement = Effect.gen(function* () {
  const { id: accountId } = yield* makeAccount()
  const keys = yield* RunnerKeyStore
  const { createdAt: at, id, name, prefix } = yield* makeRunnerKey(accountId)
  return {
    accountId,
    act: (actor) =>
      keys.revoke({
        accountId,
        id,
        at,
        audit: by(actor, (key: RunnerKeyRecord) => runnerKeyRevoked(key, at))
      }),
    seen: keys.findByPrefix(prefix),
    action: "runner_key.revoked",
    subject: { kind: "runner_key", id, name },
    before: { revoked_at: null },
    after: { revoked_at: DateTime.formatIso(at) }
  }
})

export const changes: Readonly<Record<string, Arrangement>> = {
  "a new account": createAccount,
  "other limits of an account": updateAccount,
  "a removed account": removeAccount,
  "a new key": createKey,
  "a changed key": updateKey,
  "a rotated key": rotateKey,
  "a revoked key": revokeKey,
  "a rotated signing secret": rotateSigningSecret,
  "a signing secret that is sealed anew": resealSigningSecret,
  "a new runner key": createRunnerKey,
  "a revoked runner key": revokeRunnerKey
}

/** Changes that find their work done, or nothing to work on: nobody is told of them. */
export const repeats: Readonly<Record<string, Arrangement>> = {
  "a key that is revoked again": Effect.tap(revokeKey, ({ act }) => act(jana)),
  "a key that stays as it is": Effect.gen(function* () {
    const { at, key, keys, shown, which } = yield* makeKey()
    return {
      ...(yield* updateKey),
      ...shown,
      act: (actor) => keys.update({ ...which, at, change: { name: key.name }, audit: by(actor, keyUpdated) })
    }
  }),
  "a runner key that is revoked again": Effect.tap(revokeRunnerKey, ({ act }) => act(jana)),
  "a signing secret that was sealed anew before": Effect.tap(resealSigningSecret, ({ act }) => act(jana)),
  "a key that there is not": Effect.gen(function* () {
    const { at, keys, shown, which } = yield* makeKey()
    const id = yield* newId(ApiKeyId)
    return {
      ...(yield* revokeKey),
      ...shown,
      act: (actor) => Effect.flip(keys.revoke({ ...which, id, at, audit: by(actor, keyRevoked) }))
    }
  })
}
