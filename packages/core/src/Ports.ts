/**
 * Every port: what the engine asks of the outside. A host provides each of them; two have a default, and only a host
 * that serves files itself needs `HostedFiles`. `Engine.ts` lists what is built on them.
 */

// What is kept: a store of your own is these, and `@runhook/store-testing` holds it to them.

/** Keeps accounts and their limits. */
export { AccountStore } from "./accounts/AccountStore.ts"
/** Keeps agents, and how much each may run at once. */
export { AgentStore } from "./catalog/AgentStore.ts"
/** Keeps alerts and their targets, and looks for what is wrong. */
export { AlertStore } from "./alerts/AlertStore.ts"
/** Keeps integration keys and the secrets that sign their callbacks. */
export { ApiKeyStore } from "./keys/ApiKeyStore.ts"
/** Keeps what is known about artifacts; `ArtifactStorage` has their bytes. */
export { ArtifactStore } from "./artifacts/ArtifactStore.ts"
/** Reads the audit log, which the other stores write together with the changes that it records. */
export { AuditStore } from "./audit/AuditStore.ts"
/** Keeps the jobs that cancel many executions, and advances them. */
export { CancelStore } from "./cancels/CancelStore.ts"
/** Keeps deliveries and the state of their receivers, and gives out what is due. */
export { DeliveryStore } from "./deliveries/DeliveryStore.ts"
/** Keeps standing endpoints, and gives out the messages of those that are polled. */
export { EndpointStore } from "./endpoints/EndpointStore.ts"
/** Keeps the public keys of everyone who has ever signed evidence. */
export { EvidenceKeyStore } from "./evidence/EvidenceKeyStore.ts"
/** Keeps executions, as their callers see them. */
export { ExecutionStore } from "./executions/ExecutionStore.ts"
/** Keeps the history, log and progress of executions, on which nothing depends. */
export { HistoryStore } from "./executions/history/HistoryStore.ts"
/** Keeps the links and sessions of people. */
export { PeopleStore } from "./people/PeopleStore.ts"
/** Keeps the one pepper of API keys, sealed. */
export { PepperStore } from "./keys/sealing/PepperStore.ts"
/** Keeps the jobs that replay many deliveries, and advances them. */
export { ReplayStore } from "./replays/ReplayStore.ts"
/** Keeps the keys of runners. */
export { RunnerKeyStore } from "./keys/RunnerKeyStore.ts"
/** Keeps who runs what: the sessions and leases of runners. */
export { RunStore } from "./runs/RunStore.ts"
/** Finds what is sealed with an older secret key, and stores it sealed with the newest. */
export { SealedValues } from "./keys/sealing/SealedValues.ts"
/** Keeps schedules, and creates the executions that are due. */
export { ScheduleStore } from "./schedules/ScheduleStore.ts"
/** Ends what is out of time, and prunes what has passed its retention. */
export { SweepStore } from "./sweeps/SweepStore.ts"
/** Keeps tasks, their versions and tags. */
export { TaskStore } from "./catalog/TaskStore.ts"
/** Keeps what was counted, and answers what is going on now. */
export { UsageStore } from "./usage/UsageStore.ts"

// What else the engine needs.

/** Wakes what waits, in this process and in others. */
export { Signals } from "./signals/Signals.ts"
/** Keeps the bytes of artifacts, and signs the URLs that write and read them. */
export { ArtifactStorage } from "./artifacts/ArtifactStorage.ts"
/** Receives and serves bytes under such URLs, where the service itself does. */
export { HostedFiles } from "./artifacts/HostedFiles.ts"
/** Validates params, results and answers against JSON Schema. */
export { ParamsValidator } from "./executions/params/ParamsValidator.ts"
/** Signs people in at the operator's provider; nobody, by default. */
export { IdentityProvider } from "./people/IdentityProvider.ts"
/** Sends alerts to people and programs; nowhere, by default. */
export { AlertChannels } from "./alerts/AlertChannels.ts"

// What a store asks of this process, which provides it by itself.

/** Takes deliveries that this process has caused and sends at once: a dispatcher. */
export type { DeliveryInlet } from "./deliveries/queue/DeliveryInlet.ts"
/** Takes work that is created while a poll waits for it: the poll. */
export type { WorkInlet } from "./runs/claim/WorkInlet.ts"
