/** Every use case of the core over real adapters: a store in memory, files in a folder of their own. */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as DiskArtifacts from "@runhook/artifacts/disk/DiskArtifacts"
import { CurrentActor, theService } from "@runhook/core/domain/account/Actor"
import * as Engine from "@runhook/core/Engine"
import { Draining } from "@runhook/core/runtime/Draining"
import * as InProcessSignals from "@runhook/core/runtime/InProcessSignals"
import { ServiceKeys } from "@runhook/core/Settings"
import * as KeyRing from "@runhook/core/signing/KeyRing"
import { AdminKeys } from "@runhook/core/usecases/Authentication"
import * as AjvParamsValidator from "@runhook/params/AjvParamsValidator"
import * as MemoryStore from "@runhook/store-memory/MemoryStore"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"

/** The one key that opens the admin API. */
export const adminKey = Redacted.make("an admin key of the operator's own choice")

/** Two rings whose newest keys differ: the second still knows the key of the first. */
const [oldKey, newKey] = [Buffer.alloc(32, 1).toString("base64"), Buffer.alloc(32, 2).toString("base64")]
export const oldRing = Result.getOrThrow(KeyRing.parse(oldKey))
export const newRing = Result.getOrThrow(KeyRing.parse(`${newKey},${oldKey}`))

const disk = Layer.unwrap(
  Effect.gen(function* () {
    const directory = yield* Effect.acquireRelease(
      Effect.promise(() => mkdtemp(join(tmpdir(), "runhook-"))),
      (path) => Effect.promise(() => rm(path, { recursive: true }))
    )
    return DiskArtifacts.layer({
      directory,
      baseUrl: "https://runhook.example.com",
      grantKey: oldRing[0].fileGrant
    })
  })
)

/** Every store, over one database, and what makes ids. */
export const stores = Layer.provideMerge(MemoryStore.layer, SecureRandom.layerWebCrypto)

/** What a process is made of beside its stores. */
export const adapters = Layer.mergeAll(
  AjvParamsValidator.layer,
  InProcessSignals.layer,
  disk,
  Layer.succeed(AdminKeys, [adminKey]),
  Layer.succeed(CurrentActor, theService),
  Layer.succeed(ServiceKeys, oldRing)
)

export const useCases = Engine.layer.pipe(Layer.provideMerge(Draining.layer))

/** A whole engine. Each test that provides it has one of its own. */
export const engine = useCases.pipe(Layer.provideMerge(adapters), Layer.provideMerge(stores))
