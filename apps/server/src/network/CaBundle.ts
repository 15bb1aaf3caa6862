/** The certificates of a file in PEM. */
import { X509Certificate } from "node:crypto"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Result from "effect/Result"

const certificatePattern = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/** The certificates in the file, one text each. Fails with what is wrong: `RUNHOOK_CA_BUNDLE ...`. */
export const read = Effect.fnUntraced(function* (path: string) {
  const files = yield* FileSystem.FileSystem
  const content = yield* files
    .readFileString(path)
    .pipe(Effect.mapError(() => `RUNHOOK_CA_BUNDLE cannot be read: ${path}`))
  const certificates = content.match(certificatePattern) ?? []
  return Arr.isReadonlyArrayNonEmpty(certificates) && certificates.every(isCertificate)
    ? certificates
    : yield* Effect.fail(`RUNHOOK_CA_BUNDLE must hold certificates in PEM, and nothing broken: ${path}`)
})

const isCertificate = (pem: string): boolean => Result.isSuccess(Result.try(() => new X509Certificate(pem)))
