/**
 * Whether a request repeats another, by their fingerprints. Each begins with the
 * version of the rule that made it, up to a colon. Those of two versions say
 * nothing of each other: then the key that both name says that one repeats the
 * other, since a retry after an update is likelier than two requests under one key.
 */
export const isRepeat = (stored: string, said: string): boolean =>
  stored === said || ruleOf(stored) !== ruleOf(said)

const ruleOf = (fingerprint: string): string => fingerprint.slice(0, fingerprint.indexOf(":") + 1)
