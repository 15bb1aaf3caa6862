/** The keys of integrations, and those of runners. */
import { pathOf } from "../call/Request.ts"
import type { CallOptions } from "../call/Settings.ts"
import type {
  CreateKey,
  CreateRunnerKey,
  Key,
  KeyCreated,
  KeyDetail,
  KeyFacts,
  KeyRotated,
  RotateKey,
  RotateSigningSecret,
  RunnerKey,
  RunnerKeyCreated,
  SigningSecretRotated,
  UpdateKey
} from "../wire/Admin.ts"
import type { PageQuery } from "../wire/Integration.ts"
import type { Rooted } from "./Rooted.ts"

export const makeKeys = ({ get, list, patch, post, remove }: Rooted) => ({
  /** Makes a key. Its answer alone has the key and the signing secret. */
  create: (body: CreateKey, options?: CallOptions) => post<KeyCreated>("/keys", body, options),

  /** The keys of the account, newest first. */
  list: (filter?: PageQuery, options?: CallOptions) => list<Key>("/keys", filter, options),

  /** One key, how it was used, and what hangs on it. */
  get: (id: string, options?: CallOptions) => get<KeyFacts>(pathOf`/keys/${id}`, options),

  /** Changes what the body names. */
  update: (id: string, body: UpdateKey, options?: CallOptions) =>
    patch<KeyDetail>(pathOf`/keys/${id}`, body, options),

  /** Ends a key for good. What it has queued still runs. */
  revoke: (id: string, options?: CallOptions) => remove(pathOf`/keys/${id}`, options),

  /** Makes another key of the same record; the one before stays valid for the overlap. */
  rotate: (id: string, body?: RotateKey, options?: CallOptions) =>
    post<KeyRotated>(pathOf`/keys/${id}/rotate`, body, options),

  /** Makes another secret that callbacks are signed with: at once, or staged so that receivers can learn it first. */
  rotateSigningSecret: (id: string, body: RotateSigningSecret, options?: CallOptions) =>
    post<SigningSecretRotated>(pathOf`/keys/${id}/signing-secret/rotate`, body, options)
})

export const makeRunnerKeys = ({ list, post, remove }: Rooted) => ({
  /** Makes a key for runner processes. Its answer alone has the key. */
  create: (body: CreateRunnerKey, options?: CallOptions) =>
    post<RunnerKeyCreated>("/runner-keys", body, options),

  list: (filter?: PageQuery, options?: CallOptions) => list<RunnerKey>("/runner-keys", filter, options),

  /** Ends a runner key for good. */
  revoke: (id: string, options?: CallOptions) => remove(pathOf`/runner-keys/${id}`, options)
})
