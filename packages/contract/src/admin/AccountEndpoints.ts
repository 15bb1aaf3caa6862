/** Accounts and the keys that belong to them, and the operator's own keys. */
import { AccountId, ApiKeyId, RunnerKeyId } from "@runhook/core/domain/Ids"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { account, forOperators, inAccount } from "../Audiences.ts"
import { DeclaredAccess } from "../Access.ts"
import { calledAs } from "../Call.ts"
import { Conflict, NotFound } from "../Errors.ts"
import { TakesTurns } from "../Turns.ts"
import { optional, pageOf, pageQuery } from "../wire/Envelope.ts"
import {
  AccountChangeBody,
  AccountDetail,
  AccountItem,
  ApiKeyChangeBody,
  ApiKeyCreated,
  ApiKeyDetail,
  ApiKeyFacts,
  ApiKeyItem,
  KeyRotated,
  NewAccount,
  NewApiKeyBody,
  NewRunnerKeyBody,
  RotateKeyBody,
  RotateSigningSecretBody,
  RunnerKeyCreated,
  RunnerKeyItem,
  SigningSecretRotated
} from "../wire/KeyWire.ts"
import { SecretKeysResealed } from "../wire/SecretKeyWire.ts"

const key = { account_id: AccountId, key_id: ApiKeyId }

export class AccountEndpoints extends HttpApiGroup.make("accounts")
  .add(
    HttpApiEndpoint.post("create", "/accounts", {
      payload: NewAccount,
      success: AccountDetail.pipe(HttpApiSchema.status(201))
    })
      .annotateMerge(
        calledAs({
          path: "accounts.create",
          example: 'const { id } = await admin.accounts.create({ name: "Meridian Freight" })'
        })
      )
      .annotate(OpenApi.Summary, "Create an account")
      .annotate(OpenApi.Description, "Makes an account, the owner of keys, agents, tasks and executions."),
    HttpApiEndpoint.get("list", "/accounts", {
      query: pageQuery,
      success: pageOf("AccountPage", AccountItem)
    })
      .annotateMerge(
        calledAs({
          path: "accounts.list",
          kind: "list",
          example: "for await (const { id, name } of admin.accounts.list()) console.log(id, name)"
        })
      )
      .annotate(DeclaredAccess, "member")
      .annotate(OpenApi.Summary, "List accounts")
      .annotate(OpenApi.Description, "All accounts, newest first; for a session, its own."),
    HttpApiEndpoint.patch("update", "/accounts/:account_id", {
      params: account,
      payload: AccountChangeBody,
      success: AccountDetail,
      error: NotFound
    })
      .annotateMerge(
        calledAs({
          path: "accounts.update",
          example: "await admin.accounts.update(id, { rate_limit: { per_second: 200, burst: 2_000 } })"
        })
      )
      .annotate(DeclaredAccess, "operator")
      .annotate(OpenApi.Summary, "Change an account")
      .annotate(
        OpenApi.Description,
        "Changes what the body names: the account's name, its limits, or how long its executions are kept. Lower limits hold for its keys at once, whatever those have; at other processes within 2 seconds. For operators."
      ),
    HttpApiEndpoint.delete("remove", "/accounts/:account_id", {
      params: account,
      success: HttpApiSchema.NoContent,
      error: [NotFound, Conflict]
    })
      .annotateMerge(calledAs({ path: "accounts.remove", example: "await admin.accounts.remove(id)" }))
      .annotate(DeclaredAccess, "operator")
      .annotate(OpenApi.Summary, "Remove an account")
      .annotate(
        OpenApi.Description,
        "Removes an account with everything that it has, for good. Within 2 seconds it is 404 everywhere, and its keys and sessions are 401; what it has is erased within hours, counts of usage and the audit log apart. Callbacks that wait are cancelled. 409 while an execution has not ended, with their `count`. For operators."
      )
  )
  .annotate(OpenApi.Description, "The owners of keys, agents, tasks and executions.")
  .pipe(forOperators) {}

export class KeyEndpoints extends HttpApiGroup.make("keys")
  .add(
    HttpApiEndpoint.post("create", "/keys", {
      params: account,
      payload: NewApiKeyBody,
      success: ApiKeyCreated.pipe(HttpApiSchema.status(201)),
      error: NotFound
    })
      .annotateMerge(
        calledAs({
          path: "keys.create",
          example: 'const { key, signing_secret } = await account.keys.create({ name: "Warehouse ERP" })'
        })
      )
      .annotate(OpenApi.Summary, "Create a key")
      .annotate(
        OpenApi.Description,
        "Makes an integration key. The key and its signing secret are in this answer, and never shown again."
      ),
    HttpApiEndpoint.get("list", "/keys", {
      params: account,
      query: pageQuery,
      success: pageOf("KeyPage", ApiKeyItem),
      error: NotFound
    })
      .annotateMerge(
        calledAs({
          path: "keys.list",
          kind: "list",
          example:
            "for await (const { name, last_used_at } of account.keys.list()) console.log(name, last_used_at)"
        })
      )
      .annotate(OpenApi.Summary, "List keys")
      .annotate(
        OpenApi.Description,
        "The integration keys of the account, newest first, without their secrets."
      ),
    HttpApiEndpoint.get("get", "/keys/:key_id", {
      params: key,
      success: ApiKeyFacts,
      error: NotFound
    })
      .annotateMerge(
        calledAs({
          path: "keys.get",
          example: "const { live_executions } = await account.keys.get(id)"
        })
      )
      .annotate(TakesTurns, true)
      .annotate(OpenApi.Summary, "Get a key")
      .annotate(OpenApi.Description, "One integration key, without its secrets."),
    HttpApiEndpoint.patch("update", "/keys/:key_id", {
      params: key,
      payload: ApiKeyChangeBody,
      success: ApiKeyDetail,
      error: NotFound
    })
      .annotateMerge(
        calledAs({
          path: "keys.update",
          example: "await account.keys.update(id, { allowed_agent_ids: [agent_id] })"
        })
      )
      .annotate(OpenApi.Summary, "Change a key")
      .annotate(OpenApi.Description, "Changes what the body names: the key's name, scope, limits or expiry."),
    HttpApiEndpoint.delete("revoke", "/keys/:key_id", {
      params: key,
      success: HttpApiSchema.NoContent,
      error: NotFound
    })
      .annotateMerge(calledAs({ path: "keys.revoke", example: "await account.keys.revoke(id)" }))
      .annotate(OpenApi.Summary, "Revoke a key")
      .annotate(OpenApi.Description, "Revokes a key for good. Executions that it has queued still run."),
    HttpApiEndpoint.post("rotate", "/keys/:key_id/rotate", {
      params: key,
      payload: optional(RotateKeyBody),
      success: KeyRotated,
      error: [NotFound, Conflict]
    })
      .annotateMerge(
        calledAs({
          path: "keys.rotate",
          example: "const { key } = await account.keys.rotate(id, { overlap_seconds: 3_600 })"
        })
      )
      .annotate(OpenApi.Summary, "Replace a key's secret")
      .annotate(
        OpenApi.Description,
        "Makes a new secret for the same key. The old one stays valid during the overlap. Only this answer has the new one."
      ),
    HttpApiEndpoint.post("rotateSigningSecret", "/keys/:key_id/signing-secret/rotate", {
      params: key,
      payload: RotateSigningSecretBody,
      success: SigningSecretRotated,
      error: [NotFound, Conflict]
    })
      .annotateMerge(
        calledAs({
          path: "keys.rotateSigningSecret",
          example: 'const { signing_secret } = await account.keys.rotateSigningSecret(id, { mode: "staged" })'
        })
      )
      .annotate(OpenApi.Summary, "Replace a signing secret")
      .annotate(
        OpenApi.Description,
        "Makes a new secret to sign callbacks with: at once, or staged, so that receivers can learn it first. Only this answer has the new one."
      )
  )
  .annotate(OpenApi.Description, "The keys of integration callers.")
  .pipe(inAccount) {}

export class RunnerKeyEndpoints extends HttpApiGroup.make("runnerKeys")
  .add(
    HttpApiEndpoint.post("create", "/runner-keys", {
      params: account,
      payload: NewRunnerKeyBody,
      success: RunnerKeyCreated.pipe(HttpApiSchema.status(201)),
      error: NotFound
    })
      .annotateMerge(
        calledAs({
          path: "runnerKeys.create",
          example: 'const { key } = await account.runnerKeys.create({ name: "Fleet" })'
        })
      )
      .annotate(OpenApi.Summary, "Create a runner key")
      .annotate(OpenApi.Description, "Makes a key for runners. It is in this answer, and never shown again."),
    HttpApiEndpoint.get("list", "/runner-keys", {
      params: account,
      query: pageQuery,
      success: pageOf("RunnerKeyPage", RunnerKeyItem),
      error: NotFound
    })
      .annotateMerge(
        calledAs({
          path: "runnerKeys.list",
          kind: "list",
          example: "for await (const { id, name } of account.runnerKeys.list()) console.log(id, name)"
        })
      )
      .annotate(OpenApi.Summary, "List runner keys")
      .annotate(OpenApi.Description, "The runner keys of the account, newest first, without their secrets."),
    HttpApiEndpoint.delete("revoke", "/runner-keys/:key_id", {
      params: { account_id: AccountId, key_id: RunnerKeyId },
      success: HttpApiSchema.NoContent,
      error: NotFound
    })
      .annotateMerge(calledAs({ path: "runnerKeys.revoke", example: "await account.runnerKeys.revoke(id)" }))
      .annotate(OpenApi.Summary, "Revoke a runner key")
      .annotate(
        OpenApi.Description,
        "Revokes a runner key for good. Runners that present it are refused from then on."
      )
  )
  .annotate(OpenApi.Description, "The keys of runners.")
  .pipe(inAccount) {}

/** The secret keys that the operator sets, under which everything is sealed. */
export class SecretKeyEndpoints extends HttpApiGroup.make("secretKeys")
  .add(
    HttpApiEndpoint.post("reseal", "/secret-keys/reseal", { success: SecretKeysResealed })
      .annotateMerge(
        calledAs({
          path: "secretKeys.reseal",
          isRepeatable: true,
          example: "const { older_keys } = await admin.secretKeys.reseal()"
        })
      )
      .annotate(OpenApi.Summary, "Seal everything under the newest secret key")
      .annotate(
        OpenApi.Description,
        "Opens every signing secret and seals it under the newest secret key. The answer says which older keys are no longer needed."
      )
  )
  .annotate(OpenApi.Description, "The secret keys of the service.")
  .pipe(forOperators) {}
