/** `runhook verify-evidence`: whether evidence of an execution is genuine, and whether files are those that it states. */
import { createHash } from "node:crypto"
import { basename } from "node:path"
import { type HashedFile, verifyEvidence } from "@runhook/sdk/evidence"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { CommandFailed } from "../logging/Reporting.ts"
import { standardInput } from "./verify-webhook.ts"
import { Json, report } from "../output/Output.ts"

const KeySet = Schema.fromJsonString(
  Schema.Struct({ keys: Schema.Array(Schema.Record(Schema.String, Schema.Json)) })
)

/** The answer of the API; evidence by itself is taken as well. */
const Answer = Schema.fromJsonString(Schema.Struct({ evidence: Schema.String }))

const evidenceIn = (text: string): string =>
  Option.match(Schema.decodeOption(Answer)(text), {
    onNone: () => text.trim(),
    onSome: ({ evidence }) => evidence
  })

/** Read piece by piece, since a file may be larger than memory. */
const hashed = Effect.fnUntraced(function* (path: string) {
  const hash = createHash("sha256")
  let size = 0
  yield* Stream.runForEach((yield* FileSystem.FileSystem).stream(path), (bytes) =>
    Effect.sync(() => {
      size += bytes.length
      hash.update(bytes)
    })
  )
  const found: HashedFile = { size_bytes: size, sha256: hash.digest("hex") }
  return [basename(path), found] as const
})

export const verifyEvidenceCommand = Command.make(
  "verify-evidence",
  {
    evidence: Flag.FileText("evidence").pipe(
      Flag.withDescription(
        "A file with the evidence, as the API answers it or by itself (default: standard input)"
      ),
      Flag.optional
    ),
    jwks: Flag.FileText("jwks").pipe(
      Flag.withDescription("A file with the key set of the service, /.well-known/runhook/jwks.json")
    ),
    files: Argument.File("file", { mustExist: true }).pipe(
      Argument.withDescription("Files of the execution, under their names or ids"),
      Argument.variadic()
    )
  },
  Effect.fnUntraced(
    function* ({ evidence, files, jwks }) {
      const given = Object.fromEntries(yield* Effect.forEach(files, hashed))
      const text = evidenceIn(Option.isSome(evidence) ? evidence.value : yield* standardInput)
      const keySet = yield* Schema.decodeEffect(KeySet)(jwks)
      const { manifest, unchecked } = yield* Effect.tryPromise({
        try: () => verifyEvidence(text, { jwks: keySet, files: given }),
        catch: (cause) =>
          new CommandFailed({ reason: `Not verified: ${cause instanceof Error ? cause.message : cause}` })
      })
      const { execution_id, status } = manifest
      yield* report({
        lines: [
          `Verified: execution ${execution_id} ${status}`,
          ...unchecked.map(({ file_name, id }) => `Not compared: ${file_name} ${id}`)
        ],
        json: {
          execution_id,
          status,
          not_compared: unchecked.map(({ file_name, id }) => ({ id, file_name }))
        }
      })
    },
    Effect.catchTags({
      SchemaError: () => new CommandFailed({ reason: "--jwks is not a JSON Web Key Set" }),
      PlatformError: ({ message }) => new CommandFailed({ reason: message })
    })
  )
).pipe(
  Command.withDescription("Check evidence of an execution, and files against it, without asking the service"),
  Command.withExamples([
    {
      command: "runhook verify-evidence --evidence evidence.json --jwks jwks.json invoice.pdf",
      description: "Check that a file is the one that the execution captured"
    }
  ]),
  Command.withGlobalFlags([Json])
)
