/** The certificates of a file in PEM. */
import { X509Certificate } from "node:crypto"
import { readFileSync } from "node:fs"
import * as Result from "effect/Result"

const certificatePattern = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/** The certificates in the file, one text each, or what is wrong with the file. */
export const certificatesIn = (path: string): Result.Result<ReadonlyArray<string>, string> => {
  const content = Result.try(() => readFileSync(path, "utf8"))
  if (Result.isFailure(content)) return Result.fail(`cannot be read: ${path}`)
  const certificates = content.success.match(certificatePattern) ?? []
  return certificates.length > 0 && certificates.every(isCertificate)
    ? Result.succeed(certificates)
    : Result.fail(`must hold certificates in PEM, and nothing broken: ${path}`)
}

const isCertificate = (pem: string): boolean => Result.isSuccess(Result.try(() => new X509Certificate(pem)))
