/** `runhook verify-webhook`: whether a received callback is genuine, and if not, why. */
import { Timestamp } from "@runhook/core/shared/Timestamp"
import { parse } from "@runhook/core/signing/SigningSecret"
import { verify } from "@runhook/core/signing/WebhookSignature"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Stdio from "effect/Stdio"
import * as Stream from "effect/Stream"
import { signingSecret } from "../config.ts"
import { CommandFailed } from "../logging/Reporting.ts"
import { Json, report } from "../output/Output.ts"

const header = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withDescription(description), Flag.optional, Flag.map(Option.getOrUndefined))

export const verifyWebhookCommand = Command.make(
  "verify-webhook",
  {
    body: Flag.FileText("body").pipe(
      Flag.withDescription("A file with the body, byte for byte (default: standard input)"),
      Flag.optional
    ),
    eventId: header("event-id", "The X-Webhook-Event-Id header"),
    receivedAt: Flag.String("received-at").pipe(
      Flag.withSchema(Timestamp),
      Flag.withMetavar("timestamp"),
      Flag.withDescription("When it arrived, for one that is older than five minutes (default: now)"),
      Flag.optional
    ),
    signature: header("signature", "The X-Webhook-Signature header"),
    timestamp: header("timestamp", "The X-Webhook-Timestamp header")
  },
  Effect.fnUntraced(
    function* ({ body, eventId, receivedAt, signature, timestamp }) {
      const secret = yield* Effect.mapError(signingSecret, (reason) => new CommandFailed({ reason }))
      if (secret === undefined) {
        return yield* new CommandFailed({
          reason:
            "RUNHOOK_SIGNING_SECRET (or RUNHOOK_SIGNING_SECRET_FILE) must be set to the key's signing secret"
        })
      }
      const keys = yield* Effect.fromResult(parse(Redacted.value(secret)))
      const event = yield* Effect.fromResult(
        verify([keys], {
          body: Option.isSome(body) ? body.value : yield* standardInput,
          timestamp,
          signature,
          eventId,
          receivedAt: Option.isSome(receivedAt) ? receivedAt.value : yield* DateTime.now
        })
      )
      const { event_id, type } = event
      yield* report({ lines: [`Verified: ${String(type)} ${String(event_id)}`], json: { type, event_id } })
    },
    Effect.catchTags({
      SigningSecretInvalid: ({ message }) =>
        new CommandFailed({ reason: `RUNHOOK_SIGNING_SECRET is wrong: ${message}` }),
      WebhookRejected: ({ message }) => new CommandFailed({ reason: `Not verified: ${message}` })
    })
  )
).pipe(
  Command.withDescription("Check the signature of a callback with the secret in RUNHOOK_SIGNING_SECRET"),
  Command.withExamples([
    {
      command:
        "runhook verify-webhook --body body.json --timestamp 1767225600 --signature <hex> --event-id <uuid> --received-at 2026-01-01T00:00:00Z",
      description: "Check a callback that was kept"
    }
  ]),
  Command.withGlobalFlags([Json])
)

export const standardInput = Effect.flatMap(Stdio.Stdio, ({ stdin }) =>
  Stream.mkString(Stream.decodeText(stdin))
)
