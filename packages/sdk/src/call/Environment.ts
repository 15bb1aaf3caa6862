/** What the process around a client says: its settings, and which runtime it is. Pages have neither. */
import { version } from "../Version.ts"

/** An environment variable; undefined where it is empty, or where there is no environment, or none that may be read. */
export const environment = (name: string): string | undefined => {
  try {
    return globalThis.process?.env?.[name] || undefined
  } catch {
    // Deno refuses programs that may not.
    return undefined
  }
}

/** Such as `runhook-sdk/0.1.0 (node/24.21.0)`; undefined in pages and workers, which name themselves. */
export const userAgent = (): string | undefined => {
  const { bun, deno, node } = globalThis.process?.versions ?? {}
  const [name, number] = bun ? ["bun", bun] : deno ? ["deno", deno] : ["node", node]
  return number && `runhook-sdk/${version} (${name}/${number})`
}
