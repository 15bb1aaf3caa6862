/** Evidence as the service signs it, for tests. */
import { hash } from "node:crypto"
import { type EvidenceSigner, sign, signerFrom } from "@runhook/core/signing/EvidenceSigner"
import type { EvidenceManifest } from "../../src/evidence/Evidence.ts"

export const bytes = (text: string) => new TextEncoder().encode(text)

export const signer = signerFrom(new Uint8Array(32).fill(1))
export const other = signerFrom(new Uint8Array(32).fill(2))

export const jwkOf = ({ kid, x }: EvidenceSigner) => ({ kty: "OKP", crv: "Ed25519", alg: "EdDSA", kid, x })
export const jwks = { keys: [jwkOf(other), jwkOf(signer)] }

export const fileOf = (id: string, file_name: string, content: string) => ({
  id,
  kind: "download",
  file_name,
  content_type: "text/plain",
  size_bytes: bytes(content).length,
  sha256: hash("sha256", content)
})

export const invoice = "invoice of December"

export const manifest = {
  type: "runhook.execution",
  issuer: "https://runhook.example.com",
  account_id: "a-1",
  execution_id: "e-1",
  status: "completed",
  reference: "Grüße 7",
  requested_by: { key_id: "k-1", name: "Back office", request_id: "req_1" },
  rerun_of: null,
  schedule_id: null,
  task: { id: "t-1", slug: "fetch", version_id: "v-1", version_number: 1 },
  agent: { id: "g-1", name: null },
  attempts: 1,
  created_at: "2030-01-01T00:00:00.000Z",
  started_at: "2030-01-01T00:00:00.000Z",
  finished_at: "2030-01-01T00:00:00.000Z",
  params_sha256: hash("sha256", '{"a":[1,"ü",null],"b":{"c":true,"é":0.1}}'),
  result_sha256: hash("sha256", "{}"),
  history: [],
  files: [
    fileOf("f-1", "invoice.txt", invoice),
    fileOf("f-2", "page.png", "a picture"),
    fileOf("f-3", "page.png", "another picture")
  ],
  files_complete: true
} as const satisfies EvidenceManifest

export const evidence = sign(signer, manifest)
