/** The types written by hand say what the schemas of the contract say. The compiler does the checking. */
import type * as Artifact from "@runhook/contract/wire/ArtifactWire"
import type * as AuditWire from "@runhook/contract/wire/AuditWire"
import type * as AgentWire from "@runhook/contract/wire/AgentWire"
import type * as Delivery from "@runhook/contract/wire/DeliveryWire"
import type * as ExecutionWire from "@runhook/contract/wire/ExecutionWire"
import type * as Input from "@runhook/contract/wire/InputWire"
import type * as KeyWire from "@runhook/contract/wire/KeyWire"
import type * as ViewWire from "@runhook/contract/wire/ExecutionViewWire"
import type * as HistoryWire from "@runhook/contract/wire/HistoryWire"
import type * as SecretKeyWire from "@runhook/contract/wire/SecretKeyWire"
import type * as SessionWire from "@runhook/contract/wire/SessionWire"
import type * as ReplayWire from "@runhook/contract/wire/ReplayWire"
import type * as TaskWire from "@runhook/contract/wire/TaskWire"
import type * as UsageWire from "@runhook/contract/wire/UsageWire"
import type * as WebhookWire from "@runhook/contract/wire/WebhookWire"
import type { AgentState, AgentStatus } from "@runhook/core/domain/Agent"
import type { Capability } from "@runhook/core/domain/ApiKeyRecord"
import type { AnswerClass, AttemptCause, DeliveryCause } from "@runhook/core/domain/AttemptCause"
import type { AttemptPhase, DeliveryState } from "@runhook/core/domain/Delivery"
import type * as RunnerSessionWire from "@runhook/contract/wire/RunnerSessionWire"
import type * as Change from "@runhook/contract/wire/ChangeWire"
import type { ExecutionStatus } from "@runhook/core/domain/ExecutionStatus"
import type { ReplayableState, ReplayStatus } from "@runhook/core/domain/ReplayJob"
import type { WaitingFor } from "@runhook/core/domain/Waiting"
import type { ExecutionEventType } from "@runhook/core/domain/WebhookEventType"
import { describe, expectTypeOf, it } from "vitest"
import type * as Admin from "../src/admin/Admin.ts"
import type * as Sdk from "../src/Runhook.ts"

/** On the wire. */
interface Codec {
  readonly Encoded: unknown
}
type Wire<S extends Codec> = S["Encoded"]

/** What answers give fits what callers read, and has no other fields. */
type Reads<S extends Codec, Written> =
  Wire<S> extends Written
    ? [Exclude<keyof Wire<S>, keyof Written>, Exclude<RequiredKeys<Written>, keyof Wire<S>>]
    : ["does not fit", Wire<S>]

/** What callers write fits what requests take, and every field that they take can be written. */
type Writes<S extends Codec, Written> =
  Written extends Wire<S> ? [Exclude<keyof Wire<S>, keyof Written>] : ["does not fit", Wire<S>]

type RequiredKeys<A> = { [K in keyof A]-?: object extends Pick<A, K> ? never : K }[keyof A]

type Same = [never, never]

/** What the stream of changes says in an event, with the event's name. */
type Told<Name extends Change.ChangeEvent["event"]> = { readonly event: Name } & Extract<
  Change.ChangeEvent,
  { readonly event: Name }
>["data"]

describe("the types", () => {
  it("of changes are those of the contract", () => {
    expectTypeOf<Told<"change">>().branded.toEqualTypeOf<Admin.ThingChanged>()
    expectTypeOf<Told<"many">>().branded.toEqualTypeOf<Admin.ManyChanged>()
  })

  it("of answers are those of the contract", () => {
    expectTypeOf<Reads<typeof ExecutionWire.ExecutionItem, Sdk.Execution>>().toEqualTypeOf<Same>()
    expectTypeOf<Reads<typeof ExecutionWire.ExecutionDetail, Sdk.ExecutionDetail>>().toEqualTypeOf<Same>()
    expectTypeOf<Reads<typeof ExecutionWire.ExecutionCreated, Sdk.ExecutionCreated>>().toEqualTypeOf<Same>()
    expectTypeOf<Reads<typeof ExecutionWire.ExecutionReplayed, Sdk.ExecutionReplayed>>().toEqualTypeOf<Same>()
    expectTypeOf<Reads<typeof ExecutionWire.WouldCreate, Sdk.WouldCreate>>().toEqualTypeOf<Same>()
    expectTypeOf<
      Reads<typeof ExecutionWire.ExecutionCancelled, Sdk.ExecutionCancelled>
    >().toEqualTypeOf<Same>()
    expectTypeOf<
      Reads<typeof HistoryWire.HistoryEventItem, Sdk.ExecutionHistoryEvent>
    >().toEqualTypeOf<Same>()
    expectTypeOf<Reads<typeof HistoryWire.HistoryEventList, Sdk.ExecutionHistory>>().toEqualTypeOf<Same>()
    expectTypeOf<Reads<typeof HistoryWire.ExecutionExplained, Sdk.ExecutionExplained>>().toEqualTypeOf<Same>()
    expectTypeOf<
      Reads<typeof HistoryWire.ExecutionRescheduled, Sdk.ExecutionRescheduled>
    >().toEqualTypeOf<Same>()
    expectTypeOf<Reads<typeof ExecutionWire.ExecutionReleased, Sdk.ExecutionMoved>>().toEqualTypeOf<Same>()
    expectTypeOf<
      Reads<typeof ExecutionWire.InputRequestSummary, Sdk.InputRequestSummary>
    >().toEqualTypeOf<Same>()
    expectTypeOf<Reads<typeof Input.InputItem, Sdk.InputRequest>>().toEqualTypeOf<Same>()
    expectTypeOf<Reads<typeof Input.InputList, Sdk.InputList>>().toEqualTypeOf<Same>()
    expectTypeOf<Reads<typeof Input.InputAnswered, Sdk.InputAnswered>>().toEqualTypeOf<Same>()
    expectTypeOf<Reads<typeof Artifact.FileArtifact, Sdk.FileArtifact>>().toEqualTypeOf<Same>()
    expectTypeOf<Reads<typeof Artifact.VideoArtifact, Sdk.VideoArtifact>>().toEqualTypeOf<Same>()
    expectTypeOf<Reads<typeof Artifact.ExecutionArtifacts, Sdk.ExecutionArtifacts>>().toEqualTypeOf<Same>()
    expectTypeOf<Reads<typeof TaskWire.Platform, Sdk.Platform>>().toEqualTypeOf<Same>()
    expectTypeOf<Reads<typeof TaskWire.VersionInfo, Sdk.TaskVersion>>().toEqualTypeOf<Same>()
    expectTypeOf<Reads<typeof TaskWire.TaskItem, Sdk.Task>>().toEqualTypeOf<Same>()
    expectTypeOf<Reads<typeof TaskWire.TaskDetail, Sdk.TaskDetail>>().toEqualTypeOf<Same>()
    expectTypeOf<Reads<typeof TaskWire.ParamsSchema, Sdk.ParamsSchema>>().toEqualTypeOf<Same>()
    expectTypeOf<Reads<typeof AgentWire.AgentItem, Sdk.Agent>>().toEqualTypeOf<Same>()
    expectTypeOf<Reads<typeof Delivery.TestWebhookQueued, Sdk.TestWebhookQueued>>().toEqualTypeOf<Same>()
    expectTypeOf<Reads<typeof Delivery.DeliveryItem, Sdk.Delivery>>().toEqualTypeOf<Same>()
    expectTypeOf<Reads<typeof Delivery.AttemptItem, Sdk.DeliveryAttempt>>().toEqualTypeOf<Same>()
    expectTypeOf<Reads<typeof Delivery.DeliveryDetail, Sdk.DeliveryDetail>>().toEqualTypeOf<Same>()
    expectTypeOf<Reads<typeof Delivery.DeliveryReplayed, Sdk.DeliveryReplayed>>().toEqualTypeOf<Same>()
    expectTypeOf<Reads<typeof Delivery.DeadLetterList, Admin.DeadLetterList>>().toEqualTypeOf<Same>()
    expectTypeOf<Reads<typeof ReplayWire.ReplayItem, Sdk.ReplayJob>>().toEqualTypeOf<Same>()
    expectTypeOf<Reads<typeof ReplayWire.ReplayDetail, Sdk.Replay>>().toEqualTypeOf<Same>()
    expectTypeOf<Reads<typeof ReplayWire.WouldReplay, Sdk.WouldReplay>>().toEqualTypeOf<Same>()
    expectTypeOf<Reads<typeof WebhookWire.ExecutionEvent, Sdk.ExecutionEvent>>().toEqualTypeOf<Same>()
    expectTypeOf<
      Reads<{ Encoded: Wire<typeof WebhookWire.ExecutionEvent>["execution"] }, Sdk.EventExecution>
    >().toEqualTypeOf<Same>()
    expectTypeOf<Reads<typeof WebhookWire.TestEvent, Sdk.TestEvent>>().toEqualTypeOf<Same>()
  })

  it("of requests are those of the contract", () => {
    expectTypeOf<Writes<typeof ExecutionWire.CreateExecutionBody, Sdk.CreateExecution>>().toEqualTypeOf<
      [never]
    >()
    expectTypeOf<Writes<typeof ExecutionWire.CancelBody, Sdk.CancelExecution>>().toEqualTypeOf<[never]>()
    expectTypeOf<Writes<typeof ExecutionWire.RerunBody, Sdk.RerunExecution>>().toEqualTypeOf<[never]>()
    expectTypeOf<Writes<typeof HistoryWire.RescheduleBody, Sdk.RescheduleExecution>>().toEqualTypeOf<
      [never]
    >()
    expectTypeOf<Writes<typeof Input.AnswerBody, Sdk.AnswerInput>>().toEqualTypeOf<[never]>()
    // A dry run is a method of its own, since it answers something else.
    expectTypeOf<Writes<typeof ReplayWire.ReplayBody, Sdk.ReplayDeliveries>>().toEqualTypeOf<["dry_run"]>()
    expectTypeOf<Writes<typeof ReplayWire.AdminReplayBody, Admin.AdminReplayDeliveries>>().toEqualTypeOf<
      ["dry_run"]
    >()
    expectTypeOf<Writes<typeof Delivery.TestWebhookBody, Sdk.TestWebhook>>().toEqualTypeOf<[never]>()
  })

  it("of the admin API's answers are those of the contract", () => {
    expectTypeOf<Reads<typeof KeyWire.AccountItem, Admin.AccountItem>>().toEqualTypeOf<Same>()
    expectTypeOf<Reads<typeof KeyWire.AccountDetail, Admin.AccountDetail>>().toEqualTypeOf<Same>()
    expectTypeOf<Reads<typeof KeyWire.ApiKeyItem, Admin.Key>>().toEqualTypeOf<Same>()
    expectTypeOf<Reads<typeof KeyWire.ApiKeyDetail, Admin.KeyDetail>>().toEqualTypeOf<Same>()
    expectTypeOf<Reads<typeof KeyWire.ApiKeyFacts, Admin.KeyFacts>>().toEqualTypeOf<Same>()
    expectTypeOf<Reads<typeof UsageWire.UsageReport, Admin.UsageReport>>().toEqualTypeOf<Same>()
    expectTypeOf<Reads<typeof UsageWire.UsageItem, Admin.UsageItem>>().toEqualTypeOf<Same>()
    expectTypeOf<Reads<typeof UsageWire.UsageTotal, Admin.UsageTotal>>().toEqualTypeOf<Same>()
    expectTypeOf<Reads<typeof UsageWire.ReceiverItem, Admin.Receiver>>().toEqualTypeOf<Same>()
    expectTypeOf<Reads<typeof UsageWire.ReceiverList, Admin.ReceiverList>>().toEqualTypeOf<Same>()
    expectTypeOf<Reads<typeof UsageWire.OverviewBody, Admin.Overview>>().toEqualTypeOf<Same>()
    expectTypeOf<Reads<typeof KeyWire.ApiKeyCreated, Admin.KeyCreated>>().toEqualTypeOf<Same>()
    expectTypeOf<Reads<typeof AuditWire.AuditPage, Admin.AuditPage>>().toEqualTypeOf<Same>()
    expectTypeOf<Reads<typeof AuditWire.AuditItem, Admin.AuditEntry>>().toEqualTypeOf<Same>()
    expectTypeOf<Reads<typeof KeyWire.KeyRotated, Admin.KeyRotated>>().toEqualTypeOf<Same>()
    expectTypeOf<
      Reads<typeof KeyWire.SigningSecretRotated, Admin.SigningSecretRotated>
    >().toEqualTypeOf<Same>()
    expectTypeOf<Reads<typeof KeyWire.RunnerKeyItem, Admin.RunnerKey>>().toEqualTypeOf<Same>()
    expectTypeOf<Reads<typeof KeyWire.RunnerKeyCreated, Admin.RunnerKeyCreated>>().toEqualTypeOf<Same>()
    expectTypeOf<
      Reads<typeof SessionWire.ConsoleLinkCreated, Admin.ConsoleLinkCreated>
    >().toEqualTypeOf<Same>()
    expectTypeOf<Reads<typeof SessionWire.SessionDetail, Admin.SessionDetail>>().toEqualTypeOf<Same>()
    expectTypeOf<Reads<typeof SessionWire.SignInWays, Admin.SignInWays>>().toEqualTypeOf<Same>()
    expectTypeOf<Reads<typeof ViewWire.ExecutionViewItem, Admin.AdminExecution>>().toEqualTypeOf<Same>()
    expectTypeOf<
      Reads<typeof ViewWire.ExecutionViewDetail, Admin.AdminExecutionDetail>
    >().toEqualTypeOf<Same>()
    expectTypeOf<Reads<typeof ViewWire.ProgressItem, Admin.Progress>>().toEqualTypeOf<Same>()
    expectTypeOf<Reads<typeof ViewWire.ExecutionViewVideo, Admin.AdminVideo>>().toEqualTypeOf<Same>()
    expectTypeOf<
      Reads<typeof ViewWire.ExecutionViewArtifacts, Admin.AdminExecutionArtifacts>
    >().toEqualTypeOf<Same>()
    expectTypeOf<Reads<typeof AgentWire.AgentDetail, Admin.AgentDetail>>().toEqualTypeOf<Same>()
    expectTypeOf<Reads<typeof TaskWire.VersionDetail, Admin.TaskVersionDetail>>().toEqualTypeOf<Same>()
    expectTypeOf<Reads<typeof TaskWire.WouldPublish, Admin.WouldPublish>>().toEqualTypeOf<Same>()
    expectTypeOf<
      Reads<typeof RunnerSessionWire.RunnerSessionItem, Admin.RunnerSession>
    >().toEqualTypeOf<Same>()
    expectTypeOf<
      Reads<typeof RunnerSessionWire.RunnerSessionDrained, Admin.RunnerSessionDrained>
    >().toEqualTypeOf<Same>()
    expectTypeOf<Reads<typeof TaskWire.VersionPublished, Admin.VersionPublished>>().toEqualTypeOf<Same>()
    expectTypeOf<
      Reads<typeof SecretKeyWire.SecretKeysResealed, Admin.SecretKeysResealed>
    >().toEqualTypeOf<Same>()
  })

  it("of the admin API's requests are those of the contract", () => {
    expectTypeOf<Writes<typeof KeyWire.NewAccount, Admin.CreateAccount>>().toEqualTypeOf<[never]>()
    expectTypeOf<Writes<typeof KeyWire.NewApiKeyBody, Admin.CreateKey>>().toEqualTypeOf<[never]>()
    expectTypeOf<Writes<typeof KeyWire.ApiKeyChangeBody, Admin.UpdateKey>>().toEqualTypeOf<[never]>()
    expectTypeOf<Writes<typeof KeyWire.RotateKeyBody, Admin.RotateKey>>().toEqualTypeOf<[never]>()
    expectTypeOf<Writes<typeof KeyWire.RotateSigningSecretBody, Admin.RotateSigningSecret>>().toEqualTypeOf<
      [never]
    >()
    expectTypeOf<Writes<typeof SessionWire.NewConsoleLink, Admin.CreateConsoleLink>>().toEqualTypeOf<
      [never]
    >()
    expectTypeOf<Writes<typeof KeyWire.NewRunnerKeyBody, Admin.CreateRunnerKey>>().toEqualTypeOf<[never]>()
    expectTypeOf<Writes<typeof ViewWire.CreateExecutionAsBody, Admin.AdminCreateExecution>>().toEqualTypeOf<
      [never]
    >()
    expectTypeOf<Writes<typeof ViewWire.RerunAsBody, Admin.AdminRerunExecution>>().toEqualTypeOf<[never]>()
    expectTypeOf<Writes<typeof AgentWire.NewAgentBody, Admin.CreateAgent>>().toEqualTypeOf<[never]>()
    expectTypeOf<Writes<typeof AgentWire.AgentChangeBody, Admin.UpdateAgent>>().toEqualTypeOf<[never]>()
    expectTypeOf<Writes<typeof TaskWire.NewTaskBody, Admin.CreateTask>>().toEqualTypeOf<[never]>()
    expectTypeOf<Writes<typeof TaskWire.TaskChangeBody, Admin.UpdateTask>>().toEqualTypeOf<[never]>()
    expectTypeOf<Writes<typeof TaskWire.NewVersionBody, Admin.PublishVersion>>().toEqualTypeOf<[never]>()
    expectTypeOf<Writes<typeof TaskWire.VersionRefBody, Admin.VersionRef>>().toEqualTypeOf<[never]>()
    expectTypeOf<Reads<typeof Delivery.DeliveryTried, Admin.DeliveryTried>>().toEqualTypeOf<Same>()
    expectTypeOf<Reads<typeof Delivery.SignedCommand, Admin.SignedCommand>>().toEqualTypeOf<Same>()
    expectTypeOf<Writes<typeof Delivery.AdminTestWebhookBody, Admin.AdminTestWebhook>>().toEqualTypeOf<
      [never]
    >()
  })

  it("of filters name the contract's fields", () => {
    type FilterKeys = keyof typeof ExecutionWire.executionFilter | "cursor" | "limit"
    expectTypeOf<keyof Sdk.ExecutionFilter>().toEqualTypeOf<FilterKeys>()
    expectTypeOf<keyof Sdk.DeliveryFilter>().toEqualTypeOf<keyof typeof Delivery.deliveryQuery>()
    expectTypeOf<keyof Admin.AdminDeliveryFilter>().toEqualTypeOf<keyof typeof Delivery.adminDeliveryQuery>()
  })

  it("know every value of today", () => {
    expectTypeOf<Sdk.KnownExecutionStatus>().toEqualTypeOf<ExecutionStatus>()
    expectTypeOf<Sdk.KnownExecutionEventType>().toEqualTypeOf<ExecutionEventType>()
    expectTypeOf<Sdk.KnownDeliveryState>().toEqualTypeOf<DeliveryState>()
    expectTypeOf<Sdk.KnownReplayableState>().toEqualTypeOf<ReplayableState>()
    expectTypeOf<Sdk.KnownReplayStatus>().toEqualTypeOf<ReplayStatus>()
    expectTypeOf<Sdk.KnownWaitingFor>().toEqualTypeOf<WaitingFor>()
    expectTypeOf<Sdk.KnownAttemptPhase>().toEqualTypeOf<AttemptPhase>()
    expectTypeOf<Admin.KnownAgentState>().toEqualTypeOf<AgentState>()
    expectTypeOf<Admin.KnownCapability>().toEqualTypeOf<Capability>()
    expectTypeOf<Sdk.KnownAnswerClass>().toEqualTypeOf<AnswerClass>()
    expectTypeOf<Sdk.KnownAttemptCause>().toEqualTypeOf<AttemptCause>()
    expectTypeOf<Sdk.KnownDeliveryCause>().toEqualTypeOf<DeliveryCause>()
    expectTypeOf<Sdk.KnownAgentStatus>().toEqualTypeOf<typeof AgentStatus.Type>()
    expectTypeOf<Sdk.WebhookEvent["type"]>().toEqualTypeOf<ExecutionEventType | "webhook.test">()
  })

  it("of events are told apart by their type", () => {
    const messageOf = (event: Sdk.WebhookEvent): string | null =>
      event.type === "webhook.test" ? event.message : event.execution.error_message

    expectTypeOf(messageOf).returns.toEqualTypeOf<string | null>()
  })
})
