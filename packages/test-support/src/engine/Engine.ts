/** Every use case of the core over real adapters: a store in memory, files in a folder of their own. */
import * as DiskArtifacts from "@runhook/artifacts/disk/DiskArtifacts"
import { CurrentActor, theService } from "@runhook/core/audit/Actor"
import * as Engine from "@runhook/core/Engine"
import { Draining } from "@runhook/core/engine/Draining"
import * as InProcessSignals from "@runhook/core/signals/InProcessSignals"
import { ServiceKeys } from "@runhook/core/Settings"
import * as KeyRing from "@runhook/core/signing/KeyRing"
import { AdminKeys } from "@runhook/core/keys/Authentication"
import * as AjvParamsValidator from "@runhook/params/AjvParamsValidator"
import * as MemoryStore from "@runhook/store-memory/MemoryStore"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { makeDirectory, removeDirectory } from "../world/ServiceProcess.ts"

/** The one key that opens the admin API. */
export const adminKey = "an-admin-key-of-at-least-32-characters"

/** Two rings whose newest keys differ: the second still knows the key of the first. */
const [oldKey, newKey] = [Buffer.alloc(32, 1).toString("base64"), Buffer.alloc(32, 2).toString("base64")]
export const oldRing = Result.getOrThrow(KeyRing.parse(oldKey))
export const newRing = Result.getOrThrow(KeyRing.parse(`${newKey},${oldKey}`))

const filesIn = (baseUrl: string) =>
  Layer.unwrap(
    Effect.acquireRelease(Effect.promise(makeDirectory), (directory) =>
      Effect.promise(() => removeDirectory(directory))
    ).pipe(
      Effect.map((directory) => DiskArtifacts.layer({ directory, baseUrl, grantKey: oldRing[0].fileGrant }))
    )
  )

/** Every store, over one database, and what makes ids. */
export const stores = Layer.provideMerge(MemoryStore.layer, SecureRandom.layerWebCrypto)

/** What a process is made of beside its stores and its signals. */
export const adaptersAt = (baseUrl: string) =>
  Layer.mergeAll(
    AjvParamsValidator.layer,
    filesIn(baseUrl),
    Layer.succeed(AdminKeys, [Redacted.make(adminKey)]),
    Layer.succeed(ServiceKeys, oldRing)
  )

/** What a process is made of beside its stores. What a test asks of it, it asks as the service itself. */
export const adapters = Layer.mergeAll(
  adaptersAt("https://runhook.example.com"),
  InProcessSignals.layer,
  Layer.succeed(CurrentActor, theService)
)

export const useCases = Engine.layer.pipe(Layer.provideMerge(Draining.layer))

/** A whole engine over these stores. */
export const engineOver = <A, E, R>(over: Layer.Layer<A, E, R>) =>
  useCases.pipe(Layer.provideMerge(adapters), Layer.provideMerge(over))

/** A whole engine. Each test that provides it has one of its own. */
export const engine = engineOver(stores)
