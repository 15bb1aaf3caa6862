/**
 * The two who may do the same with many things: the holder of a key, and the members of an account and operators. What
 * is done is in the handlers beside this file; here is whose things a call is about, and what its caller is shown.
 */
import type { AdminCaller, Caller } from "@runhook/contract/Authorization"
import type { AccountId, ApiKeyId } from "@runhook/core/shared/Ids"
import type { ApiKeyRecord, Capability } from "@runhook/core/keys/ApiKeyRecord"
import { scopeOf, wholeAccount } from "@runhook/core/keys/KeyScope"
import type { ScopedOwner } from "@runhook/core/keys/Owner"
import type { InvalidField, MissingCapability, RoleTooLow } from "@runhook/core/shared/Refusals"
import type { ApiKeyNotFound, ApiKeyStore } from "@runhook/core/keys/ApiKeyStore"
import { actingKey } from "@runhook/core/keys/ActingKeys"
import * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import { callerWith } from "../authentication/CurrentCaller.ts"
import { changing } from "../authentication/MemberAccess.ts"
import { everything, type Visibility, visibilityOf } from "./Visibility.ts"

/** `Naming` is how the body names the key in whose name something is done. */
export interface Audience<Path, Naming, R> {
  /** Whose things the path is about, and which of them the caller may change, if the caller has the capability. */
  ownerOf(path: Path, capability: Capability): Effect.Effect<ScopedOwner, MissingCapability, R>
  /** The key in whose name executions are created, if it may be used. */
  keyOf(
    path: Path,
    naming: Naming
  ): Effect.Effect<ApiKeyRecord, ApiKeyNotFound | InvalidField | MissingCapability, R>
  /** What the caller is shown of the account. */
  visibilityOf(accountId: AccountId): Effect.Effect<Visibility, never, R>
  /** Fails for who may only look. */
  changing(accountId: AccountId): Effect.Effect<void, RoleTooLow, R>
}

/** Who calls with a key. Things of other keys are as unknown as those of other accounts. */
export const keyHolder: Audience<object, object, Caller> = {
  ownerOf: (_, capability) =>
    Effect.map(callerWith(capability), (key) => ({
      accountId: key.accountId,
      apiKeyId: key.id,
      scope: scopeOf(key)
    })),
  keyOf: () => callerWith("executions:write"),
  visibilityOf: () => Effect.succeed(everything),
  changing: () => Effect.void
}

interface OfAccount {
  readonly account_id: AccountId
}

interface NamingKey {
  readonly key_id: ApiKeyId
}

/** Members of the account that the path names, and operators. */
export const makeMembers = Effect.map(
  Effect.context<ApiKeyStore>(),
  (keys): Audience<OfAccount, NamingKey, AdminCaller> => ({
    ownerOf: ({ account_id }) =>
      Effect.succeed({ accountId: account_id, apiKeyId: null, scope: wholeAccount }),
    keyOf: ({ account_id }, { key_id }) => Effect.provide(actingKey(account_id, key_id), keys),
    visibilityOf,
    changing
  })
)

/** A request whose path names at most the account. */
export interface Of<Path> {
  readonly params: Path
}

/** A request about one thing. */
export interface OfOne<Path, Id> {
  readonly params: Path & { readonly id: Id }
}

/** What the body of a request says, and which key it names. */
export interface Sent<Body extends { readonly Type: unknown }, Naming = unknown> {
  readonly payload: Body["Type"] & Naming
}

/** What the query of a request says. */
export interface Queried<Fields extends Schema.Struct.Fields> {
  readonly query: Schema.Struct<Fields>["Type"]
}

/** What the headers of a request say. */
export interface Headed<Fields extends Schema.Struct.Fields> {
  readonly headers: Schema.Struct<Fields>["Type"]
}
