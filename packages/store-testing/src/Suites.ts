/**
 * Every suite that a store must pass, in one call, so that no adapter forgets one:
 *
 * ```ts
 * suites("PostgreSQL", layer, { storedRows })
 * ```
 *
 * `vitest -t "RunStore claim"` runs one of them by the name of its `describe`.
 */
import * as AccountRemovalSuite from "./accounts/AccountRemovalSuite.ts"
import * as AccountStoreSuite from "./accounts/AccountStoreSuite.ts"
import * as EvidenceKeySuite from "./evidence/EvidenceKeySuite.ts"
import * as PepperStoreSuite from "./keys/PepperStoreSuite.ts"
import * as AlertStoreSuite from "./alerts/AlertStoreSuite.ts"
import * as TroubleSuite from "./alerts/TroubleSuite.ts"
import * as ArtifactQuotaSuite from "./artifacts/ArtifactQuotaSuite.ts"
import * as ArtifactStoreSuite from "./artifacts/ArtifactStoreSuite.ts"
import * as UploadPruneSuite from "./artifacts/UploadPruneSuite.ts"
import * as AuditListSuite from "./audit/AuditListSuite.ts"
import * as AuditRetentionSuite from "./audit/AuditRetentionSuite.ts"
import * as AuditSuite from "./audit/AuditSuite.ts"
import * as AgentStoreSuite from "./catalog/AgentStoreSuite.ts"
import * as TaskSelectorSuite from "./catalog/TaskSelectorSuite.ts"
import * as TaskStoreSuite from "./catalog/TaskStoreSuite.ts"
import * as TaskVersionSuite from "./catalog/TaskVersionSuite.ts"
import * as PeopleStoreSuite from "./people/PeopleStoreSuite.ts"
import * as PeopleSuite from "./people/PeopleSuite.ts"
import * as CallbackSuite from "./deliveries/CallbackSuite.ts"
import * as DeadLetterSuite from "./deliveries/DeadLetterSuite.ts"
import * as DeliveryBoundSuite from "./deliveries/DeliveryBoundSuite.ts"
import * as DeliveryCauseSuite from "./deliveries/DeliveryCauseSuite.ts"
import * as DeliveryChainSuite from "./deliveries/DeliveryChainSuite.ts"
import * as DeliveryClaimSuite from "./deliveries/DeliveryClaimSuite.ts"
import * as DeliveryDetailSuite from "./deliveries/DeliveryDetailSuite.ts"
import * as DeliveryHistorySuite from "./deliveries/DeliveryHistorySuite.ts"
import * as DeliveryIsolationSuite from "./deliveries/DeliveryIsolationSuite.ts"
import * as DeliveryOrderSuite from "./deliveries/DeliveryOrderSuite.ts"
import * as DeliveryReturnSuite from "./deliveries/DeliveryReturnSuite.ts"
import * as DeliverySettleSuite from "./deliveries/DeliverySettleSuite.ts"
import * as DeliveryTrySuite from "./deliveries/DeliveryTrySuite.ts"
import * as HandedOverSuite from "./deliveries/queue/HandedOverSuite.ts"
import * as HandOverSuite from "./deliveries/queue/HandOverSuite.ts"
import * as EndpointHandOverSuite from "./endpoints/EndpointHandOverSuite.ts"
import * as EndpointStoreSuite from "./endpoints/EndpointStoreSuite.ts"
import * as FanOutSuite from "./endpoints/FanOutSuite.ts"
import * as MailboxSuite from "./endpoints/MailboxSuite.ts"
import * as SubscriptionSuite from "./endpoints/SubscriptionSuite.ts"
import * as CreateOrderSuite from "./executions/CreateOrderSuite.ts"
import * as ExecutionCreateSuite from "./executions/ExecutionCreateSuite.ts"
import * as ExecutionInputSuite from "./executions/ExecutionInputSuite.ts"
import * as ExecutionListSuite from "./executions/ExecutionListSuite.ts"
import * as ExecutionRemovalSuite from "./executions/ExecutionRemovalSuite.ts"
import * as ExecutionStoreSuite from "./executions/ExecutionStoreSuite.ts"
import * as HistorySuite from "./executions/HistorySuite.ts"
import * as LogSuite from "./executions/LogSuite.ts"
import * as SealedParamsSuite from "./executions/SealedParamsSuite.ts"
import * as PageBytesSuite from "./executions/PageBytesSuite.ts"
import * as RescheduleSuite from "./executions/RescheduleSuite.ts"
import * as StatusListSuite from "./executions/StatusListSuite.ts"
import * as IsolationSuite from "./isolation/IsolationSuite.ts"
import * as ListSuite from "./lists/ListSuite.ts"
import * as ApiKeyStoreSuite from "./keys/ApiKeyStoreSuite.ts"
import * as RunnerKeyStoreSuite from "./keys/RunnerKeyStoreSuite.ts"
import * as SealedValueSuite from "./keys/SealedValueSuite.ts"
import * as SigningSecretSuite from "./keys/SigningSecretSuite.ts"
import * as CancelEndSuite from "./cancels/CancelEndSuite.ts"
import * as CancelStoreSuite from "./cancels/CancelStoreSuite.ts"
import * as ReplayChoiceSuite from "./replays/ReplayChoiceSuite.ts"
import * as ReplayEndSuite from "./replays/ReplayEndSuite.ts"
import * as ReplayOutcomeSuite from "./replays/ReplayOutcomeSuite.ts"
import * as ReplayStoreSuite from "./replays/ReplayStoreSuite.ts"
import * as BeatSuite from "./runs/BeatSuite.ts"
import * as CheckpointSuite from "./runs/CheckpointSuite.ts"
import * as ClaimSuite from "./runs/ClaimSuite.ts"
import * as DueTimesSuite from "./runs/DueTimesSuite.ts"
import * as FencingSuite from "./runs/FencingSuite.ts"
import * as MoveTimesSuite from "./runs/MoveTimesSuite.ts"
import * as RetrySuite from "./runs/RetrySuite.ts"
import * as RunnerOversightSuite from "./runs/RunnerOversightSuite.ts"
import * as RunStoreSuite from "./runs/RunStoreSuite.ts"
import * as LatestWinsSuite from "./runs/LatestWinsSuite.ts"
import * as SeatSuite from "./runs/SeatSuite.ts"
import * as SessionSuite from "./runs/SessionSuite.ts"
import * as TakenAtOnceSuite from "./runs/TakenAtOnceSuite.ts"
import type { Suite } from "./Suite.ts"
import * as ScheduleFiringSuite from "./schedules/ScheduleFiringSuite.ts"
import * as ScheduleStoreSuite from "./schedules/ScheduleStoreSuite.ts"
import * as ExecutionRetentionSuite from "./sweeps/ExecutionRetentionSuite.ts"
import * as PruneSuite from "./sweeps/PruneSuite.ts"
import * as RetentionSuite from "./sweeps/RetentionSuite.ts"
import * as SweepStoreSuite from "./sweeps/SweepStoreSuite.ts"
import * as StandingSuite from "./usage/StandingSuite.ts"
import * as UsageStoreSuite from "./usage/UsageStoreSuite.ts"

/** Each builds a layer of its own. */
const all: ReadonlyArray<Suite> = [
  AccountRemovalSuite.suite,
  AccountStoreSuite.suite,
  EvidenceKeySuite.suite,
  PepperStoreSuite.suite,
  AlertStoreSuite.suite,
  TroubleSuite.suite,
  ArtifactQuotaSuite.suite,
  ArtifactStoreSuite.suite,
  UploadPruneSuite.suite,
  AuditListSuite.suite,
  AuditRetentionSuite.suite,
  AuditSuite.suite,
  AgentStoreSuite.suite,
  TaskSelectorSuite.suite,
  TaskStoreSuite.suite,
  TaskVersionSuite.suite,
  PeopleStoreSuite.suite,
  PeopleSuite.suite,
  CallbackSuite.suite,
  DeadLetterSuite.suite,
  DeliveryBoundSuite.suite,
  DeliveryCauseSuite.suite,
  DeliveryChainSuite.suite,
  DeliveryClaimSuite.suite,
  DeliveryDetailSuite.suite,
  DeliveryHistorySuite.suite,
  DeliveryIsolationSuite.suite,
  DeliveryOrderSuite.suite,
  DeliveryReturnSuite.suite,
  DeliverySettleSuite.suite,
  DeliveryTrySuite.suite,
  HandOverSuite.suite,
  HandedOverSuite.suite,
  EndpointStoreSuite.suite,
  MailboxSuite.suite,
  EndpointHandOverSuite.suite,
  FanOutSuite.suite,
  SubscriptionSuite.suite,
  CreateOrderSuite.suite,
  ExecutionCreateSuite.suite,
  ExecutionInputSuite.suite,
  ExecutionListSuite.suite,
  ExecutionRemovalSuite.suite,
  ExecutionStoreSuite.suite,
  HistorySuite.suite,
  LogSuite.suite,
  SealedParamsSuite.suite,
  PageBytesSuite.suite,
  RescheduleSuite.suite,
  StatusListSuite.suite,
  IsolationSuite.suite,
  ListSuite.suite,
  ApiKeyStoreSuite.suite,
  RunnerKeyStoreSuite.suite,
  SealedValueSuite.suite,
  SigningSecretSuite.suite,
  CancelEndSuite.suite,
  CancelStoreSuite.suite,
  ReplayChoiceSuite.suite,
  ReplayEndSuite.suite,
  ReplayOutcomeSuite.suite,
  ReplayStoreSuite.suite,
  BeatSuite.suite,
  CheckpointSuite.suite,
  ClaimSuite.suite,
  DueTimesSuite.suite,
  FencingSuite.suite,
  MoveTimesSuite.suite,
  RetrySuite.suite,
  RunStoreSuite.suite,
  RunnerOversightSuite.suite,
  LatestWinsSuite.suite,
  SeatSuite.suite,
  SessionSuite.suite,
  TakenAtOnceSuite.suite,
  ScheduleFiringSuite.suite,
  ScheduleStoreSuite.suite,
  ExecutionRetentionSuite.suite,
  PruneSuite.suite,
  RetentionSuite.suite,
  SweepStoreSuite.suite,
  StandingSuite.suite,
  UsageStoreSuite.suite
]

/** Runs all suites on an adapter: `layer` provides its stores, and what `storedRows` needs. */
export const suites: Suite = (name, layer, options) => {
  for (const suite of all) suite(name, layer, options)
}
