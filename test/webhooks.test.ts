/** What docs/webhooks.md shows is what the service does: its test vector, and its verifiers wherever they can run. */
import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as SigningSecret from "@runhook/core/signing/SigningSecret"
import { sign, signStandard, timestampAt } from "@runhook/core/signing/WebhookSignature"
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

/** Starting an interpreter on a busy machine takes a while, and so does Go's first compilation of its standard library. */
const patience = 180_000

/** Whether the machine has a program; says so when a test is not there for want of one. */
const canRun = (command: string, asked = "--version"): boolean => {
  const isThere = spawnSync(command, [asked]).status === 0
  if (!isThere)
    process.stderr.write(`docs/webhooks.md: ${command} is not on this machine, so its example is not tried\n`)
  return isThere
}

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

/** A verifier of the page in a program that reads the arguments from standard input and prints the verdict. */
interface Verifier {
  readonly language: string
  /** What the machine must have. */
  readonly needs: readonly [command: string, asked?: string]
  /** Makes the program, and says how to start it. */
  readonly made: () => readonly [command: string, ...args: ReadonlyArray<string>]
}

const fileIn = (name: string, text: string): string => {
  const path = join(directory, name)
  writeFileSync(path, text)
  return path
}

const candidates: ReadonlyArray<Verifier> = [
  {
    language: "js",
    needs: [process.execPath],
    made: () => [
      process.execPath,
      fileIn(
        "verifier.mjs",
        `${example("js")}
import { readFileSync } from "node:fs"
const [body, headers, secret] = JSON.parse(readFileSync(0, "utf8"))
console.log(isGenuine(Buffer.from(body), headers, secret) ? "genuine" : "refused")`
      )
    ]
  },
  {
    language: "python",
    needs: ["python3"],
    made: () => [
      "python3",
      fileIn(
        "verifier.py",
        `${example("python")}
import sys
body, headers, secret = json.loads(sys.stdin.buffer.read())
print("genuine" if is_genuine(body.encode(), headers, secret) else "refused")`
      )
    ]
  },
  {
    language: "go",
    needs: ["go", "version"],
    made: () => {
      mkdirSync(join(directory, "webhooks"))
      fileIn("go.mod", "module example.com/receiver\n\ngo 1.19\n")
      fileIn("webhooks/webhooks.go", example("go"))
      fileIn(
        "main.go",
        `package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"

	"example.com/receiver/webhooks"
)

func main() {
	var body, secret string
	var headers map[string]string
	if err := json.NewDecoder(os.Stdin).Decode(&[]any{&body, &headers, &secret}); err != nil {
		panic(err)
	}
	header := http.Header{}
	for name, value := range headers {
		header.Set(name, value)
	}
	if webhooks.IsGenuine([]byte(body), header, secret) {
		fmt.Println("genuine")
	} else {
		fmt.Println("refused")
	}
}
`
      )
      // Nothing is fetched: the example uses the standard library alone, which the machine's cache has compiled before.
      const offline = {
        GOFLAGS: "-mod=mod",
        GOPROXY: "off",
        GOTOOLCHAIN: "local",
        GOPATH: join(directory, "go")
      }
      run("go", ["build", "-o", "verifier", "."], { env: offline })
      return [join(directory, "verifier")]
    }
  }
]

const verifiers = candidates.filter(({ needs }) => canRun(...needs))

const signatures = [
  {
    by: "the service",
    made: (timestamp: string) => [
      sign(keys, { body, timestamp }),
      signStandard([keys], { id: eventId, body, timestamp })
    ]
  },
  ...["openssl"]
    .filter((command) => canRun(command))
    .map((by) => ({
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
    ({ made }) =>
      Effect.gen(function* () {
        const [command, ...args] = made()
        const now = yield* DateTime.now
        const verdictAt = (at: DateTime.Utc, change: Change) => {
          const timestamp = timestampAt(at)
          const headers = {
            "x-webhook-timestamp": timestamp,
            "x-webhook-signature": sign(keys, { body, timestamp }),
            "x-webhook-event-id": eventId,
            ...change.headers
          }
          const input = JSON.stringify([change.body ?? body, headers, change.secret ?? secret])
          return run(command, args, { input })
        }

        const genuine = verdictAt(now, {})
        const refused = [
          verdictAt(now, { body: body.replace("order-42", "order-43") }),
          verdictAt(now, { secret: secret.replace("AAEC", "AAED") }),
          verdictAt(now, { headers: { "x-webhook-event-id": "0198c5a2-7e4b-7c3d-9f10-000000000000" } }),
          verdictAt(now, { headers: { "x-webhook-signature": shown("`X-Webhook-Signature`") } }),
          verdictAt(now, { headers: { "x-webhook-signature": "" } }),
          verdictAt(now, { headers: { "x-webhook-signature": "é" } }),
          verdictAt(now, { headers: { "x-webhook-timestamp": "now" } }),
          verdictAt(DateTime.subtract(now, { hours: 1 }), {}),
          verdictAt(DateTime.add(now, { hours: 1 }), {})
        ]

        assert.strictEqual(genuine, "genuine")
        assert.deepStrictEqual(new Set(refused), new Set(["refused"]))
      }),
    patience
  )
})

/** What another program has received as a callback. */
interface Change {
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly secret?: string
}
