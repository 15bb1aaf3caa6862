/** What a command says beside the contract. */
import { CommandFailed } from "../../logging/Reporting.ts"

/** Values of a request, by their fields. */
export type Values = Readonly<Record<string, unknown>>

/** A field that a command takes, where its name does not say it all. */
export interface Take {
  readonly field: string
  /** The flag, where it is not named as the field. */
  readonly flag?: string
  /** In place of what the contract says. */
  readonly says?: string
  readonly unlessGiven?: string | null
  /** Of an integer that is refused before it is sent. */
  readonly between?: { readonly minimum: number; readonly maximum: number }
  /** The id of a thing that may be left out where there is only one; as where the API requires it. */
  readonly isOnlyOne?: boolean
}

/** A flag without a value of its own. */
export interface Switch {
  readonly flag: string
  readonly says: string
  /** What it says in the body, unless another flag says otherwise. */
  readonly sets: Values
}

export interface Row {
  /** In the contract; that of the noun and the command unless given. */
  readonly call?: string
  /** Whose call it is: that of the noun's owner unless given. */
  readonly of?: OwnerName
  /** Fields that are arguments, after the ids of the path; and what is to be said of these. */
  readonly args?: ReadonlyArray<Take>
  /** Fields that are flags. */
  readonly takes?: ReadonlyArray<Switch | Take | string>
  /** What the command itself says in the body, unless a flag says otherwise. */
  readonly sets?: Values
  /** Adds what follows from what is given, or refuses it. */
  readonly completes?: (given: Values) => Values
  /** Of a list in the answer. */
  readonly columns?: string
  /** In place of the contract's summary and description. */
  readonly says?: string
  readonly examples?: ReadonlyArray<{ readonly command: string; readonly description: string }>
}

export type OwnerName = "account" | "alerts" | "endpoints" | "service"
export type Rows = Readonly<Record<string, Row>>

/** As a mistake in the command. */
export const refuse = (reason: string): never => {
  throw new CommandFailed({ reason, exitCode: 2 })
}

/** The name of a thing that people make. */
export const label: Take = { field: "name", says: "Its name in lists" }
