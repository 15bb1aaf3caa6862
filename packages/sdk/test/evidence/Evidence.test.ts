import { hash } from "node:crypto"
import { assert, describe, it } from "vitest"
import { type EvidenceMismatch, EvidenceRejectedError, verifyEvidence } from "../../src/evidence/Evidence.ts"
import { forged } from "./Forged.ts"
import { bytes, evidence, invoice, jwks, manifest } from "./Signed.ts"

const rejectionOf = async (verdict: Promise<unknown>): Promise<EvidenceRejectedError> => {
  const error = await verdict.then(
    () => assert.fail("it was accepted"),
    (reason: unknown) => reason
  )
  assert.instanceOf(error, EvidenceRejectedError)
  return error
}

describe("verifyEvidence", () => {
  it("gives the manifest of genuine evidence, and the files that it was not shown", async () => {
    const files = { "invoice.txt": bytes(invoice), "f-3": new Blob(["another picture"]) }
    const params = { b: { é: 0.1, c: true }, a: [1, "ü", null] }

    const verified = await verifyEvidence(evidence, { jwks, files, params, result: {} })

    assert.deepStrictEqual(verified.manifest, manifest)
    assert.deepStrictEqual(
      verified.unchecked.map(({ id }) => id),
      ["f-2"]
    )
  })

  it("finds each changed byte of a file, and names the file and both hashes", async () => {
    const original = bytes(invoice)
    for (let at = 0; at < original.length; at++) {
      const changed = original.with(at, (original[at] ?? 0) ^ 1)

      const error = await rejectionOf(verifyEvidence(evidence, { jwks, files: { "invoice.txt": changed } }))

      assert.strictEqual(error.reason, "content_mismatch")
      const [stated, found] = [hash("sha256", original), hash("sha256", changed)]
      assert.deepStrictEqual(error.mismatches, [{ what: "invoice.txt", problem: "sha256", stated, found }])
      assert.include(error.message, `sha256 of invoice.txt is ${found}, and the evidence states ${stated}`)
    }
  })

  it("names everything that does not match, at once", async () => {
    const error = await rejectionOf(
      verifyEvidence(evidence, {
        jwks,
        files: {
          "invoice.txt": { size_bytes: 7, sha256: hash("sha256", invoice) },
          "page.png": bytes("a picture"),
          toString: bytes("")
        },
        params: { a: 1 },
        result: null
      })
    )

    const named: ReadonlyArray<EvidenceMismatch> = [
      { what: "invoice.txt", problem: "size", stated: 19, found: 7 },
      { what: "page.png", problem: "ambiguous", stated: null, found: null },
      { what: "toString", problem: "not_in_evidence", stated: null, found: null },
      { what: "params", problem: "sha256", stated: manifest.params_sha256, found: hash("sha256", '{"a":1}') },
      { what: "result", problem: "sha256", stated: manifest.result_sha256, found: null }
    ]
    assert.deepStrictEqual(error.mismatches, named)
    assert.include(error.message, "it has several files page.png: give them by their ids")
  })

  it("rejects evidence of which any character is another", async () => {
    for (let at = 0; at < evidence.length; at++) {
      const changed = evidence.slice(0, at) + (evidence[at] === "A" ? "B" : "A") + evidence.slice(at + 1)

      const { reason } = await rejectionOf(verifyEvidence(changed, { jwks }))

      assert.notStrictEqual(reason, "content_mismatch", `at ${at}`)
    }
  })

  it.each(forged)("rejects evidence that $name: $reason", async ({ reason, text }) => {
    const error = await rejectionOf(verifyEvidence(text, { jwks }))

    assert.strictEqual(error.reason, reason)
  })
})
