/** Accounts, and the keys that belong to them. */
import { AccountId, ApiKeyId, RunnerKeyId } from "@runhook/core/domain/Ids"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { AdminAuthorization } from "../Authorization.ts"
import { Conflict, NotFound } from "../Errors.ts"
import { RequestRules, RequestText } from "../RequestRules.ts"
import { optional, pageOf, pageQuery } from "../wire/Envelope.ts"
import {
  AccountDetail,
  AccountItem,
  ApiKeyChangeBody,
  ApiKeyCreated,
  ApiKeyDetail,
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

const account = { account_id: AccountId }
const key = { account_id: AccountId, key_id: ApiKeyId }

export class AccountEndpoints extends HttpApiGroup.make("accounts")
  .add(
    HttpApiEndpoint.post("create", "/accounts", {
      payload: NewAccount,
      success: AccountDetail.pipe(HttpApiSchema.status(201))
    }).annotate(OpenApi.Summary, "Create an account"),
    HttpApiEndpoint.get("list", "/accounts", {
      query: pageQuery(AccountId),
      success: pageOf("AccountPage", AccountItem)
    }).annotate(OpenApi.Summary, "List accounts")
  )
  .middleware(RequestText)
  .middleware(AdminAuthorization)
  .middleware(RequestRules)
  .prefix("/api/v1/admin")
  .annotate(OpenApi.Description, "The owners of everything else.") {}

export class KeyEndpoints extends HttpApiGroup.make("keys")
  .add(
    HttpApiEndpoint.post("create", "/keys", {
      params: account,
      payload: NewApiKeyBody,
      success: ApiKeyCreated.pipe(HttpApiSchema.status(201)),
      error: NotFound
    }).annotate(OpenApi.Summary, "Create a key"),
    HttpApiEndpoint.get("list", "/keys", {
      params: account,
      query: pageQuery(ApiKeyId),
      success: pageOf("KeyPage", ApiKeyItem),
      error: NotFound
    }).annotate(OpenApi.Summary, "List keys"),
    HttpApiEndpoint.get("get", "/keys/:key_id", {
      params: key,
      success: ApiKeyDetail,
      error: NotFound
    }).annotate(OpenApi.Summary, "Get a key"),
    HttpApiEndpoint.patch("update", "/keys/:key_id", {
      params: key,
      payload: ApiKeyChangeBody,
      success: ApiKeyDetail,
      error: NotFound
    }).annotate(OpenApi.Summary, "Change a key"),
    HttpApiEndpoint.delete("revoke", "/keys/:key_id", {
      params: key,
      success: HttpApiSchema.NoContent,
      error: NotFound
    }).annotate(OpenApi.Summary, "Revoke a key"),
    HttpApiEndpoint.post("rotate", "/keys/:key_id/rotate", {
      params: key,
      payload: optional(RotateKeyBody),
      success: KeyRotated,
      error: [NotFound, Conflict]
    }).annotate(OpenApi.Summary, "Replace a key's secret"),
    HttpApiEndpoint.post("rotateSigningSecret", "/keys/:key_id/signing-secret/rotate", {
      params: key,
      payload: RotateSigningSecretBody,
      success: SigningSecretRotated,
      error: [NotFound, Conflict]
    }).annotate(OpenApi.Summary, "Replace a signing secret")
  )
  .middleware(RequestText)
  .middleware(AdminAuthorization)
  .middleware(RequestRules)
  .prefix("/api/v1/admin/accounts/:account_id")
  .annotate(OpenApi.Description, "The keys of integrations.") {}

export class RunnerKeyEndpoints extends HttpApiGroup.make("runnerKeys")
  .add(
    HttpApiEndpoint.post("create", "/runner-keys", {
      params: account,
      payload: NewRunnerKeyBody,
      success: RunnerKeyCreated.pipe(HttpApiSchema.status(201)),
      error: NotFound
    }).annotate(OpenApi.Summary, "Create a runner key"),
    HttpApiEndpoint.get("list", "/runner-keys", {
      params: account,
      query: pageQuery(RunnerKeyId),
      success: pageOf("RunnerKeyPage", RunnerKeyItem),
      error: NotFound
    }).annotate(OpenApi.Summary, "List runner keys"),
    HttpApiEndpoint.delete("revoke", "/runner-keys/:key_id", {
      params: { account_id: AccountId, key_id: RunnerKeyId },
      success: HttpApiSchema.NoContent,
      error: NotFound
    }).annotate(OpenApi.Summary, "Revoke a runner key")
  )
  .middleware(RequestText)
  .middleware(AdminAuthorization)
  .middleware(RequestRules)
  .prefix("/api/v1/admin/accounts/:account_id")
  .annotate(OpenApi.Description, "The keys of runner processes.") {}
