/**
 * Whether a request repeats another, by their fingerprints. Each begins with the version of its rule, up to a colon.
 * Fingerprints of two versions cannot be compared: then the common idempotency key makes it a repeat, since a retry
 * after an update is likelier than two requests under one key.
 */
export const isRepeat = (stored: string, said: string): boolean =>
  stored === said || ruleOf(stored) !== ruleOf(said)

const ruleOf = (fingerprint: string): string => fingerprint.slice(0, fingerprint.indexOf(":") + 1)
