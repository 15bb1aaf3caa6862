/** Signing secrets as programs have them: from a file, with its line end; from an editor, with its mark. */

/** The signing secrets that may have signed: one, or both during a rotation. */
export type Secrets = string | ReadonlyArray<string>

/** A receiver that cannot know any callback, such as one whose environment lacks its secret. */
export class SecretsError extends TypeError {}

/** Without the blanks, line ends and byte order mark around them. Throws a `SecretsError`, which shows none. */
export const secretsOf = (given: Secrets): ReadonlyArray<string> => {
  const secrets = [given].flat().map((secret) => String(secret ?? "").trim())
  if (secrets.length === 0 || !secrets.every(Boolean)) throw new SecretsError("secrets must not be empty")
  if (secrets.every((secret) => /^[!-~]+$/.test(secret))) return secrets
  throw new SecretsError("secrets must be of visible ASCII characters")
}
