import { execFileSync } from "node:child_process"
import { createHmac, hash } from "node:crypto"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { sign, signerFrom } from "@runhook/core/signing/EvidenceSigner"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { runhook, temporaryDirectory } from "./RunhookProcess.ts"

describe("commands that ask no server", () => {
  it.live("verify a callback that was kept, and say why they believe it or not", () =>
    Effect.gen(function* () {
      const secret = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
      const body = `{"event_id":"e1","type":"webhook.test"}`
      const signature = createHmac("sha256", secret).update(`${body}1767225600`).digest("hex")
      const verify = (...more: ReadonlyArray<string>) =>
        runhook(
          [
            "verify-webhook",
            "--timestamp",
            "1767225600",
            "--signature",
            signature,
            "--event-id",
            "e1",
            ...more
          ],
          { RUNHOOK_SIGNING_SECRET: secret },
          body
        )

      const kept = yield* verify("--received-at", "2026-01-01T00:00:10Z")
      const late = yield* verify("--received-at", "2026-01-01T01:00:00Z")

      assert.deepStrictEqual([kept.code, kept.stdout], [0, "Verified: webhook.test e1\n"])
      assert.deepStrictEqual(
        [late.code, late.stderr],
        [1, "runhook: Not verified: X-Webhook-Timestamp is more than 300 seconds off\n"]
      )
    })
  )

  it.live("verify evidence that was kept, and name each file that is another", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryDirectory
      const signer = signerFrom(new Uint8Array(32).fill(1))
      const files = ["invoice.txt", "page.png"].map((file_name) => ({
        id: `of ${file_name}`,
        file_name,
        size_bytes: file_name.length,
        sha256: hash("sha256", file_name)
      }))
      const evidence = sign(signer, {
        type: "runhook.execution",
        execution_id: "e1",
        status: "completed",
        files
      })
      const jwks = { keys: [{ kty: "OKP", crv: "Ed25519", kid: signer.kid, x: signer.x }] }
      const keep = (name: string, content: string) => {
        writeFileSync(join(folder, name), content)
        return join(folder, name)
      }
      const verify = (input: string, ...paths: ReadonlyArray<string>) =>
        runhook(["verify-evidence", "--jwks", keep("jwks.json", JSON.stringify(jwks)), ...paths], {}, input)
      const invoice = keep("invoice.txt", "invoice.txt")
      const genuine = yield* verify(JSON.stringify({ evidence, request_id: "req_1" }), invoice)
      keep("invoice.txt", "invoice!txt")

      const changed = yield* verify(`${evidence}\n`, invoice)
      const forged = yield* verify(evidence.replace(/.$/, "*"))

      assert.deepStrictEqual(
        [genuine.code, genuine.stdout],
        [0, "Verified: execution e1 completed\nNot compared: page.png of page.png\n"]
      )
      assert.deepStrictEqual([changed.code, forged.code], [1, 1])
      assert.include(changed.stderr, `sha256 of invoice.txt is ${hash("sha256", "invoice!txt")}`)
      assert.include(forged.stderr, "it is not a compact JWS")
    })
  )

  it.live("print the OpenAPI document of each API", () =>
    Effect.gen(function* () {
      const answers = yield* Effect.forEach(["integration", "runner", "admin"], (api) =>
        runhook(["openapi", api], {})
      )

      const decode = Schema.decodeOption(
        Schema.fromJsonString(Schema.Struct({ openapi: Schema.Literal("3.1.0") }))
      )
      assert.isTrue(answers.every(({ code, stdout }) => code === 0 && Option.isSome(decode(stdout))))
    })
  )

  it.live("complete themselves in each shell", () =>
    Effect.gen(function* () {
      const [bash, zsh, fish] = yield* Effect.all(
        ["bash", "zsh", "fish"].map((shell) => runhook(["completions", shell], {}))
      )
      const typed = `COMP_WORDS=(runhook executions wa); COMP_CWORD=2; COMP_LINE="\${COMP_WORDS[*]}"; _runhook; echo "\${COMPREPLY[*]}"`

      const completed = execFileSync("bash", ["-c", `${bash?.stdout}\n${typed}`], { encoding: "utf8" })

      assert.strictEqual(completed, "watch\n")
      assert.include(zsh?.stdout, "#compdef runhook")
      assert.match(fish?.stdout ?? "", /^complete -c runhook .*-a "?'?executions/m)
    })
  )

  it("start without what the service is made of", () => {
    const loaded = new Set<string>()
    const load = (name: string): void => {
      if (loaded.has(name)) return
      loaded.add(name)
      for (const [, next = ""] of textOf(name).matchAll(/^import (?:.* from )?"\.\/(.+)"/gm)) load(next)
    }
    const textOf = (name: string) => readFileSync(new URL(`../dist/${name}`, import.meta.url), "utf8")
    load("runhook.mjs")

    const text = [...loaded].map(textOf).join("\n")

    assert.match(text, /^\/\/ \S*packages\/sdk\/src\/admin\/Admin\.ts$/m)
    // What a URL says is read before there is a store.
    const stores = "store-memory|store-pg(?!/src/connections/DatabaseUrl\\.ts$)"
    assert.notMatch(text, new RegExp(`^// \\S*packages/(?:artifacts|contract|http|${stores})/src/\\S+$`, "m"))
  })
})
