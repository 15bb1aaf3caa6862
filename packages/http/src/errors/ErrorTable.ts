/**
 * The one table from errors of the domain to errors of the API. An error that is
 * not in it cannot be passed to `toApiError`, and an endpoint must declare what the
 * table gives: a handler that forgets either does not compile.
 */
import * as Api from "@runhook/contract/Errors"
import { CurrentRequestId } from "@runhook/contract/RequestId"
import type { AboveAccountLimit } from "@runhook/core/domain/account/AccountLimits"
import type { NotWaiting } from "@runhook/core/domain/execution/Rescheduling"
import type { Json } from "@runhook/core/domain/json/Json"
import type {
  AgentDisabled,
  CrossSiteRequest,
  InvalidField,
  MissingCapability,
  RoleTooLow,
  ScopeViolation,
  TaskDisabled
} from "@runhook/core/domain/Refusals"
import type { AlreadyFinished } from "@runhook/core/domain/run/EndMoves"
import type { InputClosed, InputNotFound } from "@runhook/core/domain/run/InputMoves"
import type { LeaseLost } from "@runhook/core/domain/run/Lease"
import type { IllegalTransition } from "@runhook/core/domain/run/Run"
import type { TargetRefused } from "@runhook/core/domain/target/TargetRefused"
import type { InvalidQuery } from "@runhook/core/domain/usage/UsageQuery"
import type { AccountNotFound } from "@runhook/core/ports/AccountStore"
import type { AgentInUse, AgentNotFound } from "@runhook/core/ports/AgentStore"
import type { ApiKeyNotFound, ApiKeyRevoked } from "@runhook/core/ports/ApiKeyStore"
import type { UploadMismatch } from "@runhook/core/ports/ArtifactStorage"
import type {
  ArtifactLimitReached,
  ArtifactNotFound,
  ArtifactQuotaReached
} from "@runhook/core/ports/ArtifactStore"
import type {
  ConsoleSessionNotFound,
  LinkLimitReached,
  LinkNotFound,
  LinkUnusable
} from "@runhook/core/ports/ConsoleStore"
import type {
  DeliveryNotFound,
  DeliveryNotSettled,
  DeliveryNotWaiting
} from "@runhook/core/ports/DeliveryStore"
import type {
  ConcurrencyLimitReached,
  ExecutionNotFound,
  IdempotencyConflict
} from "@runhook/core/ports/ExecutionStore"
import type { FileMissing } from "@runhook/core/ports/HostedFiles"
import type { InvalidParams, InvalidSchema, TooManyChecks } from "@runhook/core/ports/ParamsValidator"
import type { ReplayNotFound } from "@runhook/core/ports/ReplayStore"
import type { RunnerKeyNotFound } from "@runhook/core/ports/RunnerKeyStore"
import type { SessionLimitReached, SessionNotFound } from "@runhook/core/ports/RunStore"
import type { SlugTaken, TagNotFound, TaskNotFound, VersionNotFound } from "@runhook/core/ports/TaskStore"
import type { SigningSecretMissing } from "@runhook/core/runtime/SigningKeyring"
import type { Unauthorized } from "@runhook/core/usecases/Authentication"
import type { TooManyFollowers } from "@runhook/core/usecases/Changes"
import type { SignedOut } from "@runhook/core/usecases/ConsoleSessions"
import * as Effect from "effect/Effect"
import {
  conflict,
  fieldRule,
  forbidden,
  notFound,
  queryRule,
  unauthorized,
  unprocessable
} from "./ErrorRows.ts"

export type DomainError =
  | AboveAccountLimit
  | AccountNotFound
  | AgentDisabled
  | AgentInUse
  | AgentNotFound
  | AlreadyFinished
  | ApiKeyNotFound
  | ApiKeyRevoked
  | ArtifactLimitReached
  | ArtifactNotFound
  | ArtifactQuotaReached
  | ConcurrencyLimitReached
  | ConsoleSessionNotFound
  | CrossSiteRequest
  | DeliveryNotFound
  | DeliveryNotSettled
  | DeliveryNotWaiting
  | ExecutionNotFound
  | FileMissing
  | IdempotencyConflict
  | IllegalTransition
  | InputClosed
  | InputNotFound
  | InvalidField
  | InvalidParams
  | InvalidQuery
  | InvalidSchema
  | LeaseLost
  | LinkLimitReached
  | LinkNotFound
  | LinkUnusable
  | MissingCapability
  | NotWaiting
  | ReplayNotFound
  | RoleTooLow
  | RunnerKeyNotFound
  | ScopeViolation
  | SessionLimitReached
  | SessionNotFound
  | SignedOut
  | SigningSecretMissing
  | SlugTaken
  | TagNotFound
  | TargetRefused
  | TaskDisabled
  | TaskNotFound
  | TooManyChecks
  | TooManyFollowers
  | Unauthorized
  | UploadMismatch
  | VersionNotFound

type Tag = DomainError["_tag"]
type Tagged = { readonly [T in Tag]: Extract<DomainError, { readonly _tag: T }> }
type Row<E, Answer> = (error: E, request_id: string) => Answer
type Table<Answers extends { readonly [T in Tag]: unknown }> = {
  readonly [T in Tag]: Row<Tagged[T], Answers[T]>
}
type AnswersOf<Rows extends { readonly [T in Tag]: Row<never, unknown> }> = {
  readonly [T in Tag]: ReturnType<Rows[T]>
}

const issuesOf = ({ issues }: InvalidParams | InvalidSchema): Json => issues.map((issue) => ({ ...issue }))
const scopeDetails = ({ field }: ScopeViolation) => ({ reason: "scope_violation", field })
const capabilityDetails = ({ capability }: MissingCapability) => ({
  reason: "missing_capability",
  capability
})

const rows = {
  AccountNotFound: notFound,
  AgentNotFound: notFound,
  ApiKeyNotFound: notFound,
  ArtifactNotFound: notFound,
  ConsoleSessionNotFound: notFound,
  DeliveryNotFound: notFound,
  ExecutionNotFound: notFound,
  InputNotFound: notFound,
  LinkNotFound: notFound,
  ReplayNotFound: notFound,
  RunnerKeyNotFound: notFound,
  SessionNotFound: notFound,
  TagNotFound: notFound,
  TaskNotFound: notFound,
  VersionNotFound: notFound,

  FileMissing: ({ message }: FileMissing, request_id: string) =>
    new Api.NotFound({
      error: { code: "not_found", message, details: { reason: "file_missing" }, request_id }
    }),

  AgentInUse: conflict<AgentInUse>(() => ({ reason: "agent_in_use" })),
  AlreadyFinished: conflict<AlreadyFinished>(({ status }) => ({ reason: "already_finished", status })),
  ApiKeyRevoked: conflict<ApiKeyRevoked>(() => ({ reason: "revoked" })),
  DeliveryNotSettled: conflict<DeliveryNotSettled>(({ state }) => ({ reason: "not_settled", state })),
  SigningSecretMissing: conflict<SigningSecretMissing>(() => ({ reason: "no_signing_secret" })),
  DeliveryNotWaiting: conflict<DeliveryNotWaiting>(({ reason, state }) => ({ reason, state })),
  IllegalTransition: conflict<IllegalTransition>(({ from, to }) => ({
    reason: "illegal_transition",
    from,
    to
  })),
  InputClosed: conflict<InputClosed>(({ reason }) => ({ reason })),
  NotWaiting: conflict<NotWaiting>(({ status }) => ({ reason: "not_waiting", status })),
  LeaseLost: conflict<LeaseLost>(({ epoch, status }) => ({ reason: "lease_lost", status, epoch })),
  SlugTaken: conflict<SlugTaken>(() => ({ reason: "slug_taken" })),
  IdempotencyConflict: (error: IdempotencyConflict, request_id: string) =>
    new Api.Conflict({
      error: {
        code: "idempotency_conflict",
        message: error.message,
        details: { reason: "payload_mismatch", execution_id: error.executionId },
        request_id
      }
    }),

  AgentDisabled: unprocessable<AgentDisabled>("invalid_request", () => ({ reason: "agent_disabled" })),
  ArtifactLimitReached: unprocessable<ArtifactLimitReached>("invalid_request", ({ limit }) => ({
    reason: "artifact_limit_reached",
    limit
  })),
  ArtifactQuotaReached: unprocessable<ArtifactQuotaReached>("invalid_request", ({ limit, used }) => ({
    reason: "artifact_quota",
    limit,
    used
  })),
  InvalidField: fieldRule<InvalidField>(({ path, rule }) => ({ path, message: rule })),
  InvalidQuery: queryRule,
  InvalidParams: unprocessable<InvalidParams>("invalid_params", issuesOf),
  InvalidSchema: unprocessable<InvalidSchema>("invalid_params", issuesOf),
  TargetRefused: fieldRule<TargetRefused>(({ message }) => ({ path: ["callback_url"], message })),
  TaskDisabled: unprocessable<TaskDisabled>("invalid_request", () => ({ reason: "task_disabled" })),
  UploadMismatch: unprocessable<UploadMismatch>("invalid_request", ({ reason }) => ({ reason })),

  AboveAccountLimit: forbidden<AboveAccountLimit>(({ field, limit }) => ({
    reason: "above_account_limit",
    field,
    limit
  })),
  CrossSiteRequest: forbidden<CrossSiteRequest>(() => ({ reason: "cross_site" })),
  MissingCapability: forbidden(capabilityDetails),
  RoleTooLow: forbidden<RoleTooLow>(({ required }) => ({ reason: "role", required })),
  ScopeViolation: forbidden(scopeDetails),

  ConcurrencyLimitReached: ({ limit, message, scope }: ConcurrencyLimitReached, request_id: string) =>
    new Api.TooManyRequests({
      error: { code: "concurrency_limit_reached", message, details: { scope, limit }, request_id }
    }),
  LinkLimitReached: ({ limit, message }: LinkLimitReached, request_id: string) =>
    new Api.TooManyRequests({
      error: { code: "concurrency_limit_reached", message, details: { scope: "person", limit }, request_id }
    }),
  SessionLimitReached: ({ limit, message }: SessionLimitReached, request_id: string) =>
    new Api.TooManyRequests({
      error: {
        code: "concurrency_limit_reached",
        message,
        details: { scope: "runner_key", limit },
        request_id
      }
    }),
  TooManyChecks: ({ limit, message }: TooManyChecks, request_id: string) =>
    new Api.TooManyRequests({
      error: { code: "rate_limited", message, details: { reason: "too_many_checks", limit }, request_id }
    }),
  LinkUnusable: unauthorized<LinkUnusable>({ reason: "link_unusable" }),
  SignedOut: unauthorized<SignedOut>({ reason: "signed_out" }),
  TooManyFollowers: ({ limit, message, scope }: TooManyFollowers, request_id: string) =>
    new Api.TooManyRequests({
      error: {
        code: "rate_limited",
        message,
        details: { reason: "too_many_followers", scope, limit },
        request_id
      }
    }),
  Unauthorized: unauthorized<Unauthorized>(null)
} satisfies Table<{ readonly [T in Tag]: unknown }>

/** A create names things in its body, so a missing thing breaks a rule of that body. */
const rowsOfCreate = {
  ...rows,
  ApiKeyNotFound: unprocessable<ApiKeyNotFound>("invalid_request", () => ({ reason: "key_not_found" })),
  AgentNotFound: unprocessable<AgentNotFound>("invalid_request", () => ({ reason: "agent_not_found" })),
  TaskNotFound: unprocessable<TaskNotFound>("invalid_request", () => ({ reason: "task_not_found" })),
  VersionNotFound: unprocessable<VersionNotFound>("invalid_request", () => ({ reason: "version_not_found" })),
  MissingCapability: unprocessable("forbidden", capabilityDetails),
  ScopeViolation: unprocessable("forbidden", scopeDetails)
} satisfies Table<{ readonly [T in Tag]: unknown }>

/** Turns the errors of the effect into the API's, each into the class of its row. */
interface ToApiError<Answers extends { readonly [T in Tag]: unknown }> {
  <A, E extends DomainError, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, Answers[E["_tag"]], R>
}

const combinator = <Answers extends { readonly [T in Tag]: unknown }>(
  table: Table<Answers>
): ToApiError<Answers> => {
  const answerOf = <T extends Tag>(tag: T, error: Tagged[T], requestId: string): Answers[T] =>
    table[tag](error, requestId)

  function translate<A, E extends DomainError, R>(
    effect: Effect.Effect<A, E, R>
  ): Effect.Effect<A, Answers[E["_tag"]], R>
  function translate<A, R>(effect: Effect.Effect<A, DomainError, R>): Effect.Effect<A, Answers[Tag], R> {
    return effect.pipe(
      Effect.catch((error) =>
        Effect.flatMap(CurrentRequestId, (requestId) => Effect.fail(answerOf(error._tag, error, requestId)))
      )
    )
  }
  return translate
}

/** For all endpoints except those that create executions. */
export const toApiError = combinator<AnswersOf<typeof rows>>(rows)

/** For endpoints that create executions: everything that the body names wrongly is 422. */
export const toCreateError = combinator<AnswersOf<typeof rowsOfCreate>>(rowsOfCreate)
