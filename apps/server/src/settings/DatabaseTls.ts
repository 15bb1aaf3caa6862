/** Encryption of the way to the database, by libpq's variables: they count where the URL says nothing of the kind. */
import { tlsModes, tlsParameters } from "@runhook/store-pg/connections/DatabaseUrl"
import * as Redacted from "effect/Redacted"
import { setting } from "./Setting.ts"
import * as Text from "./SettingText.ts"

const meaning = (parameter: string) =>
  `\`${parameter}\` of the database, where \`RUNHOOK_DATABASE_URL\` does not name it.`

export const databaseTlsSettings = {
  sslmode: setting({
    name: "PGSSLMODE",
    default: "unset: no encryption",
    meaning: meaning("sslmode"),
    parse: Text.oneOf(...tlsModes)
  }),
  sslrootcert: setting({
    name: "PGSSLROOTCERT",
    default: "unset: the authorities that Node trusts",
    meaning: meaning("sslrootcert"),
    parse: Text.anyText
  }),
  sslcert: setting({
    name: "PGSSLCERT",
    default: "unset: no certificate of the service",
    meaning: meaning("sslcert"),
    parse: Text.anyText
  }),
  sslkey: setting({
    name: "PGSSLKEY",
    default: "unset",
    meaning: meaning("sslkey"),
    parse: Text.anyText
  })
}

/** The URL with what the variables say. */
export const withTls = (
  url: Redacted.Redacted,
  given: { readonly [Name in (typeof tlsParameters)[number]]: string | undefined }
): Redacted.Redacted => {
  const whole = new URL(Redacted.value(url))
  const missing = tlsParameters.filter((name) => given[name] !== undefined && !whole.searchParams.has(name))
  for (const name of missing) whole.searchParams.set(name, given[name] ?? "")
  return missing.length === 0 ? url : Redacted.make(whole.href)
}
