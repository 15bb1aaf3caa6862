/** Values to choose from, and things by their names. */
import type { Key, WebhookEndpoint } from "@runhook/sdk/admin"

/** The one of the known values that a text is. */
export const oneOf = <Value extends string>(
  known: ReadonlyArray<Value>,
  text: string | undefined
): Value | undefined => known.find((each) => each === text)

/** The same of choices, whose values have words. */
export const chosenOf = <Value extends string>(
  choices: ReadonlyArray<readonly [value: Value, words: string]>,
  text: string | undefined
): Value | undefined => choices.find(([value]) => value === text)?.[0]

export interface Named {
  readonly id: string
  readonly name: string
}

/** Whether a key still opens anything. */
export const isUsable = ({ revoked_at }: Pick<Key, "revoked_at">): boolean => revoked_at === null

/** Things as choices of a field: their ids, and their names. */
export const choicesOf = (
  of: ReadonlyArray<Named> = []
): ReadonlyArray<readonly [id: string, name: string]> => of.map(({ id, name }) => [id, name])

/** What a standing endpoint is called: its description, its URL, or its kind. */
export const endpointName = ({
  description,
  kind,
  url
}: Pick<WebhookEndpoint, "description" | "kind" | "url">): string =>
  description || (url ?? (kind === "poll" ? "Fetched events" : kind))

/** The name of the one with an id, if it is known. */
export const nameIn = (known: ReadonlyArray<Named> | undefined, id: string): string | undefined =>
  known?.find((each) => each.id === id)?.name
