/**
 * The one table from errors of the domain to errors of the API. An error that is
 * not in it cannot be passed to `toApiError`, and an endpoint must declare what the
 * table gives: a handler that forgets either does not compile.
 */
import * as Api from "@runhook/contract/Errors"
import { CurrentRequestId } from "@runhook/contract/RequestId"
import type { AboveAccountLimit } from "@runhook/core/domain/account/AccountLimits"
import type { ExecutionNotEnded } from "@runhook/core/domain/evidence/Manifest"
import type { NotWaiting } from "@runhook/core/domain/execution/Rescheduling"
import type { Json } from "@runhook/core/domain/json/Json"
import type {
  InvalidField,
  MissingCapability,
  RoleTooLow,
  ScopeViolation
} from "@runhook/core/domain/Refusals"
import type { AlreadyFinished } from "@runhook/core/domain/run/EndMoves"
import type { InputClosed } from "@runhook/core/domain/run/InputMoves"
import type { LeaseLost } from "@runhook/core/domain/run/Lease"
import type { IllegalTransition } from "@runhook/core/domain/run/Run"
import type { TargetRefused } from "@runhook/core/domain/target/TargetRefused"
import type { AccountInUse } from "@runhook/core/ports/AccountStore"
import type { EndpointLimitReached } from "@runhook/core/ports/EndpointStore"
import type { AlertTargetLimitReached } from "@runhook/core/ports/AlertStore"
import type { FileMissing, UploadMismatch } from "@runhook/core/ports/ArtifactStorage"
import type { ArtifactLimitReached, ArtifactQuotaReached } from "@runhook/core/ports/ArtifactStore"
import type { LinkLimitReached } from "@runhook/core/ports/PeopleStore"
import type { DeliveryNotSettled, DeliveryNotWaiting } from "@runhook/core/ports/DeliveryStore"
import type { JobKeyConflict, JobLimitReached } from "@runhook/core/ports/CancelStore"
import type {
  ConcurrencyLimitReached,
  IdempotencyConflict,
  NoSeatLeft,
  NotRemovable
} from "@runhook/core/ports/ExecutionStore"
import type { InvalidParams, InvalidSchema, TooManyChecks } from "@runhook/core/ports/ParamsValidator"
import type { SessionLimitReached } from "@runhook/core/ports/RunStore"
import type { ScheduleLimitReached } from "@runhook/core/ports/ScheduleStore"
import type { TooManyFollowers } from "@runhook/core/runtime/Followers"
import type { KeyUnusable, ScheduleRefusal } from "@runhook/core/usecases/ScheduleRefusals"
import * as Effect from "effect/Effect"
import {
  conflict,
  fieldRule,
  forbidden,
  notFound,
  queryRule,
  tooMany,
  unauthorized,
  unprocessable
} from "./ErrorRows.ts"

const issuesOf = ({ issues }: InvalidParams | InvalidSchema): Json => issues.map((issue) => ({ ...issue }))
const scopeDetails = ({ field }: ScopeViolation) => ({ reason: "scope_violation", field })
const capabilityDetails = ({ capability }: MissingCapability) => ({
  reason: "missing_capability",
  capability
})
const keyDetails = ({ reason: state }: KeyUnusable) => ({ reason: "key_unusable", state })

const rows = {
  AccountNotFound: notFound,
  AgentNotFound: notFound,
  AlertTargetNotFound: notFound,
  EndpointNotFound: notFound,
  ApiKeyNotFound: notFound,
  ArtifactNotFound: notFound,
  PersonSessionNotFound: notFound,
  DeliveryNotFound: notFound,
  ExecutionNotFound: notFound,
  InputNotFound: notFound,
  LinkNotFound: notFound,
  JobNotFound: notFound,
  ReplayNotFound: notFound,
  RunnerKeyNotFound: notFound,
  ScheduleNotFound: notFound,
  SessionNotFound: notFound,
  TagNotFound: notFound,
  TaskNotFound: notFound,
  VersionNotFound: notFound,

  FileMissing: ({ message }: FileMissing, request_id: string) =>
    new Api.NotFound({
      error: { code: "not_found", message, details: { reason: "file_missing" }, request_id }
    }),

  AccountInUse: conflict<AccountInUse>(({ count, reason }) => ({ reason, count })),
  AgentInUse: conflict(() => ({ reason: "agent_in_use" })),
  AlreadyFinished: conflict<AlreadyFinished>(({ status }) => ({ reason: "already_finished", status })),
  EndpointGone: conflict(() => ({ reason: "endpoint_gone" })),
  NotPolled: conflict(() => ({ reason: "not_polled" })),
  ApiKeyRevoked: conflict(() => ({ reason: "revoked" })),
  DeliveryNotSettled: conflict<DeliveryNotSettled>(({ state }) => ({ reason: "not_settled", state })),
  SigningSecretMissing: conflict(() => ({ reason: "no_signing_secret" })),
  DeliveryNotWaiting: conflict<DeliveryNotWaiting>(({ reason, state }) => ({ reason, state })),
  IllegalTransition: conflict<IllegalTransition>(({ from, to }) => ({
    reason: "illegal_transition",
    from,
    to
  })),
  InputClosed: conflict<InputClosed>(({ reason }) => ({ reason })),
  NoSeatLeft: ({ current, limit, message }: NoSeatLeft, request_id: string) =>
    new Api.Conflict({
      error: {
        code: "concurrency_limit_reached",
        message,
        details: { scope: "concurrency_key", limit, current },
        request_id
      }
    }),
  ExecutionNotEnded: conflict<ExecutionNotEnded>(({ status }) => ({ reason: "not_ended", status })),
  NotRemovable: conflict<NotRemovable>(({ reason }) => ({ reason })),
  NotWaiting: conflict<NotWaiting>(({ status }) => ({ reason: "not_waiting", status })),
  LeaseLost: conflict<LeaseLost>(({ epoch, status }) => ({ reason: "lease_lost", status, epoch })),
  ScheduleBusy: conflict(() => ({ reason: "overlap" })),
  SlugTaken: conflict(() => ({ reason: "slug_taken" })),
  JobKeyConflict: ({ id, message }: JobKeyConflict, request_id: string) =>
    new Api.Conflict({
      error: {
        code: "idempotency_conflict",
        message,
        details: { reason: "payload_mismatch", job_id: id },
        request_id
      }
    }),
  IdempotencyConflict: (error: IdempotencyConflict, request_id: string) =>
    new Api.Conflict({
      error: {
        code: "idempotency_conflict",
        message: error.message,
        details: { reason: "payload_mismatch", execution_id: error.executionId },
        request_id
      }
    }),

  AgentDisabled: unprocessable("invalid_request", () => ({ reason: "agent_disabled" })),
  AlertTargetLimitReached: unprocessable<AlertTargetLimitReached>("invalid_request", ({ limit }) => ({
    reason: "target_limit_reached",
    limit
  })),
  EndpointLimitReached: unprocessable<EndpointLimitReached>("invalid_request", ({ limit }) => ({
    reason: "endpoint_limit_reached",
    limit
  })),
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
  ScheduleLimitReached: unprocessable<ScheduleLimitReached>("invalid_request", ({ limit }) => ({
    reason: "schedule_limit_reached",
    limit
  })),
  TargetRefused: fieldRule<TargetRefused>(({ message }) => ({ path: ["callback_url"], message })),
  TaskDisabled: unprocessable("invalid_request", () => ({ reason: "task_disabled" })),
  UploadMismatch: unprocessable<UploadMismatch>("invalid_request", ({ reason }) => ({ reason })),

  AboveAccountLimit: forbidden<AboveAccountLimit>(({ field, limit }) => ({
    reason: "above_account_limit",
    field,
    limit
  })),
  CrossSiteRequest: forbidden(() => ({ reason: "cross_site" })),
  KeyUnusable: forbidden(keyDetails),
  MissingCapability: forbidden(capabilityDetails),
  RoleTooLow: forbidden<RoleTooLow>(({ required }) => ({ reason: "role", required })),
  ScopeViolation: forbidden(scopeDetails),

  AlertTooSoon: tooMany("rate_limited", () => ({ reason: "too_soon" })),
  ConcurrencyLimitReached: tooMany<ConcurrencyLimitReached>(
    "concurrency_limit_reached",
    ({ limit, scope }) => ({
      scope,
      limit
    })
  ),
  JobLimitReached: tooMany<JobLimitReached>("concurrency_limit_reached", ({ limit, running }) => ({
    scope: "jobs",
    limit,
    job_ids: running
  })),
  LinkLimitReached: tooMany<LinkLimitReached>("concurrency_limit_reached", ({ limit }) => ({
    scope: "person",
    limit
  })),
  SessionLimitReached: tooMany<SessionLimitReached>("concurrency_limit_reached", ({ limit }) => ({
    scope: "runner_key",
    limit
  })),
  TooManyChecks: tooMany<TooManyChecks>("rate_limited", ({ limit }) => ({
    reason: "too_many_checks",
    limit
  })),
  TooManyFollowers: tooMany<TooManyFollowers>("rate_limited", ({ limit, scope }) => ({
    reason: "too_many_followers",
    scope,
    limit
  })),

  LinkUnusable: unauthorized({ reason: "link_unusable" }),
  SignedOut: unauthorized({ reason: "signed_out" }),
  Unauthorized: unauthorized(null)
}

type Rows = typeof rows
type Tag = keyof Rows
type Tagged = { readonly [T in Tag]: Parameters<Rows[T]>[0] & { readonly _tag: T } }

/** An error that has a row. */
export type DomainError = Tagged[Tag]

type Answered = { readonly [T in Tag]: unknown }
type Table<Answers extends Answered> = {
  readonly [T in Tag]: (error: Tagged[T], request_id: string) => Answers[T]
}
type AnswersOf<Of extends Table<Answered>> = { readonly [T in Tag]: ReturnType<Of[T]> }

/** A create names things in its body, so a missing thing breaks a rule of that body. */
const rowsOfCreate = {
  ...rows,
  ApiKeyNotFound: unprocessable("invalid_request", () => ({ reason: "key_not_found" })),
  AgentNotFound: unprocessable("invalid_request", () => ({ reason: "agent_not_found" })),
  TaskNotFound: unprocessable("invalid_request", () => ({ reason: "task_not_found" })),
  VersionNotFound: unprocessable("invalid_request", () => ({ reason: "version_not_found" })),
  KeyUnusable: unprocessable("forbidden", keyDetails),
  MissingCapability: unprocessable("forbidden", capabilityDetails),
  ScopeViolation: unprocessable("forbidden", scopeDetails)
}

/** Turns the errors of the effect into the API's, each into the class of its row. */
interface ToApiError<Answers extends Answered> {
  <A, E extends DomainError, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, Answers[E["_tag"]], R>
}

const combinator = <Answers extends Answered>(table: Table<Answers>): ToApiError<Answers> => {
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

const created: Table<AnswersOf<typeof rowsOfCreate>> = rowsOfCreate

/** Any id: what is told of it later has none. */
const noRequest = "req_none"

const answerToCreate = <T extends Tag>(tag: T, error: Tagged[T]) => created[tag](error, noRequest)

/** What a create would have been answered that was refused when it was due. */
export const refusedCreate = (refusal: ScheduleRefusal) => {
  const { code, details, message } = answerToCreate(refusal._tag, refusal).error
  return { code, message, details }
}
