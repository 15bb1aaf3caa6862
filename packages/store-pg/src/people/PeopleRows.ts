/** Rows of links and sessions of the Integrations page. */
import { SignInLink } from "@runhook/core/people/SignInLink"
import { PersonSession } from "@runhook/core/people/PersonSession"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { literal } from "effect/sql/Statement"
import { decoded } from "../sql/SqlErrors.ts"
import { columnsOf, listOf } from "../rows/RowTable.ts"

const { maker, ...linkFields } = SignInLink.fields

const LinkRow = Schema.Struct({
  ...linkFields,
  makerKind: maker.fields.kind,
  makerId: maker.fields.id,
  makerName: maker.fields.name
})

export const linkColumns = literal(listOf(columnsOf(LinkRow, "")))

export const sessionColumns = literal(listOf(columnsOf(PersonSession, "")))

const linkRows = decoded(LinkRow)

/** The links of a statement that selects `linkColumns`. */
export const linksOf = <E, R>(statement: Effect.Effect<ReadonlyArray<object>, E, R>) =>
  Effect.map(linkRows(statement), (rows) => rows.map(linkOf))

export const sessionsOf = decoded(PersonSession)

export const linkRowOf = ({ maker: by, ...link }: SignInLink): typeof LinkRow.Type => ({
  ...link,
  makerKind: by.kind,
  makerId: by.id,
  makerName: by.name
})

const linkOf = ({ makerId, makerKind, makerName, ...link }: typeof LinkRow.Type): SignInLink => ({
  ...link,
  maker: { kind: makerKind, id: makerId, name: makerName }
})
