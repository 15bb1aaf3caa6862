/**
 * Names as messages for people show them. Tenants choose them, so nothing in a name may be
 * markup, a mention or a link where the message is read. Pure functions.
 */
import { onOneLine } from "../shared/OneLine.ts"
import type { Alert } from "./Alert.ts"

/** What Markdown and chats give a meaning to, a colon that makes a URL, and a dot that makes a host name. */
const meaningful = /[!#&()*<>@[\\\]_`|~]|:(?=\/\/)|(?<=\S)\.(?=\p{L})/gu

/** The same sign twice as wide, which no program gives a meaning to. */
const wide = (sign: string): string => String.fromCharCode(sign.charCodeAt(0) + 0xfee0)

const harmless = (name: string): string => onOneLine(name).replaceAll(meaningful, wide)

export const withHarmlessNames = <Named extends Pick<Alert, "name"> & { readonly accountName: string }>(
  alert: Named
): Named => ({ ...alert, name: harmless(alert.name), accountName: harmless(alert.accountName) })
