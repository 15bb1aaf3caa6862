/** Runhook's engine in one process, with everything in memory. Queues one execution, and ends. */
import { randomBytes } from "node:crypto"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as DiskArtifacts from "@runhook/artifacts/disk/DiskArtifacts"
import { CurrentActor, theService } from "@runhook/core/audit/Actor"
import * as RunhookEngine from "@runhook/core/Engine"
import { Draining } from "@runhook/core/engine/Draining"
import * as InProcessSignals from "@runhook/core/signals/InProcessSignals"
import { ServiceKeys } from "@runhook/core/Settings"
import * as KeyRing from "@runhook/core/signing/KeyRing"
import { ApiKeys } from "@runhook/core/keys/ApiKeys"
import { AdminKeys } from "@runhook/core/keys/Authentication"
import { Executions } from "@runhook/core/executions/Executions"
import { createExecution } from "@runhook/http/executions/CreateFromWire"
import * as AjvParamsValidator from "@runhook/params/AjvParamsValidator"
import * as MemoryStore from "@runhook/store-memory/MemoryStore"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { makeTenant } from "./Tenant.ts"

const secretKey = randomBytes(32).toString("base64")

const files = Layer.unwrap(
  ServiceKeys.useSync(([{ fileGrant }]) =>
    DiskArtifacts.layer({
      directory: join(tmpdir(), "runhook-files"),
      baseUrl: "http://127.0.0.1:3000",
      grantKey: fileGrant
    })
  )
)

const engine = RunhookEngine.layer.pipe(
  Layer.provideMerge(Layer.mergeAll(AjvParamsValidator.layer, Draining.layer, files)),
  Layer.provideMerge(Layer.mergeAll(MemoryStore.layer, InProcessSignals.layer)),
  Layer.provideMerge(
    Layer.mergeAll(
      Layer.effect(ServiceKeys, Effect.fromResult(KeyRing.parse(secretKey))),
      Layer.succeed(AdminKeys, []),
      SecureRandom.layerWebCrypto
    )
  )
)

const program = Effect.gen(function* () {
  const { accountId, agentId, apiKeyId, taskId } = yield* makeTenant("Meridian Freight")

  const { execution } = yield* (yield* Executions).create({
    caller: yield* (yield* ApiKeys).get({ accountId, id: apiKeyId }),
    request: createExecution({ agent_id: agentId, task_id: taskId, params: { order_id: "order-1" } }),
    idempotencyKey: "order-1",
    requestId: "order-1"
  })
  console.log(`The order has an execution, which is ${execution.status}.`)
})

await Effect.runPromise(program.pipe(Effect.provideService(CurrentActor, theService), Effect.provide(engine)))
