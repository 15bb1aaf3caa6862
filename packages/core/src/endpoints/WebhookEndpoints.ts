/** What callers and operators do with standing endpoints. */
import * as Context from "effect/Context"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as DateTime from "effect/DateTime"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import {
  endpointCreated,
  endpointRemoved,
  endpointRotated,
  endpointUpdated
} from "../audit/EndpointEvents.ts"
import { testDelivery } from "../deliveries/TestDelivery.ts"
import {
  type EndpointChange,
  endpointsMax,
  newEndpoint,
  pollUrlOf,
  type WebhookEndpoint
} from "./WebhookEndpoint.ts"
import { EndpointId, EventId, instantOf, makeIds } from "../shared/Ids.ts"
import type { Owner } from "../keys/Owner.ts"
import { InvalidField } from "../shared/Refusals.ts"
import { checkUrl } from "../shared/target/CallbackUrl.ts"
import { AccountStore } from "../accounts/AccountStore.ts"
import { type EndpointRef, EndpointStore } from "./EndpointStore.ts"
import { Signals } from "../signals/Signals.ts"
import { changeOf } from "../signals/ChangeSignals.ts"
import { endpointSecretPurpose } from "../keys/SigningKeyring.ts"
import { CallbackTargets, ServiceKeys } from "../Settings.ts"
import { seal } from "../signing/SecretBox.ts"
import * as SigningSecret from "../signing/SigningSecret.ts"
import { audited } from "../audit/Audited.ts"
import { makeQueueTest } from "../deliveries/QueuedTests.ts"
import { useCase } from "../engine/UseCase.ts"

export interface NewEndpoint
  extends
    Owner,
    Pick<
      WebhookEndpoint,
      "agentIds" | "description" | "eventTypes" | "isEnabled" | "kind" | "removeAfterSeconds" | "taskIds"
    > {
  /** Null for one that is polled. */
  readonly url: string | null
}

const secretOf = (text: string) => Redacted.make(text, { label: "signing secret" })

export class WebhookEndpoints extends Context.Service<WebhookEndpoints>()(
  "@runhook/core/endpoints/WebhookEndpoints",
  {
    make: Effect.gen(function* () {
      const accounts = yield* AccountStore
      const policy = yield* CallbackTargets
      const ring = yield* ServiceKeys
      const signals = yield* Signals
      const store = yield* EndpointStore
      const newId = yield* makeIds
      const queueTest = yield* makeQueueTest
      const atRandom = Effect.provideService(SecureRandom, yield* SecureRandom)

      const changed = ({ accountId }: Owner) => signals.notify([changeOf(accountId, "audit", null)])

      const checkedUrl = (url: string) =>
        Result.match(checkUrl(url, policy), {
          onFailure: ({ message }) => new InvalidField({ path: ["url"], rule: message }),
          onSuccess: ({ href }) => Effect.succeed(href)
        })

      const urlOf = ({ kind, url }: NewEndpoint, id: EndpointId) => {
        if (kind === "poll")
          return url === null
            ? Effect.succeed(pollUrlOf(id))
            : new InvalidField({ path: ["url"], rule: "is for endpoints of the kind push alone" })
        return url === null
          ? new InvalidField({ path: ["url"], rule: "must say where events are sent" })
          : checkedUrl(url)
      }

      /** Adds an endpoint. Its signing secret is answered here alone. */
      const create = useCase("WebhookEndpoints.create")(function* (wanted: NewEndpoint) {
        yield* accounts.get(wanted.accountId)
        const id = yield* newId(EndpointId)
        const url = yield* urlOf(wanted, id)
        if (wanted.kind === "push" && wanted.removeAfterSeconds !== null) {
          const rule = "is for endpoints of the kind poll alone"
          return yield* new InvalidField({ path: ["remove_after_seconds"], rule })
        }
        const secret = yield* SigningSecret.generate
        const ciphertext = yield* seal(ring, { purpose: endpointSecretPurpose, id }, secret)
        const endpoint = newEndpoint({ ...wanted, id, url, ciphertext }, instantOf(id))
        yield* store.create(endpoint, { limit: endpointsMax, audit: yield* audited(endpointCreated) })
        yield* changed(wanted)
        return { endpoint, secret: secretOf(secret) }
      }, atRandom)

      const list = Effect.fnUntraced(function* (owner: Owner) {
        yield* accounts.get(owner.accountId)
        return yield* store.list(owner)
      })

      const update = useCase("WebhookEndpoints.update")(function* (ref: EndpointRef, asked: EndpointChange) {
        const before = yield* store.get(ref)
        const { url } = asked
        if (url !== undefined && before.kind === "poll")
          return yield* new InvalidField({ path: ["url"], rule: "is for endpoints of the kind push alone" })
        const change =
          url === undefined || url === before.url ? asked : { ...asked, url: yield* checkedUrl(url) }
        const audit = yield* audited(endpointUpdated)
        const endpoint = yield* store.update(ref, { change, at: yield* DateTime.now, audit })
        yield* changed(ref)
        return endpoint
      })

      /** Replaces its signing secret; the previous one signs as well during the overlap. */
      const rotate = useCase("WebhookEndpoints.rotate")(function* (
        ref: EndpointRef,
        overlap: Duration.Duration
      ) {
        const { id } = yield* store.get(ref)
        const secret = yield* SigningSecret.generate
        const ciphertext = yield* seal(ring, { purpose: endpointSecretPurpose, id }, secret)
        const at = yield* DateTime.now
        const previousExpiresAt = DateTime.addDuration(at, overlap)
        const audit = yield* audited(endpointRotated)
        yield* store.rotate(ref, { ciphertext, previousExpiresAt, at, audit })
        yield* signals.notify(["signing_secrets"])
        yield* changed(ref)
        return { secret: secretOf(secret), previousExpiresAt }
      }, atRandom)

      /** Removes it: what waits for it is cancelled. */
      const remove = useCase("WebhookEndpoints.remove")(function* (ref: EndpointRef) {
        yield* store.remove(ref, { at: yield* DateTime.now, audit: yield* audited(endpointRemoved) })
        yield* signals.notify(["signing_secrets", `messages:${ref.id}`])
        yield* changed(ref)
      })

      /** Queues a `webhook.test` event for it, also while it is not enabled. */
      const test = useCase("WebhookEndpoints.test")(function* (ref: EndpointRef, requestId: string) {
        const { accountId, apiKeyId, id: endpointId, url } = yield* store.get(ref)
        const id = yield* newId(EventId)
        const delivery = testDelivery({ id, accountId, apiKeyId, endpointId, url, requestId })
        return yield* queueTest(delivery)
      })

      const get = store.get

      return { create, get, list, update, rotate, remove, test }
    })
  }
) {
  static readonly layer = Layer.effect(WebhookEndpoints, WebhookEndpoints.make)
}
