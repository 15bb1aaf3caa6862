/** Environment variables and the runtime's name. Pages have neither. */
import { version } from "../Version.ts"

/** An environment variable; undefined if it is empty, or if there is no readable environment. */
export const environment = (name: string): string | undefined => {
  try {
    return globalThis.process?.env?.[name] || undefined
  } catch {
    // Deno refuses programs without the permission.
    return undefined
  }
}

/** Such as `runhook-sdk/0.1.0 (node/24.21.0)`; undefined in pages and workers, which name themselves. */
export const userAgent = (): string | undefined => {
  const { bun, deno, node } = globalThis.process?.versions ?? {}
  const [name, number] = bun ? ["bun", bun] : deno ? ["deno", deno] : ["node", node]
  return number && `runhook-sdk/${version} (${name}/${number})`
}
