/** What docs/webhooks.md shows is what the service does: its test vector, and its verifiers wherever they can run. */
import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { sign, signStandard, timestampAt } from "@runhook/core/signing/WebhookSignature"
import * as SigningSecret from "@runhook/core/signing/SigningSecret"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"

const page = readFileSync("docs/webhooks.md", "utf8")

/** The one example of the page in that language. */
const example = (language: string): string =>
  new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "ms").exec(page.slice(page.indexOf("## Verify it")))?.[1] ??
  ""

/** The value of a row of the test vector. */
const shown = (name: string): string =>
  new RegExp(`^\\| ${name} \\| \`(.*)\` \\|$`, "m").exec(page)?.[1] ?? ""

const secret = shown("Secret")
const eventId = shown("Event id")
const body = shown("Body")
const keys = Result.getOrThrow(SigningSecret.parse(secret))

/** Starting an interpreter on a busy machine takes a while. */
const patience = 60_000

const canRun = (command: string): boolean => spawnSync(command, ["--version"]).status === 0

let directory = ""
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "runhook-webhooks-"))
})
afterAll(() => rmSync(directory, { recursive: true }))

const run = (
  command: string,
  args: ReadonlyArray<string>,
  { env = {}, input = "" }: { readonly env?: Readonly<Record<string, string>>; readonly input?: string } = {}
): string => {
  const { stderr, stdout } = spawnSync(command, args, {
    cwd: directory,
    encoding: "utf8",
    env: { ...process.env, ...env },
    input
  })
  assert.strictEqual(stderr, "")
  return stdout.trim()
}

/** A verifier of the page, and a program around it that reads the arguments from standard input and prints the verdict. */
const verifiers = [
  {
    language: "js",
    command: process.execPath,
    file: "verifier.mjs",
    rest: `
import { readFileSync } from "node:fs"
const [body, headers, secret] = JSON.parse(readFileSync(0, "utf8"))
console.log(isGenuine(Buffer.from(body), headers, secret) ? "genuine" : "refused")`
  },
  {
    language: "python",
    command: "python3",
    file: "verifier.py",
    rest: `
import sys
body, headers, secret = json.loads(sys.stdin.buffer.read())
print("genuine" if is_genuine(body.encode(), headers, secret) else "refused")`
  }
].filter(({ command }) => canRun(command))

const signatures = [
  {
    by: "the service",
    made: (timestamp: string) => [
      sign(keys, { body, timestamp }),
      signStandard([keys], { id: eventId, body, timestamp })
    ]
  },
  ...["openssl"].filter(canRun).map((by) => ({
    by,
    made: (timestamp: string) => {
      writeFileSync(join(directory, "body.json"), body)
      const env = { SECRET: secret, EVENT_ID: eventId, TIMESTAMP: timestamp }
      const [specified, standard] = run("sh", ["-c", example("sh")], { env }).split("\n")
      return [specified, `v1,${standard}`]
    }
  }))
]

describe("docs/webhooks.md", () => {
  it.each(signatures)("shows the signatures that $by makes", { timeout: patience }, ({ made }) => {
    assert.deepStrictEqual(made(shown("Timestamp")), [
      shown("`X-Webhook-Signature`"),
      shown("`webhook-signature`")
    ])
  })

  it.live.each(verifiers)(
    "shows a verifier in $language that believes what is signed, and nothing else",
    ({ command, file, language, rest }) =>
      Effect.gen(function* () {
        writeFileSync(join(directory, file), example(language) + rest)
        const now = yield* DateTime.now
        const verdictAt = (
          at: DateTime.Utc,
          change: { readonly body?: string; readonly eventId?: string }
        ) => {
          const timestamp = timestampAt(at)
          const headers = {
            "x-webhook-timestamp": timestamp,
            "x-webhook-signature": sign(keys, { body, timestamp }),
            "x-webhook-event-id": change.eventId ?? eventId
          }
          const input = JSON.stringify([change.body ?? body, headers, secret])
          return run(command, [file], { input })
        }

        const verdicts = [
          verdictAt(now, {}),
          verdictAt(now, { body: body.replace("order-42", "order-43") }),
          verdictAt(now, { eventId: "0198c5a2-7e4b-7c3d-9f10-000000000000" }),
          verdictAt(DateTime.subtract(now, { hours: 1 }), {}),
          verdictAt(DateTime.add(now, { hours: 1 }), {})
        ]

        assert.deepStrictEqual(verdicts, ["genuine", "refused", "refused", "refused", "refused"])
      }),
    patience
  )
})
